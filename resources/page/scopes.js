// Sections of a page that a person would name: landmarks, dialogs, forms, headings.
(() => {
  const S = globalThis.signalbox;
  if (S.sections) return;
  const {dom} = S;
  const LANDMARKS = new Set(['banner', 'complementary', 'contentinfo', 'form', 'main', 'navigation', 'region', 'search']);
  const DIALOGS = new Set(['dialog', 'alertdialog']);
  const NAMES = {banner: 'header', contentinfo: 'footer', complementary: 'aside', alertdialog: 'dialog'};
  const MOST = 200, NODES = 100000;
  const level = (el) => /^h[1-6]$/.test(dom.tag(el)) ? Number(dom.tag(el)[1]) : Number(dom.attr(el, 'aria-level')) || 2;

  // A heading stands for itself and what follows it, up to the next heading of its level or above.
  S.section = (el) => {
    if (S.roleOf(el) !== 'heading') return [el];
    let top = el;
    for (let parent = dom.parent(top); parent instanceof Element && dom.first(parent) === top; parent = dom.parent(top)) {
      if (parent === dom.body(document) || S.squeeze(dom.textOf(parent)) !== S.squeeze(dom.textOf(el))) break;
      top = parent;
    }
    const out = [top];
    for (let at = dom.next(top); at; at = dom.next(at)) {
      if (at instanceof Element) {
        const inner = S.roleOf(at) === 'heading' ? at : dom.all(at, 'h1,h2,h3,h4,h5,h6,[role=heading]')[0];
        if (inner && level(inner) <= level(el)) break;
      }
      out.push(at);
    }
    return out;
  };
  const known = new WeakMap();
  const refOf = (el) => {
    if (!known.has(el) || !S.scopes.has(known.get(el))) known.set(el, S.scope(el));
    return known.get(el);
  };
  S.sections = (root) => {
    const out = [], stack = [root ?? dom.body(document)].filter(Boolean);
    let nodes = 0;
    while (stack.length && out.length < MOST && ++nodes < NODES) {
      const el = stack.pop();
      if (!dom.drawn(el)) continue;
      const role = S.roleOf(el);
      if (el !== root && (LANDMARKS.has(role) || DIALOGS.has(role) || role === 'heading')) {
        const name = S.name(el) || (role === 'heading' && !(S.mayBeMasked(el) && S.masked(el)) ? S.squeeze(dom.textOf(el).slice(0, 200)) : '');
        const inner = ['banner', 'contentinfo'].includes(role) && dom.closest(el, 'article, aside, main, nav, section');
        if (!inner && !(role === 'heading' && !name) && dom.visible(el))
          out.push({ref: refOf(el), label: S.clean((NAMES[role] ?? role) + (name ? ' “' + name + '”' : ''))});
      }
      const kids = [];
      for (let child = dom.first(dom.shadow(el) ?? el); child; child = dom.next(child)) if (child instanceof Element) kids.push(child);
      stack.push(...kids.reverse());
    }
    return out;
  };
})();
