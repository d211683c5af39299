// One walk over a document: visible text in reading order, and the controls a person could use.
(() => {
  const S = globalThis.signalbox;
  if (S.walk) return;
  const {dom, ACTS} = S;
  const SKIP = new Set(['script', 'style', 'noscript', 'template', 'head', 'title', 'meta', 'link', 'datalist', 'param',
    'source', 'track', 'option', 'optgroup', 'desc', 'metadata', 'defs']);
  const BLOCK = new Set(['address', 'article', 'aside', 'blockquote', 'body', 'center', 'dd', 'details', 'dialog', 'dir',
    'div', 'dl', 'dt', 'fieldset', 'figcaption', 'figure', 'footer', 'form', 'frameset', 'h1', 'h2', 'h3', 'h4', 'h5',
    'h6', 'header', 'hgroup', 'hr', 'html', 'legend', 'li', 'main', 'menu', 'nav', 'ol', 'p', 'pre', 'search', 'section',
    'summary', 'table', 'tbody', 'tfoot', 'thead', 'tr', 'ul', 'caption']);
  const INLINE = new Set(['b', 'i', 'em', 'strong', 'small', 'sub', 'sup', 'code', 'kbd', 'samp', 'var', 'u', 's', 'q', 'cite',
    'mark', 'abbr', 'time', 'bdi', 'bdo', 'wbr', 'font', 'tt', 'data', 'dfn', 'ins', 'del']);
  const OPAQUE = new Set(['canvas', 'object', 'embed', 'video', 'audio', 'applet', 'portal', 'fencedframe']);
  const SECRET = /passw|passcode|card.?(num|no\b|holder|code)|cardnum|\bccn?\b|cc-|cvc|cvv|csc\b|security.?code|iban|\bpin\b|one.?time|\botp\b|\bssn\b|secret|api.?key|token/i;
  const SECRET_FILL = /^(cc-|one-time-code|current-password|new-password)/;

  const secret = (el) => {
    if (el instanceof HTMLInputElement && (el.type === 'password' || el.type === 'file')) return true;
    if ((dom.attr(el, 'autocomplete') ?? '').split(/\s+/).some((word) => SECRET_FILL.test(word))) return true;
    if (getComputedStyle(el).webkitTextSecurity !== 'none') return true;
    return SECRET.test([dom.attr(el, 'name'), dom.attr(el, 'id'), dom.attr(el, 'aria-label'), dom.attr(el, 'placeholder')]
      .filter(Boolean).join(' ')) || S.labels(el).some((l) => SECRET.test(dom.textOf(l).slice(0, 200)));
  };
  const valueOf = (el, role) => {
    if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) return el.value;
    if (el instanceof HTMLSelectElement) return el.multiple ? undefined : el.value;
    if (ACTS[role] === 'slider' || role === 'spinbutton') return dom.attr(el, 'aria-valuetext') ?? dom.attr(el, 'aria-valuenow') ?? undefined;
    if (ACTS[role] === 'textbox') return el instanceof HTMLElement ? el.innerText : dom.textOf(el);
    return undefined;
  };
  const checkedOf = (el) => {
    if (el instanceof HTMLInputElement) return el.checked;
    return dom.attr(el, 'aria-checked') === 'true' || dom.attr(el, 'aria-pressed') === 'true';
  };
  const optionsOf = (el, role, out) => {
    const native = el instanceof HTMLSelectElement;
    const all = native ? [...el.options] : [...dom.all(el, '[role=option]')];
    if (all.length > 200) out.omit.add('target_limit');
    return all.slice(0, 200).map((o) => {
      const name = S.clean(native ? S.squeeze(o.label || o.text) : S.name(o)).slice(0, 600) || '(blank)';
      const option = {label: name, value: S.clean(native ? o.value : dom.attr(o, 'data-value') ?? name).slice(0, 2000)};
      if (ACTS[role] === 'listbox') option.selected = native ? o.selected : dom.attr(o, 'aria-selected') === 'true';
      return option;
    });
  };
  const disabled = (el) => dom.matches(el, ':disabled') || dom.attr(el, 'aria-disabled') === 'true'
    || dom.closest(el, '[inert]') !== null;

  // The label stands for a control that is there but not drawn (a styled box).
  const standIn = (el) => {
    for (const label of S.labels(el)) if (dom.seen(label, {visibilityProperty: true}) && sized(label)) return label;
    return null;
  };
  const sized = (el) => { const r = dom.rect(el); return r.width >= 1 && r.height >= 1; };
  const drawn = (el) => dom.seen(el, {visibilityProperty: true}) && sized(el);

  const report = (el, role, out) => {
    const kind = ACTS[role];
    if (!kind || disabled(el)) return;
    if (out.elements.length >= out.maxElements) { out.omit.add('target_limit'); return; }
    const name = S.name(el), label = S.label(el, role, name);
    const item = {ref: S.issue(el, role, label), role: kind, label, true_role: role};
    const r = dom.rect(drawn(el) ? el : standIn(el) ?? el);
    item.box = [r.x, r.y, r.width, r.height];
    if (kind === 'checkbox' || kind === 'radio') item.checked = checkedOf(el);
    else if (kind !== 'button') {
      if (secret(el)) { if (el.value !== '') out.omit.add('private'); }
      else {
        const value = valueOf(el, role);
        if (typeof value === 'string') item.value = S.clean(value.slice(0, 2000));
        if (kind === 'listbox' || kind === 'combobox') {
          const options = optionsOf(el, role, out);
          if (options.length) item.options = options;
        }
      }
    }
    out.elements.push(item);
  };
  const clickable = (el, tag, style) => {
    if (S.listeners?.has(el) && tag !== 'body' && tag !== 'html') return true;
    if (dom.has(el, 'onclick')) return true;
    const tab = dom.attr(el, 'tabindex');
    if (tab !== null && Number(tab) >= 0 && tag !== 'body' && !S.isHost(el)) return true;
    if (style?.cursor !== 'pointer') return false;
    const parent = S.parentOf(el);
    return !(parent instanceof Element) || getComputedStyle(parent).cursor !== 'pointer';
  };
  const enter = (el, tag, out) => {  // the control itself, if it is one
    const role = S.roleOf(el, tag);
    if (ACTS[role]) {
      if (role === 'option') return role;
      if (drawn(el) || standIn(el)) report(el, role, out);
      else if (role === 'link' && dom.seen(el, {visibilityProperty: true}) && dom.first(el)) report(el, role, out);
      return role;
    }
    if (INLINE.has(tag) && !S.listeners) return role;
    const style = BLOCK.has(tag) && !out.cursors ? null : getComputedStyle(el);
    out.style = style;
    if (el instanceof HTMLElement || el instanceof SVGElement) if (tag !== 'label' && clickable(el, tag, style) && drawn(el)
      && !dom.closest(el, 'a[href], button, label, [role=button], [role=link], select')) report(el, 'clickable', out);
    return role;
  };
  const address = (el) => {
    try {
      const url = new URL(el.href, document.baseURI);
      if (!/^https?:$/.test(url.protocol)) return url.protocol === 'mailto:' ? 'mailto:' + url.pathname.slice(0, 100) : url.protocol;
      url.username = ''; url.password = '';
      const here = url.origin === location.origin ? url.pathname + url.search + url.hash : url.href;
      return here.length > 200 ? here.slice(0, 200) + '…' : here;
    } catch { return ''; }
  };

  S.walk = (options) => S.indexed(() => walk(options));
  const walk = (options) => {
    const out = {elements: [], omit: new Set(), maxElements: options.elements, cursors: true, style: null};
    const wantText = options.text > 0, deadline = performance.now() + options.millis;
    const segments = [], frames = [];
    let text = '', size = 0, nodes = 0, gap = '', fresh = true;
    const say = (words) => {
      if (!wantText || size >= options.text) { if (wantText) out.omit.add('text_limit'); return; }
      if (size + words.length > options.text) { out.omit.add('text_limit'); words = words.slice(0, options.text - size); }
      text += (fresh ? '' : gap) + words; size += words.length + 1; gap = ''; fresh = false;
    };
    const line = () => { if (!fresh) gap = gap.startsWith('\n') ? gap : '\n'; };
    const space = () => { if (!fresh && !gap) gap = ' '; };
    const words = (node, pre) => {
      const data = node.data.length > 200000 ? node.data.slice(0, 200000) : node.data;
      if (pre) { const kept = data.replace(/[ \t]+$/gm, ''); if (kept.trim()) say(kept.replace(/\n$/, '')); if (/\n\s*$/.test(data)) line(); return; }
      const core = data.replace(/\s+/g, ' ');
      if (core === ' ' || core === '') { if (core) space(); return; }
      if (core[0] === ' ') space();
      say(core.trim());
      if (core.at(-1) === ' ') space();
    };
    // Frames on the stack: [node, exit]; iterative, so that depth costs nothing.
    let start = dom.body(document) ?? dom.root(document), only = null;
    if (options.scope) {
      start = S.scopes.get(options.scope)?.deref();
      const refused = !start || !dom.connected(start) || start.ownerDocument !== document ? 'gone'
        : !dom.seen(start, {visibilityProperty: true}) ? 'hidden' : null;
      if (refused) return JSON.stringify({refused, next: S.issued()});
      only = S.section(start);
    }
    const found = options.scopes && start ? S.sections(options.scope ? start : null) : undefined;
    if (options.scopes && !options.scope && !options.elements) start = null;
    const stack = (only ?? (start ? [start] : [])).toReversed()
      .map((node) => ({node, pre: false, shown: true, depth: 0, only: true}));
    while (stack.length) {
      const step = stack.pop();
      if (step.exit) { step.exit(); continue; }
      const {node, depth} = step;
      if (++nodes > options.nodes || ((nodes & 255) === 0 && performance.now() > deadline)) { out.omit.add('work_limit'); break; }
      if (!step.only) { const sibling = step.list ? step.list[step.index + 1] : step.top ? null : dom.next(node);
        if (sibling && node !== start) stack.push({...step, node: sibling, index: (step.index ?? 0) + 1}); }
      if (node instanceof Text) { if (step.shown) words(node, step.pre); continue; }
      if (!(node instanceof Element)) continue;
      const tag = dom.tag(node);
      if (SKIP.has(tag)) continue;
      if (!dom.seen(node)) {  // not drawn: only a control that a visible label stands for is kept
        const style = getComputedStyle(node);
        if (tag === 'input' && standIn(node)) report(node, S.roleOf(node, tag), out);
        if (style.display !== 'contents') continue;
      }
      if (wantText && size >= options.text && out.elements.length >= out.maxElements) { out.omit.add('text_limit'); out.omit.add('target_limit'); break; }
      const shown = dom.seen(node, {visibilityProperty: true}) || getComputedStyle(node).display === 'contents';
      out.style = null;
      const role = enter(node, tag, out);
      if (tag === 'iframe' || tag === 'frame') {
        if (frames.length >= options.frames) { out.omit.add('frame_limit'); continue; }
        if (!drawn(node)) continue;
        line(); segments.push(text); text = ''; fresh = true; gap = '';
        frames.push({key: S.frame(node), at: out.elements.length});
        continue;
      }
      if (tag === 'br') { line(); continue; }
      if (tag === 'img') { const alt = S.squeeze(dom.attr(node, 'alt') ?? ''); if (alt && shown) { space(); say('[image: ' + alt + ']'); space(); } continue; }
      if (OPAQUE.has(tag)) { if (drawn(node)) out.omit.add('unsupported_control'); continue; }
      if (tag === 'input' || tag === 'select') {
        if (tag === 'input' && /^(submit|button|reset)$/.test(node.type) && shown) { space(); say(S.name(node)); }
        space(); continue;
      }
      if (tag === 'textarea' || role === 'textbox') { space(); continue; }
      if (options.depth && depth >= options.depth) { if (dom.first(node)) out.omit.add('report_limit'); }
      const display = BLOCK.has(tag) ? 'block' : INLINE.has(tag) ? 'inline' : (out.style ?? getComputedStyle(node)).display;
      const block = !/^inline(?!-)|^contents$|^ruby/.test(display);
      const heading = /^h[1-6]$/.test(tag) && shown;
      if (block) { if (display === 'table-cell' || display.startsWith('inline-')) space(); else line(); }
      if (heading && options.marks) { line(); say('#'.repeat(Number(tag[1])) + ' '); gap = ''; }
      if (tag === 'li' && shown && options.marks) { line(); say('- '); gap = ''; }
      const before = size;
      stack.push({exit: () => {
        if (tag === 'a' && shown && wantText && size > before && dom.has(node, 'href') && options.marks) {
          const where = address(node);
          if (where) { const after = gap; gap = ''; say(' (' + where + ')'); gap = after; }
        }
        if (block) { if (display === 'table-cell' || display.startsWith('inline-')) space(); else line(); }
      }});
      const root = dom.shadow(node);
      if (!root && tag.includes('-') && !dom.first(node) && drawn(node)) out.omit.add('unsupported_root');
      const pre = step.pre || tag === 'pre';
      const deeper = {pre, shown, depth: depth + 1};
      if (options.depth && depth >= options.depth) continue;
      if (tag === 'slot') {
        const list = node.assignedNodes();
        if (list.length) { stack.push({...deeper, node: list[0], list, index: 0}); continue; }
      }
      if (tag === 'details' && !node.open) {
        const summary = [...node.children].find((c) => c.localName === 'summary');
        if (summary) stack.push({...deeper, node: summary, only: true});
        continue;
      }
      const child = dom.first(root ?? node);
      if (child) stack.push({...deeper, node: child});
    }
    segments.push(text);
    return JSON.stringify({scopes: found, segments: segments.map(S.clean), frames, elements: out.elements, omit: [...out.omit],
      next: S.issued(), title: S.clean(document.title), origin: location.origin});
  };
})();
