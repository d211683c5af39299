// One walk over a document: visible text in reading order, and the controls a person could use.
(() => {
  const S = globalThis.signalbox;
  if (S.walk) return;
  const {dom, html, ACTS, MARKS} = S;
  const words = (list) => new Set(list.split(' '));
  const SKIP = words('script style noscript template head title meta link datalist param source track option optgroup desc metadata defs');
  const BLOCK = words('address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer '
    + 'form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody '
    + 'tfoot thead tr ul caption');
  const INLINE = words('b i em strong small sub sup code kbd samp var u s q cite mark abbr time bdi bdo wbr font tt data dfn ins del');
  const OPAQUE = words('canvas object embed video audio applet portal fencedframe');
  const SHADOWS = words('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span');
  const DRAWN = words('span label button a');
  const LEAVES = words('iframe frame br img input select textarea'), CONTROL = words('a button label select');
  // What a tag says by itself, put together once and then looked up for each element.
  const kinds = new Map(), others = new Map();
  const kindOf = (tag) => {
    const kind = {skip: SKIP.has(tag), opaque: OPAQUE.has(tag), leaf: LEAVES.has(tag), control: CONTROL.has(tag),
      drawn: tag !== 'dialog' && (BLOCK.has(tag) || INLINE.has(tag) || DRAWN.has(tag)),
      apart: BLOCK.has(tag) ? 'line' : tag === 'button' ? 'space' : '', host: tag.includes('-'), holds: tag.includes('-') || SHADOWS.has(tag), pre: tag === 'pre' || tag === 'listing',
      mark: tag === 'li' ? '- ' : /^h\d$/.test(tag) ? '#'.repeat(Number(tag[1])) + ' ' : '',
      // The role without any attribute; undefined where that depends on what stands around or inside.
      role: tag === 'summary' ? undefined : S.bareRole(tag)};
    if (kinds.size < 1000) kinds.set(tag, kind);
    return kind;
  };
  // Of no HTML element a tag says more than what is not read.
  const otherKindOf = (tag) => {
    const kind = {skip: SKIP.has(tag), opaque: false, leaf: false, control: false, drawn: false, apart: '', host: false, holds: false, pre: false, mark: '', role: undefined};
    if (others.size < 1000) others.set(tag, kind);
    return kind;
  };

  // Text is put together with the gaps that a reader sees: a space, a line, or nothing between two runs.
  class Text_ {
    constructor(limit, omit) { Object.assign(this, {limit, omit, text: '', size: 0, gap: '', fresh: true}); }
    get full() { return this.size >= this.limit; }
    say(run) {
      if (!this.limit) return;
      if (this.size + run.length > this.limit) {
        this.omit.add('text_limit');
        if (this.full) return;
        run = run.slice(0, this.limit - this.size);
      }
      this.text += this.fresh ? run : this.gap + run;
      this.size += run.length + 1; this.gap = ''; this.fresh = false;
    }
    line() { if (!this.fresh) this.gap = '\n'; }
    space() { if (!this.fresh && !this.gap) this.gap = ' '; }
    glue() { this.gap = ''; }
    take() { const {text} = this; this.text = ''; this.fresh = true; this.gap = ''; return text; }
    run(data, pre) {
      if (data.length > 200000) data = data.slice(0, 200000);
      if (pre) {
        const kept = data.replace(/[ \t]+$/gm, '');
        if (kept.trim()) this.say(kept.replace(/\n$/, ''));
        if (/\n\s*$/.test(data)) this.line();
        return;
      }
      // Most runs are plain words.
      if (S.plain(data)) { this.say(data); return; }
      const core = data.trim();
      if (!core) { if (data) this.space(); return; }
      if (data[0] !== core[0]) this.space();
      this.say(S.plain(core) ? core : core.replace(/\s+/g, ' '));
      if (data[data.length - 1] !== core[core.length - 1]) this.space();
    }
  }

  const address = (el) => {
    try {
      const given = dom.attr(el, 'href').trim();
      if (!S.based && /^(?:[#?]|\/(?![/\\]))/.test(given)) return given.length > 200 ? given.slice(0, 200) + '…' : given.replace(/\s+/g, ' ');
      const whole = el.href, own = location.origin + '/';
      if (typeof whole === 'string' && whole.startsWith(own) && own.length > 8) {
        const path = whole.slice(own.length - 1);
        return path.length > 200 ? path.slice(0, 200) + '…' : path;
      }
      const url = new URL(el instanceof HTMLElement ? el.href : given, document.baseURI);
      if (!/^https?:$/.test(url.protocol)) return url.protocol === 'mailto:' ? 'mailto:' + url.pathname.slice(0, 100) : url.protocol;
      url.username = ''; url.password = '';
      const here = url.origin === location.origin ? url.pathname + url.search + url.hash : url.href;
      return here.length > 200 ? here.slice(0, 200) + '…' : here;
    } catch { return ''; }
  };
  const ROWS = /flex|grid/;
  const gapOf = (display) => display === 'block' ? 'line' : display === 'inline' || display === 'contents' || display.startsWith('ruby') ? ''
    : display === 'table-cell' || display.startsWith('inline-') ? 'space' : 'line';
  const CONTROLS = 'a[href], button, label, [role=button], [role=link], select';
  // An option is told of with its list; one that stands in none, by itself.
  const inList = (el) => {
    for (let at = S.parentOf(el); at instanceof Element; at = S.parentOf(at)) if (/^(listbox|combobox)$/.test(S.roleOf(at))) return true;
    return false;
  };
  // Part of a control: but a calendar that a label stands around has days of its own.
  const partOf = (el) => {
    const around = dom.closest(el, CONTROLS);
    return around !== null && !(dom.tag(around) === 'label' && around !== el && dom.has(el, 'role') && dom.has(el, 'tabindex'));
  };
  // Elements that merely react to a click: told by a handler, a place in the tab order, or the pointer's shape.
  let listening = new WeakSet(), heard = false, only = [];
  S.heard = (nodes, more) => {
    if (!more) listening = new WeakSet();
    for (const node of nodes) if (node?.ownerDocument === document) { listening.add(node); heard = true; }
  };
  S.listens = (el) => listening.has(el);
  S.heardOnly = (nodes) => {  // these and no others; whether that is news
    const same = nodes.length === only.length && only.every((known) => nodes.includes(known.deref()));
    S.heard(nodes, false);
    only = nodes.map((node) => new WeakRef(node));
    S.candidates = [];
    return !same;
  };
  S.candidates = [];  // what the newest walk left to be asked after
  const HOLDS = 'a[href], button, input, select, textarea, [role=button], [role=link], [tabindex], [onclick]';
  const reacts = (el, tag, style, within) => {
    if (tag === 'label' || tag === 'body' || tag === 'html') return false;
    // One handler for a whole region is not a control; one for a thing without controls of its own is.
    if (listening.has(el) && dom.one(el, HOLDS) === null && dom.textOf(el).length <= 200) return true;
    if (dom.has(el, 'onclick')) return true;
    const tab = dom.attr(el, 'tabindex');
    if (tab !== null && Number(tab) >= 0 && !S.isHost(el)) return true;
    return style?.cursor === 'pointer' && !within;
  };

  const HOLDING = words('textbox combobox slider listbox');

  class Walk {
    constructor(options, rules) {
      this.options = options;
      this.places = rules.places;
      this.masks = rules.masks;
      this.inert = rules.inert;  // whether any part may be out of use
      this.veils = rules.veils;  // else what is in view and has a size can be seen
      this.omit = new Set();
      this.columns = S.columns(); this.count = 0; this.maxElements = options.elements;
      this.segments = []; this.frames = [];
      this.text = new Text_(options.text, this.omit);
      this.nodes = 0; this.deadline = performance.now() + options.millis;
      this.stack = [];
      this.ask = options.ask ?? 0; this.candidates = []; this.more = false;
    }
    // One entry of the stack is one element being read: its next child, and what comes after its last.
    run(starts) {
      const {stack, options, text} = this, wanted = options.text > 0;
      stack.push({next: starts[0] ?? null, list: starts, index: 0, pre: false, shown: true, pointer: false, depth: 0,
        apart: '', link: null, before: 0, sure: false, rows: false, shadowed: false, inert: this.inert && starts.length > 0 && S.inert(starts[0])});
      while (stack.length) {
        const step = stack[stack.length - 1], node = step.next;
        if (!node) { stack.pop(); this.leave(step.link, step.before, step.apart); continue; }
        step.next = step.list ? step.list[++step.index] ?? null : dom.next(node);
        if (++this.nodes > options.nodes || ((this.nodes & 255) === 0 && performance.now() > this.deadline)) {
          this.omit.add('work_limit');
          break;
        }
        const type = node.nodeType;  // of a form it may be a field of that name
        if (type === 3) { if (step.shown && wanted) text.run(node.data, step.pre); }
        else if ((type === 1 || type !== 8 && node instanceof Element) && !this.element(node, step)) break;
      }
      this.segments.push(text.take());
    }
    leave(link, before, apart) {
      const {text} = this;
      if (link && text.size > before) {
        const where = address(link), {gap} = text;
        if (where) { text.glue(); text.say(' (' + where + ')'); text.gap = gap; }
      }
      if (apart === 'line') text.line(); else if (apart) text.space();
    }
    done() {
      if (this.count < this.maxElements || (this.options.text && !this.text.full)) return false;
      if (this.options.text) this.omit.add('text_limit');
      this.omit.add('target_limit');
      return true;
    }
    element(node, step) {
      const tag = dom.tag(node), kind = html(node) ? kinds.get(tag) ?? kindOf(tag) : others.get(tag) ?? otherKindOf(tag);
      if (kind.skip) return true;
      // An element that no rule speaks of, nor an attribute, is drawn as its tag says, and where one of its kind is seen, so
      // are the others beside it.
      const bare = dom.bare(node), marks = bare ? 0 : S.marksOf(node);
      const plain = !(marks & MARKS.LOOKS) && kind.drawn && !step.shadowed && !this.places(tag);
      let role = bare && kind.role !== undefined ? kind.role : undefined, box = null;
      if (!kind.opaque && step.shown && !step.shadowed && !this.veils && this.count < this.maxElements) {
        // To ask where a control stands tells whether it is drawn as well.
        role ??= S.roleOf(node, tag, marks);
        if (ACTS[role] !== undefined && role !== 'option') box = dom.rect(node);
      }
      const sized = box !== null && box.width >= 1 && box.height >= 1;
      let shown = sized || (plain && step.shown ? step.sure || dom.drawn(node) : dom.visible(node));
      if (!shown && !dom.drawn(node)) {
        // Not drawn: only a control that a visible label stands for is kept, and an area of a picture.
        if (tag === 'input' && S.standIn(node)) S.control(node, tag, S.roleOf(node, tag), this, null);
        else if (tag === 'area' && step.shown) this.control(node, tag, S.roleOf(node, tag), S.shown(node), null, false);
        if (getComputedStyle(node).display !== 'contents') return true;
        shown = true;
      } else if (plain && step.shown) step.sure = true;
      if (this.count >= this.maxElements && this.done()) return false;
      role ??= S.roleOf(node, tag, marks);
      // Nor need it be asked how a field is drawn, or which pointer stands over what is a control anyway.
      const part = ACTS[role], acts = part !== undefined;
      const style = (plain || kind.leaf && acts) && !(heard && listening.has(node)) ? null : getComputedStyle(node);
      const pointer = style && !(kind.control && (acts || tag === 'label')) ? style.cursor === 'pointer' : step.pointer;
      const before = this.count;
      if (sized) S.control(node, tag, role, this, box, marks);
      else if (acts || style || marks & MARKS.REACTS) this.control(node, tag, role, shown, style, step.pointer);
      const inert = (this.inert || step.shadowed) && this.outOfUse(node, tag, step.inert);
      if (inert) shown = false;
      if (this.ask && !acts && shown && (this.count === before || listening.has(node))) this.candidate(node, tag);
      if ((kind.leaf || kind.opaque || role === 'textbox') && this.leaf(node, tag, role, shown)) return true;
      if (acts && part !== 'button' && this.keeps(node, part)) return true;
      if (shown && (this.masks || step.shadowed) && S.masked(node)) { this.omit.add('private'); shown = false; }
      this.inner(node, tag, kind, step, shown, style, pointer, inert);
      return true;
    }
    outOfUse(node, tag, around) {
      // A modal dialog is in use whatever it stands in.
      return dom.has(node, 'inert') || around && !(tag === 'dialog' && dom.matches(node, ':modal'));
    }
    // A field that is made of ordinary elements shows what it holds as text.
    keeps(node, part) {
      if (!HOLDING.has(part) || dom.one(node, HOLDS) !== null || !S.secret(node)) return false;
      this.omit.add('private');
      return true;
    }
    control(node, tag, role, shown, style, within) {
      if (this.count >= this.maxElements) {
        if (ACTS[role] && shown) this.omit.add('target_limit');
        return;
      }
      if (ACTS[role]) {
        if (role === 'option' && inList(node)) return;
        const box = shown ? S.rect(node) : null;
        if (box && box.width >= 1 && box.height >= 1) S.control(node, tag, role, this, box);
        else if (S.standIn(node)) S.control(node, tag, role, this, null);
        else if (shown && role === 'link' && dom.first(node)) S.control(node, tag, role, this, box);
      } else if (shown && reacts(node, tag, style, within) && !partOf(node)) {
        const box = dom.rect(node);
        if (box.width >= 1 && box.height >= 1) S.control(node, tag, 'clickable', this, box);
      }
    }
    // What would be a control if it listened. The first of the tests is the one that tells most and costs least.
    candidate(node, tag) {
      if (this.more || tag === 'label' || tag === 'body' || tag === 'html') return;
      if (dom.one(node, HOLDS) !== null || partOf(node) || dom.textOf(node).length > 200) return;
      if (this.candidates.length >= this.ask) this.more = true; else this.candidates.push(node);
    }
    // What has no readable inside: true when there is nothing to descend into.
    leaf(node, tag, role, shown) {
      const {text} = this;
      switch (tag) {
        case 'iframe': case 'frame': this.frame(node, shown); return true;
        case 'br': text.line(); return true;
        case 'img': {
          const alt = S.squeeze(dom.attr(node, 'alt') ?? '');
          if (alt && shown) { text.space(); text.say('[image: ' + alt + ']'); text.space(); }
          return true;
        }
        case 'input':
          if (/^(submit|button|reset)$/.test(node.type) && shown) { text.space(); text.say(S.name(node)); }
          text.space();
          return true;
        case 'select': case 'textarea': text.space(); return true;
      }
      if (OPAQUE.has(tag)) { if (shown && dom.rect(node).width >= 1) this.omit.add('unsupported_control'); return true; }
      if (role === 'textbox') { text.space(); return true; }
      return false;
    }
    frame(node, shown) {
      if (this.frames.length >= this.options.frames) { this.omit.add('frame_limit'); return; }
      const box = dom.rect(node);
      if (!shown || box.width < 1 || box.height < 1) return;
      this.segments.push(this.text.take());
      this.frames.push({key: S.frame(node), at: this.count});
    }
    inner(node, tag, kind, step, shown, style, pointer, inert) {
      const {text, options} = this, depth = step.depth + 1;
      const display = style ? style.display : '';
      // What stands in a row or a grid of boxes is a box of its own, whatever its tag.
      const apart = style ? gapOf(display) : step.rows ? 'line' : kind.apart, rows = ROWS.test(display);
      if (apart === 'line') text.line(); else if (apart) text.space();
      if (kind.mark && shown && options.marks) { text.line(); text.say(kind.mark); text.glue(); }
      const link = tag === 'a' && shown && options.text && options.marks && dom.has(node, 'href') ? node : null;
      const root = kind.holds ? dom.shadow(node) : null;
      if (kind.host && !root && !dom.first(node) && shown && dom.rect(node).width >= 1) this.omit.add('unsupported_root');
      const pre = step.pre || kind.pre, before = text.size;
      let next = null, list = null;
      if (options.depth && depth > options.depth) {
        if (dom.first(node)) this.omit.add('report_limit');
      } else if (style && this.veils && style.contentVisibility === 'hidden') {
        next = null;  // nothing inside of it is drawn, though it is itself
      } else if (tag === 'slot' && S.slotted(node, tag)) {
        list = S.slotted(node, tag);
        next = list[0];
      } else if (tag === 'details' && node.open === false) {
        list = [...node.children].filter((child) => child.localName === 'summary').slice(0, 1);
        next = list[0] ?? null;
      } else {
        // Most elements that hold text hold nothing else, and to meet each run of it as a node is dear.
        const only = root === null && !pre && dom.kid(node) === null ? dom.textOf(node) : null;
        if (only === null) next = dom.first(root ?? node);
        else if (only) {
          this.nodes++;
          if (shown && options.text) text.run(only, false);
        }
      }
      if (next === null) this.leave(link, before, apart);
      else this.stack.push({next, list, index: 0, pre, shown, pointer, depth, apart, link, before, sure: false, rows,
        shadowed: step.shadowed || root !== null, inert});
    }
  }

  S.walk = (options) => S.indexed((rules) => {
    let start = dom.root(document), starts = start ? [start] : [];  // some pages put things beside the body
    if (options.scope) {
      start = S.scopes.get(options.scope)?.deref();
      const refused = !start || !dom.connected(start) || start.ownerDocument !== document ? 'gone'
        : !dom.visible(start) ? 'hidden' : null;
      if (refused) return JSON.stringify({refused, next: S.issued()});
      starts = S.section(start);
      S.groupsUnmet();  // what stands around it is not met
    }
    const scopes = options.scopes && start ? S.sections(options.scope ? start : null) : undefined;
    if (options.scopes && !options.scope && !options.elements) starts = [];
    const walk = new Walk(options, rules);
    if (!/html|xml|^text\/|json/.test(document.contentType)) walk.omit.add('unsupported_root');
    walk.run(starts);
    if (walk.ask) S.candidates = walk.candidates;
    const {runs, places, held, boxes, labels} = walk.columns;
    return [JSON.stringify({scopes, segments: walk.segments.map(S.clean), frames: walk.frames, kinds: ACTS, runs, places, held,
      more: walk.more, omit: [...walk.omit], next: S.issued(), title: S.clean(dom.title(document)), origin: location.origin}),
    JSON.stringify(boxes), ...labels].join('\n');
  });
})();
