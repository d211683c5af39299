// What the rules of a document's sheets can do at all, so that a walk asks the browser only where the answer is open.
(() => {
  const S = globalThis.signalbox;
  if (S.rules) return;
  const MOST = 20000;
  const FEW = 100;  // more rules than that speak of nearly all that has attributes; to look for what they leave takes longer than to ask
  const GROUPS = /@import|@layer|@media|@supports|@container|@scope/i;
  const NAME = /^\[([\w-]+)(?:\]|[~^$*|]?=)/;
  const PLACES = ['display', 'visibility', 'contentVisibility', 'position', 'float', 'cursor', 'animationName', 'all'];

  // The tag that an element without attributes must have for a selector to meet it; '' for any, null where none can.
  const tagOf = (selector) => {
    const last = selector.trim().split(/[\s>+~]+/).pop();
    if (/[.#[]|::|:root/.test(last)) return null;
    const tag = /^[a-z][\w-]*/i.exec(last);
    return tag === null ? '' : tag[0].toLowerCase();
  };
  const places = (style) => PLACES.some((name) => style[name] !== '');
  // The attributes that a selector of a rule that places asks for, wherever in it; null for one that cannot be told.
  const note = (selector, style, named) => {
    if (selector.includes('.') && !named.has('class') && places(style)) named.add('class');
    if (selector.includes('#') && !named.has('id') && places(style)) named.add('id');
    for (let at = selector.indexOf('['); at >= 0; at = selector.indexOf('[', at + 1)) {
      const name = NAME.exec(selector.slice(at, at + 100))?.[1].toLowerCase() ?? null;
      if (!named.has(name) && places(style)) named.add(name);
    }
  };
  const look = (rules, facts) => {
    for (const rule of rules) {
      if (++facts.count > MOST) throw new RangeError('too many rules');
      const selector = rule.selectorText;
      if (selector === undefined) {
        if (rule.styleSheet) look(rule.styleSheet.cssRules, facts);
        else if (rule instanceof CSSKeyframesRule) { facts.veils ||= /visibility/i.test(rule.cssText); facts.masks ||= /text-security/i.test(rule.cssText); }
        else if (rule.cssRules) look(rule.cssRules, facts);
        if (!facts.generated && GROUPS.test(rule.cssText) && /:(before|after)|@import/i.test(rule.cssText)) facts.generated = true;
        continue;
      }
      if (!facts.generated && /:(before|after)/i.test(selector)) facts.generated = true;
      if (rule.cssRules?.length) { facts.any = true; if (/:(before|after)/i.test(rule.cssText)) facts.generated = true; }
      const {style} = rule;
      facts.veils ||= style.visibility !== '' || style.contentVisibility !== '';
      facts.masks ||= style.webkitTextSecurity !== '';
      let flat = selector;
      if (flat.includes('"')) flat = flat.replace(/"(?:[^"\\]|\\.)*"/g, '');
      if (flat.includes('(')) for (let was = ''; was !== flat;) { was = flat; flat = flat.replace(/\([^()]*\)/g, ''); }
      for (const part of flat.split(',')) {
        const tag = tagOf(part);
        if (tag === null || facts.tags.has(tag)) continue;
        if (places(style)) { if (tag) facts.tags.add(tag); else facts.any = true; }
      }
      if (facts.count <= FEW) note(selector, style, facts.named);
    }
  };
  // generated: whether text may come from a rule. veils: whether one may hide elements and leave their place. masks: whether one may draw a field's text as dots.
  // places(tag): whether one may move, hide or mark elements of that tag that have no attributes. Where the rules cannot be read, all may be.
  // named: the attributes by which one may do that to others; null where that is not known.
  S.rules = () => {
    const facts = {generated: false, veils: false, masks: false, any: false, tags: new Set(), named: new Set(), count: 0};
    try {
      for (const sheet of document.styleSheets) look(sheet.cssRules, facts);
      for (const sheet of document.adoptedStyleSheets) look(sheet.cssRules, facts);
      facts.any ||= document.getAnimations().some((one) => !(one instanceof CSSAnimation || one instanceof CSSTransition));
    } catch { facts.generated = facts.any = true; }
    return {generated: facts.generated, veils: facts.any || facts.veils, masks: facts.any || facts.masks, named: facts.any || facts.count > FEW || facts.named.has(null) ? null : facts.named,
      places: (tag) => facts.any || facts.tags.has(tag)};
  };
})();
