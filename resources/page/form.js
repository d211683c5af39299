// Fields: focusing, choosing text, setting what cannot be typed, and reading back what a field holds.
(() => {
  const S = globalThis.signalbox;
  if (S.field) return;
  const {dom} = S;
  const FORMATS = {date: /^\d{4,6}-\d\d-\d\d$/, month: /^\d{4,6}-\d\d$/, week: /^\d{4,6}-W\d\d$/,
    time: /^\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/, 'datetime-local': /^\d{4,6}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/,
    color: /^#[0-9a-fA-F]{6}$/, range: /^-?\d+(\.\d+)?$/};
  const TYPED = new Set(['text', 'search', 'email', 'url', 'tel', 'password', 'number']);
  const proto = (el) => el instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  const read = (el) => 'value' in el && (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement)
    ? el.value : el.innerText;
  const kindOf = (el) => {
    if (el instanceof HTMLTextAreaElement) return 'lines';
    if (el instanceof HTMLInputElement) return TYPED.has(el.type) ? 'line' : FORMATS[el.type] ? 'set' : 'none';
    if (el instanceof HTMLElement && dom.editable(el)) return 'rich';
    return 'none';
  };
  // What stands inside a wrapper that only plays the part (a combobox div around an input).
  const inner = (el) => kindOf(el) !== 'none' ? el : dom.all(el, 'input:not([type=hidden]), textarea, [contenteditable]')[0] ?? el;

  // Until the page's scripts have done what they put off: timers without a delay fire in the order they were set in.
  const turn = () => new Promise((done) => { setTimeout(done); });
  S.turned = async () => { await turn(); return '{}'; };
  const focused = (el) => (dom.rootOf(el).activeElement ?? null) === el;

  S.field = (ref) => {
    const now = S.state(ref);
    if (now.status !== 'ok') return JSON.stringify({status: now.status});
    const el = inner(now.el);
    return JSON.stringify({status: 'ok', role: now.role, label: now.label, kind: kindOf(el), type: el.type ?? '',
      disabled: dom.matches(el, ':disabled'), readonly: el.readOnly === true || dom.attr(el, 'aria-readonly') === 'true'});
  };
  S.enter = async (ref) => {  // focus and choose the whole content, so that what is typed next replaces it
    const now = S.state(ref);
    if (now.status !== 'ok') return JSON.stringify({status: now.status});
    const el = inner(now.el);
    dom.focus(el, {preventScroll: false});
    if (!focused(el)) return JSON.stringify({status: 'unfocused'});
    await turn();
    if (!focused(el)) return JSON.stringify({status: 'moved'});
    if (el.select) el.select();
    else getSelection().selectAllChildren(el);
    // shows: false where it only takes keys for what the page draws, and does not hold what it would choose by itself.
    return JSON.stringify({status: 'ok', empty: read(el) === '', shows: !S.keysOnly(el), row: row(el).length, breaks: breaksOf(el)});
  };
  // What a line break is put in as. In rich text it is no Enter, by which many a page sends what is half there; only where a
  // field is for code. One of many lines takes it as text.
  const breaksOf = (el) => kindOf(el) === 'lines' ? 'text' : kindOf(el) !== 'rich' ? 'Enter' : el.spellcheck ? 'Shift+Enter' : 'Enter';
  // A row of small fields that are alike, such as one for each digit of a code: from this one on.
  const WIDEST = 100, FEWEST = 3, OFF = 4;
  const row = (el) => {
    const box = dom.rect(el);
    if (!(el instanceof HTMLInputElement) || !TYPED.has(el.type) || box.width > WIDEST) return [el];
    for (let at = dom.parent(el), steps = 0; at instanceof Element && steps < 4; at = dom.parent(at), steps++) {
      const all = [...dom.all(at, 'input:not([type=hidden])')].filter((one) => dom.visible(one) && dom.rect(one).width >= 1);
      if (all.length < FEWEST) continue;
      const alike = all.every((one) => one.type === el.type && Math.abs(dom.rect(one).width - box.width) <= OFF
        && Math.abs(dom.rect(one).top - box.top) <= OFF);
      return alike ? all.slice(all.indexOf(el)) : [el];
    }
    return [el];
  };
  S.rowAt = async (ref) => {  // which of the row has the focus, with what is in it chosen, and what they hold
    await turn();
    const el = S.nodeOf(ref), all = el ? row(inner(el)) : [], at = all.findIndex(focused);
    if (at > 0) all[at].select();
    return JSON.stringify({at, holds: all.map((one) => one.value)});
  };
  S.keepsFocus = (ref) => {
    const el = S.nodeOf(ref);
    return JSON.stringify({keeps: Boolean(el) && focused(inner(el))});
  };
  S.held = async (ref) => {  // after the page's turn: many a page takes back then what was put in
    await turn();
    const el = S.nodeOf(ref), field = el && inner(el);
    if (!el || !dom.connected(field)) return JSON.stringify({status: 'gone', value: null});
    const value = kindOf(field) === 'rich' ? dom.textOf(field) : read(field);
    return JSON.stringify({status: 'ok', value: S.clean(String(value).slice(0, 100000))});
  };
  S.put = (ref, text) => {  // fields that a keyboard fills part by part: set whole, as a picker would
    const now = S.state(ref);
    if (now.status !== 'ok') return JSON.stringify({status: now.status});
    const el = inner(now.el);
    if (!FORMATS[el.type].test(text) && text !== '') return JSON.stringify({status: 'format', type: el.type});
    const before = el.value;
    dom.focus(el, {preventScroll: true});
    Object.getOwnPropertyDescriptor(proto(el), 'value').set.call(el, text);
    if (text !== '' && el.value === '') {
      Object.getOwnPropertyDescriptor(proto(el), 'value').set.call(el, before);
      return JSON.stringify({status: 'format', type: el.type});
    }
    dom.fire(el, new Event('input', {bubbles: true, composed: true}));
    dom.fire(el, new Event('change', {bubbles: true}));
    return JSON.stringify({status: 'ok', value: el.value, same: alike(el.type, el.value, text)});
  };
  // The same value, as the browser writes it.
  const asWritten = (text) => text.toLowerCase().replace(' ', 't').replace(/(:\d\d):00(\.0+)?$/, '$1');
  const alike = (type, value, text) => type === 'range' ? Number(value) === Number(text) : asWritten(value) === asWritten(text);
  // In one of these with the focus, something else may have it: a shadow root that is closed shows nothing of itself.
  const WHOLE = /^(button|a|area|input|select|summary|video|audio|option|details|label)$/;
  const isSecret = (el) => {
    if (!el) return false;
    if (kindOf(el) === 'none' && !WHOLE.test(dom.tag(el))) return dom.matches(el, ':focus-within') ? null : false;
    return S.secret(el);
  };
  S.focused = () => {  // what has the focus here; a frame is named so that its own document can be asked
    // `secret` is null where that cannot be told.
    let el = dom.active(document);
    for (let root; el && (root = dom.shadow(el)) && root.activeElement;) el = root.activeElement;
    if (el && /^i?frame$/.test(dom.tag(el))) return JSON.stringify({frame: S.frame(el)});
    return JSON.stringify({kind: el ? kindOf(el) : 'none', breaks: el ? breaksOf(el) : 'Enter', readonly: el?.readOnly === true, secret: isSecret(el)});
  };
  S.mark = (ref) => {
    const now = S.state(ref);
    if (now.status !== 'ok') return JSON.stringify({status: now.status});
    const el = now.el instanceof HTMLInputElement && now.el.type === 'file' ? now.el : dom.all(now.el, 'input[type=file]')[0]
      ?? (dom.tag(now.el) === 'label' ? now.el.control : null);
    if (!(el instanceof HTMLInputElement) || el.type !== 'file') return JSON.stringify({status: 'unfit'});
    const mark = crypto.getRandomValues(new Uint32Array(4)).join('');
    el.setAttribute('data-signalbox-file', mark);
    return JSON.stringify({status: 'ok', mark});
  };
  S.unmark = () => {
    for (const el of document.querySelectorAll('[data-signalbox-file]')) el.removeAttribute('data-signalbox-file');
    return '{}';
  };
  S.fetchFile = (url) => {
    const a = document.createElement('a');
    a.href = url; a.download = ''; a.rel = 'noreferrer';
    a.click();
    return '{}';
  };
  S.checked = (ref, again) => {
    const now = S.state(ref);
    // `again`: it was pressed since, and may be called by its new state.
    const same = again && now.status === 'changed' ? S.nodeOf(ref) : null;
    if (now.status !== 'ok' && !same) return JSON.stringify({status: now.status});
    const el = same ?? now.el, role = same ? S.roleOf(same) : now.role;
    const boxes = ['checkbox', 'switch', 'menuitemcheckbox', 'radio', 'menuitemradio'];
    if (!boxes.includes(role)) return JSON.stringify({status: same ? 'changed' : 'unfit'});
    const mixed = el instanceof HTMLInputElement ? el.indeterminate : dom.attr(el, 'aria-checked') === 'mixed';
    const value = el instanceof HTMLInputElement ? el.checked : dom.attr(el, 'aria-checked') === 'true';
    return JSON.stringify({status: 'ok', checked: mixed ? null : value, radio: role.includes('radio')});
  };
  S.facts = () => JSON.stringify({scroll: [scrollX, scrollY], size: [innerWidth, innerHeight], scale: devicePixelRatio,
    page: [dom.root(document)?.scrollWidth ?? 0, dom.root(document)?.scrollHeight ?? 0], title: S.clean(dom.title(document))});
  S.waiting = (text) => {  // is this text to be seen now
    const wanted = S.squeeze(text).toLowerCase();
    const walk = (root) => {
      if (root && S.squeeze(root.innerText ?? dom.textOf(root)).toLowerCase().includes(wanted)) return true;
      return false;
    };
    if (walk(dom.body(document))) return true;
    for (const el of dom.all(dom.root(document) ?? document.documentElement, '*')) {
      const root = dom.shadow(el);
      if (root) for (const child of root.children) if (child instanceof HTMLElement && walk(child)) return true;
    }
    return false;
  };
  // Whether anything scrolled since the question was put.
  let moved = false;
  const onScroll = () => { moved = true; };
  S.watchScroll = () => {  // each time anew: document.open() takes listeners away; one that is there is not added again
    addEventListener('scroll', onScroll, {capture: true, passive: true});
    moved = false;
    return '{}';
  };
  S.scrolled = () => new Promise((done) => {
    let left = 12, last = null;
    const tick = () => {
      const now = moved + ':' + scrollX + ':' + scrollY;
      if ((moved && now === last) || --left <= 0) done(JSON.stringify({moved}));
      else { last = now; setTimeout(tick, 25); }
    };
    tick();
  });
})();
