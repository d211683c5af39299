// What the other page scripts share: readers that a page cannot clobber, and the registry of references.
// Runs in a world of its own: the page's scripts see neither these names nor the registry.
// A page's element or frame of this name is found under it as well, unless the global object has a property of its own;
// only this one cannot be configured.
if (Object.getOwnPropertyDescriptor(globalThis, 'signalbox')?.configurable !== false) Object.defineProperty(globalThis, 'signalbox', {value: (() => {
  // A form's own fields shadow its properties (a field named "children"), so every read of a foreign
  // element goes through the prototype's getter, never through the element itself.
  const get = (proto, name) => Function.prototype.call.bind(Object.getOwnPropertyDescriptor(proto, name).get);
  const run = (proto, name) => Function.prototype.call.bind(proto[name]);
  // Only a form is shadowed, so anything else is read directly, which costs a fraction.
  const slow = {parent: get(Node.prototype, 'parentNode'), first: get(Node.prototype, 'firstChild'),
    next: get(Node.prototype, 'nextSibling'), textOf: get(Node.prototype, 'textContent'), tag: get(Element.prototype, 'localName'),
    shadow: get(Element.prototype, 'shadowRoot'), attr: run(Element.prototype, 'getAttribute'),
    has: run(Element.prototype, 'hasAttribute'), bare: run(Element.prototype, 'hasAttributes'),
    seen: run(Element.prototype, 'checkVisibility'), kid: get(Element.prototype, 'firstElementChild'), rect: run(Element.prototype, 'getBoundingClientRect'),
    names: run(Element.prototype, 'getAttributeNames'), matches: run(Element.prototype, 'matches'), closest: run(Element.prototype, 'closest')};
  let forms = true;  // whether a form can be met at all; asked once for a walk, since asking each node is dear
  let shadowed = true;  // whether what is met can stand in a shadow root
  const form = (node) => forms && node instanceof HTMLFormElement;
  const formless = (yes) => { forms = !yes; };
  const unshadowed = (yes) => { shadowed = !yes; };
  let foreign = true;  // whether an element that is none of HTML's can be met: of those a tag says little
  const pure = (yes) => { foreign = !yes; };
  const html = (el) => !foreign || el instanceof HTMLElement;
  let veils = true;  // whether an element in view can be hidden by its visibility; to ask for that as well is dear
  const unveiled = (yes) => { veils = !yes; };
  const VISIBLE = {visibilityProperty: true};
  const inDocument = (node) => !shadowed || dom.rootOf(node) === document;
  const E = Element.prototype, N = Node.prototype, D = Document.prototype, H = HTMLElement.prototype;
  const dom = {
    parent: (n) => form(n) ? slow.parent(n) : n.parentNode, first: (n) => form(n) ? slow.first(n) : n.firstChild,
    next: (n) => form(n) ? slow.next(n) : n.nextSibling, tag: (n) => form(n) ? 'form' : n.localName,
    textOf: (n) => form(n) ? slow.textOf(n) : n.textContent, shadow: (n) => {
      const root = form(n) ? null : n.shadowRoot;
      if (root) forms = shadowed = foreign = true;  // what lies in there was not looked through
      return root;
    },
    attr: (n, name) => form(n) ? slow.attr(n, name) : n.getAttribute(name),
    has: (n, name) => form(n) ? slow.has(n, name) : n.hasAttribute(name),
    names: (n) => form(n) ? slow.names(n) : n.getAttributeNames(),
    bare: (n) => !(form(n) ? slow.bare(n) : n.hasAttributes()),
    kid: (n) => form(n) ? slow.kid(n) : n.firstElementChild,
    drawn: (n) => form(n) ? slow.seen(n) : n.checkVisibility(),
    visible: (n) => form(n) ? slow.seen(n, VISIBLE) : veils || shadowed ? n.checkVisibility(VISIBLE) : n.checkVisibility(),
    rect: (n) => form(n) ? slow.rect(n) : n.getBoundingClientRect(),
    matches: (n, what) => form(n) ? slow.matches(n, what) : n.matches(what),
    closest: (n, what) => form(n) ? slow.closest(n, what) : n.closest(what),
    before: get(E, 'previousElementSibling'), after: get(E, 'nextElementSibling'),
    connected: get(N, 'isConnected'), rootOf: run(N, 'getRootNode'), contains: run(N, 'contains'),
    slotOf: get(E, 'assignedSlot'), rects: run(E, 'getClientRects'),
    scrollTo: run(E, 'scrollIntoView'), all: run(E, 'querySelectorAll'), one: run(E, 'querySelector'),
    clientLeft: get(E, 'clientLeft'), clientTop: get(E, 'clientTop'),
    width: get(H, 'offsetWidth'), height: get(H, 'offsetHeight'), focus: run(H, 'focus'),
    fire: run(EventTarget.prototype, 'dispatchEvent'), editable: get(H, 'isContentEditable'),
    body: get(D, 'body'), root: get(D, 'documentElement'), byId: run(D, 'getElementById'),
    find: run(D, 'querySelector'), byTag: run(D, 'getElementsByTagNameNS'), findAll: run(D, 'querySelectorAll'), title: get(D, 'title'),
    under: run(D, 'elementFromPoint'), active: get(D, 'activeElement'), style: (e) => getComputedStyle(e),
  };
  const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/, CONTROLS = new RegExp(CONTROL.source, 'g');
  const refs = new Map();      // ref -> {node, role, label}
  const scopes = new Map();    // scope ref -> node
  const held = new WeakMap();  // node -> what its newest ref means
  const frames = new Map();    // number -> frame element
  let counter = 0, frameCounter = 0, voided = 0;

  // The same node keeps its ref while it keeps its role and label; renamed, it gets a new one and the
  // old one goes stale, so that a ref always means what the reader of the report was told it means.
  const issue = (node, role, label) => {
    const old = held.get(node);
    if (old !== undefined) {
      if (old.number > voided && old.role === role && old.label === label) return old;
      old.renamed = true;
    }
    const number = ++counter, known = {ref: 'e' + number, number, node: new WeakRef(node), role, label, renamed: false};
    refs.set(known.ref, known);
    held.set(node, known);
    return known;
  };
  const scope = (node) => {
    const ref = 's' + (++counter);
    scopes.set(ref, new WeakRef(node));
    return ref;
  };
  const frame = (node) => {
    for (const [key, known] of frames) if (known.deref() === node) return key;
    frames.set(++frameCounter, new WeakRef(node));
    return frameCounter;
  };
  const nodeOf = (ref) => refs.get(ref)?.node.deref();
  const parentOf = (node) => {  // in the composed tree: through slots and shadow roots
    if (node instanceof Element) { const slot = dom.slotOf(node); if (slot) return slot; }
    const parent = dom.parent(node);
    return parent instanceof ShadowRoot ? parent.host : parent;
  };
  const inside = (node, ancestor) => {
    for (let at = node; at; at = parentOf(at)) if (at === ancestor) return true;
    return false;
  };
  return {
    dom, pure, html, formless, unshadowed, unveiled, inDocument, refs, scopes, frames, issue, scope, frame, nodeOf, parentOf, inside,
    begin: (first, voidUpTo) => { counter = first; voided = voidUpTo; }, issued: () => counter,
    // Nobody sees a control character, and some change what stands around it where the text is shown.
    clean: (text) => (CONTROL.test(text) ? text.replace(CONTROLS, '') : text).toWellFormed(),
  };
})()});
