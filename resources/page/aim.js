// From a reference to a point: scrolling, what lies on top, and a guard that lets only the meant element be hit.
(() => {
  const S = globalThis.signalbox;
  if (S.aim) return;
  const {dom} = S;
  const {shown} = S;
  const sized = (r) => r.width >= 1 && r.height >= 1;
  // What is drawn for a control: itself, or the label that stands for a hidden box.
  const face = (el) => {
    const own = S.rect(el);
    const clear = Number(getComputedStyle(el).opacity) > 0 || !S.labels(el).length;
    // A box moved past the left or upper edge of its page can never be scrolled to.
    const outside = (own.right + scrollX <= 0 || own.bottom + scrollY <= 0) && S.labels(el).length > 0;
    if (shown(el) && sized(own) && clear && !outside && !(own.width <= 1 && own.height <= 1)) return el;
    for (const label of S.labels(el)) if (shown(label) && sized(dom.rect(label))) return label;
    if (shown(el) && !sized(own)) for (const child of dom.all(el, '*')) if (shown(child) && sized(dom.rect(child))) return child;
    return el;
  };
  const deepest = (x, y) => {
    let hit = dom.under(document, x, y);
    for (let root; hit && (root = dom.shadow(hit));) {
      const inner = root.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  };
  // Another control, or a frame, that stands inside of a target and would take the press: a card's own button, a label's
  // link. One of the same name is the target by another tag, and what is typed into or chosen from holds its own parts.
  const HOLDERS = new Set(['textbox', 'combobox', 'listbox', 'slider']);
  const another = (hit, within, el) => {
    const role = S.roleOf(el), kind = S.ACTS[role];
    for (let at = hit; at instanceof Element && at !== within && at !== el; at = S.parentOf(at)) {
      if (/^i?frame$/.test(dom.tag(at))) return true;
      const inner = S.ACTS[S.roleOf(at)];
      if (inner === undefined || HOLDERS.has(kind) || (inner === kind && kind !== 'button')) continue;
      const name = S.name(at), own = S.name(el);
      return name !== own && name !== S.label(el, role || 'clickable', own);
    }
    return false;
  };
  // What a library draws around a field of its own: ordinary elements with no other control among them. Its placeholder, its
  // handle or the words chosen last may lie on the field, and are the field to whoever looks at the page.
  const CONTROLS = 'a[href], button, input:not([type=hidden], [aria-hidden=true]), select, textarea, iframe, frame, [onclick], [contenteditable], '
    + '[role=button], [role=link], [role=checkbox], [role=switch], [role=radio], [role=tab], [role=menuitem], [role=option]';
  const SHELL_MOST = 120, TINY = 6;
  const shell = (el, roomy) => {
    let found = el;
    for (let at = S.parentOf(el), steps = 0; at instanceof Element && steps < 6; at = S.parentOf(at), steps++) {
      if (at === dom.body(document) || (!roomy && dom.rect(at).height > SHELL_MOST)) break;
      if (dom.has(at, 'onclick') || [...dom.all(at, CONTROLS)].some((other) => other !== el && !S.inside(other, el))) break;
      found = at;
    }
    return found;
  };
  // Keys go to a field that a library shows nothing of, and draws what it holds itself.
  const tiny = (el) => { const r = dom.rect(el); return r.width < TINY || r.height < TINY; };
  const keysOnly = (el) => {
    const around = dom.parent(el), clipped = around instanceof Element && tiny(around) && dom.style(around).overflow !== 'visible';
    return clipped || tiny(el) || Number(dom.style(el).opacity) === 0;
  };
  // Nothing that does something by itself, as far as is known: what holds the field as well hears of a press on either.
  const plain = (hit, el) => {
    for (let at = hit; at instanceof Element && !S.inside(el, at); at = S.parentOf(at)) {
      const acts = S.ACTS[S.roleOf(at)] !== undefined && dom.attr(at, 'aria-hidden') !== 'true';
      if (acts || S.listens(at) || (dom.tag(at) === 'label' && at.control !== el)) return false;
    }
    return true;
  };
  // pressed: whether it is to be pressed there; what is set or typed into without a press need not be hit itself.
  const reaches = (hit, el, drawnAs, pressed = true) => {
    if (!hit) return false;
    for (const within of [el, drawnAs, ...S.labels(el)]) if (S.inside(hit, within)) return !another(hit, within, el);
    const kind = S.ACTS[S.roleOf(el)];
    if (!HOLDERS.has(kind)) return false;
    // Out of sight, or drawn behind what it stands in, as what a library has hidden and draws its own for: nothing lies on it.
    if (!pressed && (dom.tag(el) === 'select' || kind === 'slider') && (S.inside(el, hit) || keysOnly(el))) return true;
    const around = shell(el, !pressed && kind === 'textbox' && keysOnly(el));
    return around !== el && S.inside(hit, around) && plain(hit, el);
  };
  const called = (el) => {
    if (!el) return null;
    const role = S.roleOf(el) || dom.tag(el);
    const name = S.name(el).slice(0, 120);
    return name ? `${role} “${name}”` : role;
  };
  const points = (el) => {
    const out = [];
    for (const r of S.rects(el).slice(0, 8)) {
      const left = Math.max(r.left, 0), top = Math.max(r.top, 0);
      const right = Math.min(r.right, innerWidth), bottom = Math.min(r.bottom, innerHeight);
      if (right - left < 0.5 || bottom - top < 0.5) continue;
      for (const [fx, fy] of [[.5, .5], [.25, .5], [.75, .5], [.5, .25], [.5, .75], [.1, .1], [.9, .9]])
        out.push([left + (right - left) * fx, top + (bottom - top) * fy]);
    }
    return out;
  };
  // Where none of these is free: a ring, a bow, or what only a strip of is to be seen.
  const FINE = 12;
  const finePoints = (el) => {
    const r = S.rect(el), out = [];
    const left = Math.max(r.left, 0), top = Math.max(r.top, 0);
    const right = Math.min(r.right, innerWidth), bottom = Math.min(r.bottom, innerHeight);
    if (right - left < 0.5 || bottom - top < 0.5) return out;
    for (let down = 0; down < FINE; down++) for (let across = 0; across < FINE; across++)
      out.push([left + (right - left) * (across + .5) / FINE, top + (bottom - top) * (down + .5) / FINE]);
    return out;
  };
  const disabled = (el) => dom.matches(el, ':disabled') || dom.attr(el, 'aria-disabled') === 'true' || S.inert(el);

  const state = (ref) => {
    const known = S.refs.get(ref), el = known?.node.deref();
    if (!known) return {status: 'unknown'};
    if (!el || !dom.connected(el) || el.ownerDocument !== document) return {status: 'gone'};
    if (known.role === 'area') return {status: 'ok', el, role: 'area', label: ''};
    const role = S.roleOf(el) || 'clickable';
    const label = S.label(el, known.role, S.name(el));
    if (known.renamed || label !== known.label || (known.role !== 'clickable' && role !== known.role)) return {status: 'changed'};
    return {status: 'ok', el, role: known.role, label};
  };
  const covering = (el, drawnAs, {pressed = true, fine = false} = {}) => {
    let top = null;
    for (const [x, y] of fine ? finePoints(drawnAs) : points(drawnAs)) {
      const hit = deepest(x, y);
      if (reaches(hit, el, drawnAs, pressed)) return {point: [x, y], covered: null};
      top ??= hit;
    }
    return {point: null, covered: top};
  };
  const free = (el, drawnAs, pressed = true) => {
    const found = covering(el, drawnAs, {pressed});
    if (found.point) return found;
    const {point} = covering(el, drawnAs, {pressed, fine: true});
    return point ? {point, covered: null} : found;
  };
  // What it reads on the page, and where a press leads by itself: a name can say something else than both.
  const NO_WORDS = /^(input|select|textarea)$/;
  const leads = (el) => {
    const link = dom.closest(el, 'a[href], area[href]');
    const submits = /^(button|input)$/.test(dom.tag(el)) && /^(submit|image)$/.test(el.type) && el.form;
    const given = link ? dom.attr(link, 'href')
      : submits ? dom.attr(el, 'formaction') ?? dom.attr(el.form, 'action') ?? '' : null;
    if (given === null) return '';
    try { return new URL(given, document.baseURI).href.slice(0, 2000); } catch { return ''; }
  };
  // What tells an element from its likes: the row that it stands in, or whatever stands beside one that holds such a one.
  const ROWS = 'tr, li, dd, article, [role=row], [role=listitem], [role=option], [role=treeitem], [role=article]';
  const ROW_SHOWN = 300, ROW_MOST = 100000, LIKES_MOST = 50;
  const says = (el) => `${dom.attr(el, 'aria-label') ?? ''} ${S.squeeze(dom.textOf(el).slice(0, 200))}`;
  const holdsLike = (sibling, el, words) => {
    if (!sibling) return false;
    if (dom.tag(sibling) === dom.tag(el) && says(sibling) === words) return true;
    const found = dom.all(sibling, dom.tag(el));
    for (let i = 0; i < found.length && i < LIKES_MOST; i++) if (says(found[i]) === words) return true;
    return false;
  };
  const rowOf = (el) => {
    const words = says(el);
    for (let at = el; at instanceof Element && at !== dom.body(document); at = S.parentOf(at)) {
      if (at !== el && dom.matches(at, ROWS)) return at;
      if (holdsLike(dom.before(at), el, words) || holdsLike(dom.after(at), el, words)) return at;
    }
    return null;
  };
  const row = (el) => {
    const at = rowOf(el);
    if (!at || at === el) return '';
    const all = S.squeeze((dom.textOf(at) + (dom.shadow(at) ? dom.textOf(dom.shadow(at)) : '')).slice(0, ROW_MOST));
    if (all.length <= ROW_SHOWN) return all;
    let mark = 0;
    for (let i = 0; i < all.length; i++) mark = (Math.imul(mark, 31) + all.charCodeAt(i)) | 0;
    return `${all.slice(0, ROW_SHOWN)}… (${all.length} letters, ${mark})`;
  };
  const more = (el) => ({
    row: S.clean(row(el)),
    reads: el instanceof HTMLElement && !NO_WORDS.test(dom.tag(el)) ? S.clean(S.squeeze(el.innerText ?? '').slice(0, 200)) : '',
    leads_to: S.clean(leads(el))});
  const boxOf = (el) => { const r = S.rect(el); return [r.x, r.y, r.width, r.height]; };

  // The control that an element is or belongs to, by a ref of its own; anything else is an area of the page.
  const named = (hit) => {
    for (let el = hit; el instanceof Element; el = S.parentOf(el)) {
      const role = S.roleOf(el);
      if (S.ACTS[role]) return S.issue(el, role, S.label(el, role, S.name(el))).ref;
      if (dom.tag(el) === 'label' && el.control) return named(el.control);
    }
    return S.issue(hit, 'area', '').ref;
  };
  const reported = (el) => {
    const ref = named(el), {role, label, node} = S.refs.get(ref);
    const drawnAs = face(node.deref());
    return JSON.stringify({status: 'ok', ref, role, label, box: boxOf(drawnAs), disabled: disabled(node.deref()),
      ...(role === 'area' ? {reads: '', leads_to: '', row: ''} : more(node.deref())), next: S.issued()});
  };
  S.at = (x, y) => {
    const hit = deepest(x, y);
    if (!hit) return JSON.stringify({status: 'none', next: S.issued()});
    if (/^i?frame$/.test(dom.tag(hit))) {
      const place = S.place(hit);
      return JSON.stringify({status: 'frame', key: S.frame(hit), next: S.issued(),
        point: place ? [(x - place.x) / place.scaleX, (y - place.y) / place.scaleY] : [x, y]});
    }
    return reported(hit);
  };
  S.focusAt = () => {
    let el = dom.active(document);
    for (let root; el && (root = dom.shadow(el)) && root.activeElement;) el = root.activeElement;
    if (!el || el === dom.body(document) || el === dom.root(document)) return JSON.stringify({status: 'none', next: S.issued()});
    if (/^i?frame$/.test(dom.tag(el))) return JSON.stringify({status: 'frame', key: S.frame(el), next: S.issued()});
    return reported(el);
  };

  // Read-only: nothing scrolls, nothing is armed.
  S.look = (ref) => {
    const now = state(ref);
    if (now.status !== 'ok') return JSON.stringify({status: now.status});
    const drawnAs = face(now.el), visible = shown(drawnAs) && sized(S.rect(drawnAs));
    const {covered} = visible ? free(now.el, drawnAs) : {covered: null};
    return JSON.stringify({status: 'ok', role: now.role, label: now.label, box: boxOf(drawnAs), visible,
      disabled: disabled(now.el), ...more(now.el), covered_by: covered ? S.clean(called(covered) ?? '') : null});
  };
  // pressed: false for what is only to be set or typed into. again: it was scrolled to already, and is looked at once more.
  S.aim = (ref, arm, pressed = true, again = false) => {
    const now = state(ref);
    if (now.status !== 'ok') return JSON.stringify({status: now.status});
    const {el} = now, drawnAs = face(el);
    const facts = {status: 'ok', role: now.role, label: now.label, disabled: disabled(el)};
    if (!shown(drawnAs) || !sized(S.rect(drawnAs))) return JSON.stringify({...facts, visible: false});
    let found = covering(el, drawnAs, {pressed});
    for (const block of again ? [] : ['nearest', 'center', 'start', 'end']) {
      if (found.point) break;
      dom.scrollTo(S.scrolledBy(drawnAs), {block, inline: 'nearest', behavior: 'instant'});
      found = covering(el, drawnAs, {pressed});
    }
    if (!found.point) found = free(el, drawnAs, pressed);
    if (found.point && arm) S.arm(el, drawnAs, ref);
    return JSON.stringify({...facts, visible: true, box: boxOf(drawnAs), point: found.point,
      covered_by: found.covered ? S.clean(called(found.covered) ?? '') : null});
  };
  // Its own words, seen or not, without those of controls inside of it: what stays as it is while the pointer shows more.
  const words = (el) => {
    let out = dom.attr(el, 'aria-label') ?? '';
    const add = (node) => {
      for (let child = dom.first(node); child && out.length < 2000; child = dom.next(child)) {
        if (child.nodeType === 3) out += child.data;
        else if (child instanceof Element && S.ACTS[S.roleOf(child)] === undefined) add(child);
      }
    };
    add(el);
    return S.squeeze(out);
  };
  // Once the pointer is there: what it is over may have moved away, or become something else, by that alone. A name that
  // is merely gone is a tool tip's that shows itself, and one that has grown by what the pointer shows beside the same words
  // (a row's own buttons, a hint) is the same; another name means another thing.
  const grown = (el, ref) => {
    const known = S.refs.get(ref), role = S.roleOf(el) || 'clickable';
    if (guard.ref !== ref || guard.words === '' || known.renamed || (known.role !== 'clickable' && role !== known.role)) return false;
    return S.label(el, known.role, S.name(el)).includes(known.label) && words(el) === guard.words;
  };
  const meant = (ref) => {
    const now = state(ref), el = now.el ?? (now.status === 'changed' ? S.nodeOf(ref) : null);
    return el && (now.status === 'ok' || S.name(el) === '' || grown(el, ref)) ? el : null;
  };
  S.still = (ref, x, y) => {
    const el = meant(ref);
    return JSON.stringify({free: el !== null && reaches(deepest(x, y), el, face(el))});
  };
  S.stillThrough = (key, x, y) => JSON.stringify({free: deepest(x, y) === S.frames.get(key)?.deref()});
  S.reveal = (ref) => {
    const now = state(ref);
    if (now.status !== 'ok') return JSON.stringify({status: now.status});
    dom.scrollTo(S.scrolledBy(face(now.el)), {block: 'center', inline: 'center', behavior: 'instant'});
    return JSON.stringify({status: 'ok', box: boxOf(face(now.el))});
  };

  // A parent document's part in the aim: where its frame stands, and whether that point of it is free.
  S.through = (key, x, y, arm) => {
    const el = S.frames.get(key)?.deref();
    if (!el || !dom.connected(el)) return JSON.stringify({status: 'gone'});
    const at = S.place(el);
    if (!at) return JSON.stringify({status: 'gone'});
    const px = at.x + x * at.scaleX, py = at.y + y * at.scaleY;
    const hit = deepest(px, py);
    if (arm) S.arm(null, null);
    return JSON.stringify({status: 'ok', point: [px, py], scale: [at.scaleX, at.scaleY],
      inside: px >= 0 && py >= 0 && px < innerWidth && py < innerHeight,
      covered_by: hit === el ? null : S.clean(called(hit) ?? 'something'), visible: shown(el)});
  };
  S.place = (el) => {
    const r = dom.rect(el), style = getComputedStyle(el);
    const w = dom.width(el), h = dom.height(el);
    if (!w || !h) return null;
    const scaleX = r.width / w, scaleY = r.height / h;
    return {scaleX, scaleY, x: r.x + (dom.clientLeft(el) + parseFloat(style.paddingLeft)) * scaleX,
      y: r.y + (dom.clientTop(el) + parseFloat(style.paddingTop)) * scaleY};
  };
  S.revealFrame = (key, x, y) => {  // so that this point of its document is in view
    const el = S.frames.get(key)?.deref();
    if (!el || !dom.connected(el)) return JSON.stringify({point: [x, y]});
    const standing = () => { const at = S.place(el); return at ? [at.x + x * at.scaleX, at.y + y * at.scaleY] : [0, 0]; };
    const inView = ([px, py]) => px >= 0 && py >= 0 && px < innerWidth && py < innerHeight;
    if (!inView(standing())) dom.scrollTo(el, {block: 'nearest', inline: 'nearest', behavior: 'instant'});
    const [px, py] = standing();
    if (!inView([px, py])) scrollBy({left: px - innerWidth / 2, top: py - innerHeight / 2, behavior: 'instant'});
    return JSON.stringify({point: standing()});
  };

  // Settles once what is there now has been drawn, or soon after where nothing is drawn.
  S.drawn = () => new Promise((done) => {
    setTimeout(() => done('{}'), 200);
    requestAnimationFrame(() => requestAnimationFrame(() => done('{}')));
  });

  // The guard stands on the window, in the capture phase: a press that would reach anything but the
  // meant element is swallowed before the page can see it. armed with null, it swallows every press.
  const place = globalThis[Symbol.for('signalbox.guard')];
  const guard = {on: false, target: null, face: null, ref: '', words: '', seen: false, blocked: false};
  const watch = (event) => {
    if (!guard.on || !event.isTrusted || performance.now() > guard.until) return;
    const path = event.composedPath();
    const hit = path[0] instanceof Node ? path[0] : null;
    if (!guard.blocked && !guard.seen) {
      if (guard.target && hit && reaches(hit instanceof Element ? hit : dom.parent(hit), guard.target, guard.face)
        && meant(guard.ref) !== null) guard.seen = true;
      else guard.blocked = true;
    }
    if (guard.blocked) { event.stopImmediatePropagation(); event.preventDefault(); }
  };
  S.arm = (el, drawnAs, ref = '') => {
    place.watch = watch;
    place.stand();
    // Should nobody be able to take it down (the page hangs), it must not stand in the way for ever.
    Object.assign(guard, {until: performance.now() + 15000, on: true, target: el, face: drawnAs, ref,
      words: el ? words(el) : '', seen: false, blocked: false});
  };
  S.disarm = () => {
    const {seen, blocked} = guard;
    Object.assign(guard, {on: false, target: null, face: null});
    return JSON.stringify({seen, blocked});
  };
  S.state = state;
  S.shell = shell;
  S.keysOnly = keysOnly;
  S.face = face;
  S.called = called;
  S.deepest = deepest;
})();
