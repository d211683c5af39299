// What the other page scripts share: readers that a page cannot clobber, and the registry of references.
// Runs in a world of its own: the page's scripts see neither these names nor the registry.
globalThis.signalbox ??= (() => {
  // A form's own fields shadow its properties (a field named "children"), so every read of a foreign
  // element goes through the prototype's getter, never through the element itself.
  const get = (proto, name) => Function.prototype.call.bind(Object.getOwnPropertyDescriptor(proto, name).get);
  const run = (proto, name) => Function.prototype.call.bind(proto[name]);
  // Only a form is shadowed, so anything else is read directly, which costs a fraction.
  const slow = {parent: get(Node.prototype, 'parentNode'), first: get(Node.prototype, 'firstChild'),
    next: get(Node.prototype, 'nextSibling'), textOf: get(Node.prototype, 'textContent'), tag: get(Element.prototype, 'localName'),
    shadow: get(Element.prototype, 'shadowRoot'), attr: run(Element.prototype, 'getAttribute'),
    has: run(Element.prototype, 'hasAttribute'), bare: run(Element.prototype, 'hasAttributes'),
    seen: run(Element.prototype, 'checkVisibility')};
  let forms = true;  // whether a form can be met at all; asked once for a walk, since asking each node is dear
  const form = (node) => forms && node instanceof HTMLFormElement;
  const formless = (yes) => { forms = !yes; };
  const E = Element.prototype, N = Node.prototype, D = Document.prototype, H = HTMLElement.prototype;
  const dom = {
    parent: (n) => form(n) ? slow.parent(n) : n.parentNode, first: (n) => form(n) ? slow.first(n) : n.firstChild,
    next: (n) => form(n) ? slow.next(n) : n.nextSibling, tag: (n) => form(n) ? 'form' : n.localName,
    textOf: (n) => form(n) ? slow.textOf(n) : n.textContent, shadow: (n) => {
      const root = form(n) ? null : n.shadowRoot;
      if (root) forms = true;  // what lies in there was not looked through
      return root;
    },
    attr: (n, name) => form(n) ? slow.attr(n, name) : n.getAttribute(name),
    has: (n, name) => form(n) ? slow.has(n, name) : n.hasAttribute(name),
    bare: (n) => !(form(n) ? slow.bare(n) : n.hasAttributes()),
    seen: (n, how) => form(n) ? slow.seen(n, how) : n.checkVisibility(how),
    connected: get(N, 'isConnected'), rootOf: run(N, 'getRootNode'), contains: run(N, 'contains'),
    slotOf: get(E, 'assignedSlot'), matches: run(E, 'matches'),
    closest: run(E, 'closest'), rects: run(E, 'getClientRects'), rect: run(E, 'getBoundingClientRect'),
    scrollTo: run(E, 'scrollIntoView'), all: run(E, 'querySelectorAll'),
    clientLeft: get(E, 'clientLeft'), clientTop: get(E, 'clientTop'),
    width: get(H, 'offsetWidth'), height: get(H, 'offsetHeight'), focus: run(H, 'focus'),
    fire: run(EventTarget.prototype, 'dispatchEvent'), editable: get(H, 'isContentEditable'),
    body: get(D, 'body'), root: get(D, 'documentElement'), byId: run(D, 'getElementById'),
    find: run(D, 'querySelector'), title: get(D, 'title'),
    under: run(D, 'elementFromPoint'), active: get(D, 'activeElement'), style: (e) => getComputedStyle(e),
  };
  const refs = new Map();      // ref -> {node, role, label}
  const scopes = new Map();    // scope ref -> node
  const held = new WeakMap();  // node -> its newest ref
  const frames = new Map();    // number -> frame element
  let counter = 0, frameCounter = 0, voided = 0;

  // The same node keeps its ref while it keeps its role and label; renamed, it gets a new one and the
  // old one goes stale, so that a ref always means what the reader of the report was told it means.
  const issue = (node, role, label) => {
    const old = held.get(node);
    if (old !== undefined) {
      const known = refs.get(old);
      if (Number(old.slice(1)) > voided && known && known.role === role && known.label === label) return old;
      if (known) known.renamed = true;
    }
    const ref = 'e' + (++counter);
    refs.set(ref, {node: new WeakRef(node), role, label, renamed: false});
    held.set(node, ref);
    return ref;
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
    dom, formless, refs, scopes, frames, issue, scope, frame, nodeOf, parentOf, inside,
    begin: (first, voidUpTo) => { counter = first; voided = voidUpTo; }, issued: () => counter,
    clean: (text) => text.toWellFormed(),
  };
})();
