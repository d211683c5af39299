// One walk over a document: visible text in reading order, and the controls a person could use.
(() => {
  const S = globalThis.signalbox;
  if (S.walk) return;
  const {dom, ACTS} = S;
  const words = (list) => new Set(list.split(' '));
  const SKIP = words('script style noscript template head title meta link datalist param source track option optgroup desc metadata defs');
  const BLOCK = words('address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer '
    + 'form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody '
    + 'tfoot thead tr ul caption');
  const INLINE = words('b i em strong small sub sup code kbd samp var u s q cite mark abbr time bdi bdo wbr font tt data dfn ins del');
  const OPAQUE = words('canvas object embed video audio applet portal fencedframe');
  const VISIBLE = {visibilityProperty: true};

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
    run(node, pre) {
      let data = node.data;
      if (data.length > 200000) data = data.slice(0, 200000);
      if (pre) {
        const kept = data.replace(/[ \t]+$/gm, '');
        if (kept.trim()) this.say(kept.replace(/\n$/, ''));
        if (/\n\s*$/.test(data)) this.line();
        return;
      }
      const core = data.trim();
      if (!core) { if (data) this.space(); return; }
      if (/^\s/.test(data)) this.space();
      this.say(/\s\s|[^\S ]/.test(core) ? core.replace(/\s+/g, ' ') : core);
      if (/\s$/.test(data)) this.space();
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
      const url = new URL(el.href, document.baseURI);
      if (!/^https?:$/.test(url.protocol)) return url.protocol === 'mailto:' ? 'mailto:' + url.pathname.slice(0, 100) : url.protocol;
      url.username = ''; url.password = '';
      const here = url.origin === location.origin ? url.pathname + url.search + url.hash : url.href;
      return here.length > 200 ? here.slice(0, 200) + '…' : here;
    } catch { return ''; }
  };
  const CONTROLS = 'a[href], button, label, [role=button], [role=link], select';
  // Elements that merely react to a click: told by a handler, a place in the tab order, or the pointer's shape.
  let listening = new WeakSet();
  S.heard = (nodes) => { listening = new WeakSet(nodes.filter((node) => node?.ownerDocument === document)); };
  const HOLDS = 'a[href], button, input, select, textarea, [role=button], [role=link], [tabindex], [onclick]';
  const reacts = (el, tag, style, within) => {
    if (tag === 'label' || tag === 'body' || tag === 'html') return false;
    // One handler for a whole region is not a control; one for a thing without controls of its own is.
    if (listening.has(el) && !dom.all(el, HOLDS).length && dom.textOf(el).length <= 200) return true;
    if (dom.has(el, 'onclick')) return true;
    const tab = dom.attr(el, 'tabindex');
    if (tab !== null && Number(tab) >= 0 && !S.isHost(el)) return true;
    return style?.cursor === 'pointer' && !within;
  };

  class Walk {
    constructor(options) {
      this.options = options;
      this.omit = new Set();
      this.elements = []; this.maxElements = options.elements;
      this.segments = []; this.frames = [];
      this.text = new Text_(options.text, this.omit);
      this.nodes = 0; this.deadline = performance.now() + options.millis;
      this.stack = [];
    }
    // One entry of the stack is one element being read: its next child, and what comes after its last.
    run(starts) {
      const {stack, options} = this;
      stack.push({next: starts[0] ?? null, list: starts, index: 0, pre: false, shown: true, pointer: false, depth: 0,
        apart: '', link: null, before: 0});
      while (stack.length) {
        const step = stack[stack.length - 1], node = step.next;
        if (!node) { stack.pop(); this.leave(step); continue; }
        step.next = step.list ? step.list[++step.index] ?? null : dom.next(node);
        if (++this.nodes > options.nodes || ((this.nodes & 255) === 0 && performance.now() > this.deadline)) {
          this.omit.add('work_limit');
          break;
        }
        if (node.nodeType === 3) { if (step.shown && options.text) this.text.run(node, step.pre); }
        else if (node instanceof Element && !this.element(node, step)) break;
      }
      this.segments.push(this.text.take());
    }
    leave({link, before, apart}) {
      const {text} = this;
      if (link && text.size > before) {
        const where = address(link), {gap} = text;
        if (where) { text.glue(); text.say(' (' + where + ')'); text.gap = gap; }
      }
      if (apart === 'line') text.line(); else if (apart) text.space();
    }
    done() {
      if (this.elements.length < this.maxElements || (this.options.text && !this.text.full)) return false;
      if (this.options.text) this.omit.add('text_limit');
      this.omit.add('target_limit');
      return true;
    }
    element(node, step) {
      const tag = dom.tag(node), {text} = this;
      if (SKIP.has(tag)) return true;
      let shown = dom.seen(node, VISIBLE);
      if (!shown && !dom.seen(node)) {
        // Not drawn: only a control that a visible label stands for is kept.
        if (tag === 'input' && S.standIn(node)) S.control(node, S.roleOf(node, tag), this, null);
        if (getComputedStyle(node).display !== 'contents') return true;
        shown = true;
      }
      if (this.done()) return false;
      const role = S.roleOf(node, tag);
      // An element without attributes is drawn as its tag says, near enough to place words.
      const plain = dom.bare(node) && (BLOCK.has(tag) || INLINE.has(tag) || tag === 'span');
      const style = plain && !listening.has(node) ? null : getComputedStyle(node);
      const pointer = style ? style.cursor === 'pointer' : step.pointer;
      this.control(node, tag, role, shown, style, step.pointer);
      if (this.leaf(node, tag, role, shown)) return true;
      this.inner(node, tag, step, shown, style, pointer);
      return true;
    }
    control(node, tag, role, shown, style, within) {
      if (this.elements.length >= this.maxElements) {
        if (ACTS[role] && shown) this.omit.add('target_limit');
        return;
      }
      if (ACTS[role]) {
        if (role === 'option') return;
        const box = shown ? dom.rect(node) : null;
        if (box && box.width >= 1 && box.height >= 1) S.control(node, role, this, box);
        else if (S.standIn(node)) S.control(node, role, this, null);
        else if (shown && role === 'link' && dom.first(node)) S.control(node, role, this, box);
      } else if (style && shown && reacts(node, tag, style, within) && !dom.closest(node, CONTROLS)) {
        const box = dom.rect(node);
        if (box.width >= 1 && box.height >= 1) S.control(node, 'clickable', this, box);
      }
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
      this.frames.push({key: S.frame(node), at: this.elements.length});
    }
    inner(node, tag, step, shown, style, pointer) {
      const {text, options} = this, depth = step.depth + 1;
      const display = style ? style.display : BLOCK.has(tag) ? 'block' : 'inline';
      const apart = display === 'block' ? 'line' : display === 'inline' || display === 'contents' || display.startsWith('ruby') ? ''
        : display === 'table-cell' || display.startsWith('inline-') ? 'space' : 'line';
      if (apart === 'line') text.line(); else if (apart) text.space();
      if (shown && options.marks) {
        if (tag === 'li') { text.line(); text.say('- '); text.glue(); }
        else if (tag[0] === 'h' && tag.length === 2 && tag !== 'hr') { text.line(); text.say('#'.repeat(Number(tag[1])) + ' '); text.glue(); }
      }
      const link = tag === 'a' && shown && options.text && options.marks && dom.has(node, 'href') ? node : null;
      const root = dom.shadow(node);
      if (!root && tag.includes('-') && !dom.first(node) && shown && dom.rect(node).width >= 1) this.omit.add('unsupported_root');
      const entry = {next: null, list: null, index: 0, pre: step.pre || tag === 'pre' || tag === 'listing', shown, pointer, depth,
        apart, link, before: text.size};
      if (options.depth && depth > options.depth) {
        if (dom.first(node)) this.omit.add('report_limit');
      } else if (tag === 'slot' && node.assignedNodes().length) {
        entry.list = node.assignedNodes();
        entry.next = entry.list[0];
      } else if (tag === 'details' && !node.open) {
        entry.list = [...node.children].filter((child) => child.localName === 'summary').slice(0, 1);
        entry.next = entry.list[0] ?? null;
      } else {
        entry.next = dom.first(root ?? node);
      }
      if (entry.next) this.stack.push(entry); else this.leave(entry);
    }
  }

  S.walk = (options) => S.indexed(() => {
    let start = dom.body(document) ?? dom.root(document), starts = start ? [start] : [];
    if (options.scope) {
      start = S.scopes.get(options.scope)?.deref();
      const refused = !start || !dom.connected(start) || start.ownerDocument !== document ? 'gone'
        : !dom.seen(start, VISIBLE) ? 'hidden' : null;
      if (refused) return JSON.stringify({refused, next: S.issued()});
      starts = S.section(start);
    }
    const scopes = options.scopes && start ? S.sections(options.scope ? start : null) : undefined;
    if (options.scopes && !options.scope && !options.elements) starts = [];
    const walk = new Walk(options);
    if (!/html|xml|^text\/|json/.test(document.contentType)) walk.omit.add('unsupported_root');
    walk.run(starts);
    return JSON.stringify({scopes, segments: walk.segments.map(S.clean), frames: walk.frames, elements: walk.elements,
      omit: [...walk.omit], next: S.issued(), title: S.clean(dom.title(document)), origin: location.origin});
  });
})();
