// Roles and accessible names, by the rules browsers follow (HTML-AAM and accname 1.2).
(() => {
  const S = globalThis.signalbox;
  if (S.name) return;
  const {dom, MARKS} = S;
  const KNOWN = new Set(('alert alertdialog application article banner blockquote button caption cell checkbox code '
    + 'columnheader combobox complementary contentinfo definition deletion dialog directory document emphasis feed '
    + 'figure form generic grid gridcell group heading img insertion image link list listbox listitem log main marquee '
    + 'math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation '
    + 'progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton '
    + 'status strong subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree '
    + 'treegrid treeitem').split(' '));
  const INPUT = {button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button', color: 'textbox',
    checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox'};
  const TAGS = {button: 'button', textarea: 'textbox', summary: 'button', article: 'article', aside: 'complementary',
    dialog: 'dialog', fieldset: 'group', figure: 'figure', footer: 'contentinfo', header: 'banner', hr: 'separator',
    h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', li: 'listitem',
    main: 'main', menu: 'list', meter: 'meter', nav: 'navigation', ol: 'list', ul: 'list',
    optgroup: 'group', option: 'option', output: 'status', p: 'paragraph', progress: 'progressbar', search: 'search',
    table: 'table', tbody: 'rowgroup', tfoot: 'rowgroup', thead: 'rowgroup', td: 'cell', th: 'columnheader', tr: 'row'};
  const CONTENT = new Set(('button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox '
    + 'menuitemradio option radio row rowheader switch tab tooltip treeitem').split(' '));
  const ACTS = {button: 'button', link: 'button', menuitem: 'button', tab: 'button', treeitem: 'button',
    option: 'button', clickable: 'button', textbox: 'textbox', searchbox: 'textbox', spinbutton: 'textbox',
    combobox: 'combobox', checkbox: 'checkbox', switch: 'checkbox', menuitemcheckbox: 'checkbox', radio: 'radio',
    menuitemradio: 'radio', slider: 'slider', listbox: 'listbox'};

  const foreignRole = (el, tag) => {
    if (!(el instanceof SVGElement)) return tag === 'math' && el instanceof MathMLElement ? 'math' : '';
    if (tag === 'a') return dom.has(el, 'href') || dom.has(el, 'xlink:href') ? 'link' : '';
    if (tag !== 'svg') return '';
    for (let child = dom.first(el); child; child = dom.next(child)) if (child instanceof Element && dom.tag(child) === 'title') return 'img';
    return dom.has(el, 'aria-label') || dom.has(el, 'aria-labelledby') ? 'img' : '';
  };
  const nativeRole = (el, tag) => {
    if (!S.html(el)) return foreignRole(el, tag);
    switch (tag) {
      case 'a': case 'area': return dom.has(el, 'href') ? 'link' : '';
      case 'input': {
        if (el.type === 'hidden') return '';
        const role = INPUT[el.type] ?? 'textbox';
        return dom.has(el, 'list') && ['textbox', 'searchbox'].includes(role) && el.type !== 'color' ? 'combobox' : role;
      }
      case 'select': return el.multiple || el.size > 1 ? 'listbox' : 'combobox';
      case 'img': return dom.attr(el, 'alt') === '' ? 'none' : 'img';
      case 'summary': return dom.tag(dom.parent(el) ?? el) === 'details' ? 'button' : '';
      case 'section': return dom.has(el, 'aria-label') || dom.has(el, 'aria-labelledby') ? 'region' : '';
      case 'form': return 'form';
      default: return TAGS[tag] ?? '';
    }
  };
  const roleOf = (el, tag = dom.tag(el), marks = dom.bare(el) ? 0 : MARKS.ALL) => {
    if (!(marks & MARKS.ROLE)) return nativeRole(el, tag);
    const given = dom.attr(el, 'role');
    const role = nativeRole(el, tag);
    if (given) for (const word of given.toLowerCase().split(/\s+/)) if (KNOWN.has(word)) {
      if (word === 'group') told = true;
      // What can be focused or is described is not made to mean nothing.
      if ((word === 'none' || word === 'presentation') && (dom.has(el, 'tabindex') || dom.has(el, 'aria-label')
        || dom.has(el, 'aria-labelledby') || (ACTS[role] && !dom.matches(el, ':disabled')))) break;
      return word;
    }
    // A paragraph or a cell that can be edited is met as a field: what it is otherwise tells nobody that it takes words.
    return !ACTS[role] && isHost(el) ? 'textbox' : role;
  };
  const isHost = (el) => {  // the outermost element of a region that can be edited
    const mode = dom.attr(el, 'contenteditable');
    return mode !== null && mode.toLowerCase() !== 'false' && el instanceof HTMLElement && dom.editable(el);
  };

  const GAPS = /\s\s|[^\S ]/;
  // Whether it is plain words: nothing at its ends, and within it single spaces at most.
  const plain = (text) => text.charCodeAt(0) > 32 && text.charCodeAt(text.length - 1) > 32 && !GAPS.test(text);
  const squeeze = (text) => plain(text) ? text : text.replace(/\s+/g, ' ').trim();
  const LIMIT = 1000;  // a name is cut far shorter in a report; this bounds the work on hostile pages
  const referenced = (el) => {
    const list = dom.attr(el, 'aria-labelledby');
    if (!list) return '';
    const root = dom.rootOf(el);
    const parts = [];
    for (const id of list.split(/\s+/).slice(0, 20)) {
      const other = id && (root instanceof Document ? dom.byId(root, id) : root.getElementById?.(id));
      if (other) parts.push(compute(other, {from: 'labelledby', referred: true}));
    }
    return squeeze(parts.join(' '));
  };
  // el.labels searches the whole document each time; during a walk one index of it serves all.
  let index = null;
  const forIndex = (root) => {
    if (!index) return [...root.querySelectorAll('label[for]')];
    if (!index.has(root)) index.set(root, Map.groupBy(root.querySelectorAll('label[for]'), (label) => dom.attr(label, 'for')));
    return index.get(root);
  };
  const LABELABLE = new Set(['button', 'input', 'meter', 'output', 'progress', 'select', 'textarea']);
  let lately = null, found = [];  // nothing changes during a walk, which asks for the same field's several times
  const labels = (el, marks = MARKS.ALL) => {
    if (index !== null && lately === el) return found;
    if (!LABELABLE.has(dom.tag(el))) return [];
    const out = [], around = dom.closest(el, 'label');
    if (around && around.control === el) out.push(around);
    const id = marks & MARKS.ID ? dom.attr(el, 'id') : null;
    if (id) {
      const root = dom.rootOf(el), known = root.querySelectorAll ? forIndex(root) : [];
      for (const label of index ? known.get?.(id) ?? [] : known)
        if (label !== around && label.control === el) out.push(label);
      if (out.length > 1) out.sort((a, b) => a.compareDocumentPosition(b) & 2 ? 1 : -1);
    }
    if (index === null) return out.slice(0, 20);
    lately = el;
    return found = out.slice(0, 20);
  };
  const labelsOf = (el, seen) => {
    const all = labels(el);
    if (!all.length) return '';
    return squeeze(all.map((label) => compute(label, {seen, from: 'label'})).join(' '));
  };
  const nativeName = (el, tag, seen) => {
    if (tag === 'input') {
      const type = el.type;
      if (type === 'submit' || type === 'reset' || type === 'button' || type === 'image') {
        const labelled = labelsOf(el, seen);
        if (labelled) return labelled;
        if (type === 'image') return squeeze(dom.attr(el, 'alt') ?? '') || squeeze(dom.attr(el, 'value') ?? '')
          || squeeze(dom.attr(el, 'title') ?? '') || 'Submit';
        const text = squeeze(dom.has(el, 'value') ? el.value : '');
        return text || squeeze(dom.attr(el, 'title') ?? '') || {submit: 'Submit', reset: 'Reset', button: ''}[type];
      }
    }
    if (tag === 'input' || tag === 'select' || tag === 'textarea' || tag === 'button' || tag === 'meter'
      || tag === 'output' || tag === 'progress') {
      const labelled = labelsOf(el, seen);
      if (labelled) return labelled;
      return '';
    }
    if (tag === 'img' || tag === 'area') return squeeze(dom.attr(el, 'alt') ?? '');
    if (tag === 'fieldset' || tag === 'table' || tag === 'figure') {
      const want = {fieldset: 'legend', table: 'caption', figure: 'figcaption'}[tag];
      for (let child = dom.first(el); child; child = dom.next(child))
        if (child instanceof Element && dom.tag(child) === want) return compute(child, {seen, from: 'native'});
    }
    if (tag === 'svg') for (let child = dom.first(el); child; child = dom.next(child))
      if (child instanceof Element && dom.tag(child) === 'title') return squeeze(dom.textOf(child));
    return '';
  };
  const HOLDERS = new Set(['textbox', 'searchbox', 'spinbutton', 'slider', 'combobox', 'listbox']);
  const embedded = (el, role, tag, seen) => {  // the value of a control that stands inside a label
    if ((HOLDERS.has(role) || el instanceof HTMLInputElement) && S.secret(el)) return '';
    if (role === 'textbox' || role === 'searchbox' || role === 'spinbutton' || role === 'slider')
      return 'value' in el ? String(el.value) : dom.attr(el, 'aria-valuetext') ?? dom.attr(el, 'aria-valuenow') ?? dom.textOf(el);
    if (role === 'combobox' || role === 'listbox') {
      if (el instanceof HTMLSelectElement) return [...el.selectedOptions].map((o) => o.text).join(' ');
      const chosen = dom.all(el, '[role=option][aria-selected=true]');
      return [...chosen].map((o) => compute(o, {seen, from: 'content'})).join(' ');
    }
    return null;
  };
  // told: whether a group that tells what its fields are for was met; to look for one first is dear.
  // Asking for generated content is dear, so a document whose rules hold none is not asked.
  let generated = true, inert = true, masks = true, grouped = true, told = true;
  const pseudo = (el, which) => {
    if (!generated && S.inDocument(el)) return '';
    const content = getComputedStyle(el, which).content.replace(/url\("(?:[^"\\]|\\.)*"\)/g, '');
    if (content === 'none' || content === 'normal') return '';
    const slash = content.match(/\/\s*"((?:[^"\\]|\\.)*)"\s*$/);
    if (slash) return ' ' + slash[1] + ' ';
    return [...content.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((m) => m[1].replace(/\\(.)/g, '$1')).join('');
  };
  // What is handed over to a slot; null where it shows what stands in it.
  const slotted = (el, tag) => {
    const given = tag === 'slot' && el instanceof HTMLSlotElement ? el.assignedNodes() : [];
    return given.length ? given : null;
  };
  // Text that is drawn as dots.
  const masked = (el) => dom.style(el).webkitTextSecurity !== 'none';
  const contents = (el, context) => {
    const dots = S.mayBeMasked(el) && masked(el);
    let out = pseudo(el, '::before');
    const from = dom.shadow(el) ?? el;
    const kids = slotted(el, dom.tag(el));
    let index = 0;
    for (let child = kids ? kids[0] : dom.first(from); child && out.length < LIMIT;
      child = kids ? kids[++index] : dom.next(child)) {
      if (child instanceof Text) { if (!dots) out += child.data.slice(0, LIMIT); continue; }
      if (!(child instanceof Element)) continue;
      const text = compute(child, {...context, depth: context.depth + 1, from: 'content'});
      if (!text && dom.tag(child) !== 'br') continue;
      const inline = /^inline(?!-)|^contents$/.test(dom.style(child).display) && dom.tag(child) !== 'br';
      out += inline ? text : ' ' + text + ' ';
    }
    return out + pseudo(el, '::after');
  };
  const unseen = (el) => dom.attr(el, 'aria-hidden') === 'true'
    || (!dom.visible(el) && dom.style(el).display !== 'contents');
  // *from* is why the element is asked: for itself (''), named by another, or as part of another's content.
  function compute(el, {seen = new Set(), from = '', depth = 0, referred = false} = {}) {
    if (depth > 60 || seen.has(el)) return '';
    if (from !== 'labelledby' && from !== '' && unseen(el)) return '';
    seen.add(el);
    const tag = dom.tag(el), role = roleOf(el, tag);
    const named = referred ? '' : referenced(el);
    if (named) return named;
    if (from) {
      const value = embedded(el, role, tag, seen);
      if (value !== null && !(from === 'labelledby' && dom.has(el, 'aria-label'))) return value;
    }
    const label = squeeze(dom.attr(el, 'aria-label') ?? '');
    if (label) return label;
    if (role !== 'none' && role !== 'presentation') {
      const native = nativeName(el, tag, seen);
      if (native) return native;
    }
    if (from || CONTENT.has(role)) {
      const text = contents(el, {seen, depth, referred});
      if (from === 'content' ? text.length : squeeze(text)) return from === 'content' ? text : squeeze(text);
    }
    const title = squeeze(dom.attr(el, 'title') ?? '');
    if (title) return title;
    return squeeze(dom.attr(el, 'placeholder') ?? dom.attr(el, 'aria-placeholder') ?? '');
  }
  // Where the standard gives no name, a person would still call the thing by something: what it says, its
  // picture, its field name. Used for reports only, never for comparison with a browser's own tree.
  const label = (el, role, name) => {
    if (name) return name;
    const text = squeeze(compute(el, {from: 'content'}).slice(0, LIMIT));
    if (text && !['textbox', 'combobox', 'listbox', 'slider'].includes(ACTS[role])) return text;
    const inner = dom.all(el, 'img[alt], [aria-label], [title]')[0];
    if (inner) return squeeze(dom.attr(inner, 'alt') ?? dom.attr(inner, 'aria-label') ?? dom.attr(inner, 'title') ?? '') || role;
    const field = dom.attr(el, 'name') ?? dom.attr(el, 'id') ?? '';
    return field ? `(unnamed ${role}, ${squeeze(field)})` : `(unnamed ${role})`;
  };
  const has = (what) => dom.find(document, what) !== null;  // one by one: a list of them takes the browser twice as long
  // The browser knows until the page changes. Whatever prefix it has: a form by any name is one.
  const any = (tag) => dom.byTag(document, '*', tag).length > 0;
  S.indexed = (work) => {
    const rules = S.rules(), styled = has('[style]');
    S.based = any('base');
    S.formless(!any('form'));
    S.unshadowed(true);
    S.pure(document.contentType === 'text/html' && !any('svg') && !any('math'));
    rules.veils ||= styled && has('[style*=visibility i]') || any('svg') && has('[visibility]') || has('[hidden]') && has('[hidden=until-found i]');
    S.unveiled(!rules.veils);
    S.marked(rules.named);
    masks = rules.masks ||= styled && has('[style*=security i]');
    index = new WeakMap(); lately = null; generated = rules.generated;
    rules.inert = inert = has('[inert]') || any('dialog') && has('dialog:modal');
    grouped = any('fieldset');
    told = grouped;
    try { return work(rules); } finally { S.formless(false); S.unshadowed(false); S.pure(false); S.unveiled(false); index = lately = null; generated = inert = masks = grouped = told = true; }
  };
  S.mayBeMasked = (el) => masks || !S.inDocument(el);
  S.mayBeGrouped = (el) => grouped || !S.inDocument(el);
  S.groupsUnmet = () => { told = true; };
  S.mayBeTold = (el) => told || !S.inDocument(el);
  S.mayBeInert = (el) => inert || !S.inDocument(el);
  S.labels = labels;
  S.bareRole = (tag) => nativeRole(document.createElement(tag), tag);
  S.roleOf = roleOf;
  // Most controls hold nothing but their name: text, and no attribute that could say otherwise. Most
  // fields have one label that holds nothing but its words and the field.
  const FIELDS = new Set(['input', 'select', 'textarea', 'label', 'slot']);
  // What an element says that holds nothing but text; null for any other.
  S.only = (el) => dom.kid(el) === null && dom.shadow(el) === null ? dom.textOf(el) : null;
  const spoken = (el) => !dom.bare(el) && (dom.has(el, 'aria-label') || dom.has(el, 'aria-labelledby'));
  const simple = (el, role, marks, sized) => {
    const tag = dom.tag(el);
    if (generated || masks || marks & MARKS.NAME && spoken(el)) return '';
    if (FIELDS.has(tag)) return tag === 'slot' || tag === 'label' || tag === 'input' && NAMED.test(el.type) ? '' : labelled(el, marks, sized);
    if (tag === 'button' && (marks & MARKS.ID && dom.has(el, 'id') || dom.closest(el, 'label'))) return '';
    if (!CONTENT.has(role ?? roleOf(el, tag))) return '';
    return squeeze((S.only(el) ?? '').slice(0, LIMIT));
  };
  const NAMED = /^(?:submit|reset|button|image)$/;
  // What is in view shows that a label around it is.
  const labelled = (el, marks, sized) => {
    const all = labels(el, marks), label = all[0];
    if (all.length !== 1 || spoken(label) || dom.has(label, 'role') || dom.shadow(label) !== null) return '';
    let words = '', around = false;
    for (let child = dom.first(label); child; child = dom.next(child)) {
      if (child.nodeType === 3) words += child.data.slice(0, LIMIT); else if (child === el) around = true; else return '';
    }
    const seen = sized && around && dom.bare(label);
    return !seen && unseen(label) ? '' : squeeze(words.slice(0, LIMIT));
  };
  S.name = (el, role, marks = MARKS.ALL, sized = false) => S.clean(index !== null && simple(el, role, marks, sized) || squeeze(compute(el).slice(0, LIMIT)));
  S.label = (el, role, name) => S.clean(label(el, role, name).slice(0, LIMIT)) || `(unnamed ${role})`;
  S.masked = masked;
  S.slotted = slotted;
  S.plain = plain;
  S.squeeze = squeeze;
  S.ACTS = ACTS;
  S.isHost = isHost;
})();
