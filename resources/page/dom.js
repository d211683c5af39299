// What the other page scripts share: readers that a page cannot clobber, and the registry of references.
// Runs in a world of its own: the page's scripts see neither these names nor the registry.
globalThis.signalbox ??= (() => {
  // A form's own fields shadow its properties (a field named "children"), so every read of a foreign
  // element goes through the prototype's getter, never through the element itself.
  const get = (proto, name) => Function.prototype.call.bind(Object.getOwnPropertyDescriptor(proto, name).get);
  const run = (proto, name) => Function.prototype.call.bind(proto[name]);
  const E = Element.prototype, N = Node.prototype, D = Document.prototype, H = HTMLElement.prototype;
  const dom = {
    parent: get(N, 'parentNode'), first: get(N, 'firstChild'), next: get(N, 'nextSibling'),
    connected: get(N, 'isConnected'), rootOf: run(N, 'getRootNode'), contains: run(N, 'contains'),
    textOf: get(N, 'textContent'), shadow: get(E, 'shadowRoot'), slotOf: get(E, 'assignedSlot'),
    attr: run(E, 'getAttribute'), has: run(E, 'hasAttribute'), matches: run(E, 'matches'),
    closest: run(E, 'closest'), rects: run(E, 'getClientRects'), rect: run(E, 'getBoundingClientRect'),
    seen: run(E, 'checkVisibility'), scrollTo: run(E, 'scrollIntoView'), all: run(E, 'querySelectorAll'),
    tag: get(E, 'localName'), clientLeft: get(E, 'clientLeft'), clientTop: get(E, 'clientTop'),
    width: get(H, 'offsetWidth'), height: get(H, 'offsetHeight'), focus: run(H, 'focus'),
    fire: run(EventTarget.prototype, 'dispatchEvent'), editable: get(H, 'isContentEditable'),
    body: get(D, 'body'), root: get(D, 'documentElement'), byId: run(D, 'getElementById'),
    under: run(D, 'elementFromPoint'), active: get(D, 'activeElement'), style: (e) => getComputedStyle(e),
  };
  const refs = new Map();      // ref -> {node, role, label}
  const scopes = new Map();    // scope ref -> node
  const held = new WeakMap();  // node -> its newest ref
  const frames = new Map();    // number -> frame element
  let counter = 0, frameCounter = 0;

  // The same node keeps its ref while it keeps its role and label; renamed, it gets a new one and the
  // old one goes stale, so that a ref always means what the reader of the report was told it means.
  const issue = (node, role, label) => {
    const old = held.get(node);
    if (old !== undefined) {
      const known = refs.get(old);
      if (known && known.role === role && known.label === label) return old;
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
    dom, refs, scopes, frames, issue, scope, frame, nodeOf, parentOf, inside,
    begin: (first) => { counter = first; }, issued: () => counter,
    clean: (text) => text.toWellFormed(),
  };
})();
