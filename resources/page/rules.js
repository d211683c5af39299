// What the rules of a document's sheets can do at all, so that a walk asks the browser only where the answer is open.
(() => {
  const S = globalThis.signalbox;
  if (S.rules) return;
  const MOST = 20000;
  const GROUPS = /@import|@layer|@media|@supports|@container|@scope/i;
  const PLACES = ['display', 'visibility', 'contentVisibility', 'position', 'float', 'cursor', 'animationName', 'all'];
  const ATTRIBUTE = /\[\s*([^\s~|^$*=\]]*)(.?)/g;

  // The tag that an element without attributes must have for a selector to meet it; '' for any, null where none can.
  const tagOf = (selector) => {
    const last = selector.trim().split(/[\s>+~]+/).pop();
    if (/[.#[]|::|:root/.test(last)) return null;
    const tag = /^[a-z][\w-]*/i.exec(last);
    return tag === null ? '' : tag[0].toLowerCase();
  };
  // The attributes that a selector asks for, wherever in it.
  const named = (selector) => {
    const out = [];
    if (selector.includes('.')) out.push('class');
    if (selector.includes('#')) out.push('id');
    if (selector.includes('[')) for (const [, name, after] of selector.matchAll(ATTRIBUTE))
      out.push(/^[\w-]+$/.test(name) && after !== '|' ? name.toLowerCase() : null);
    return out;
  };
  const places = (rule) => PLACES.some((name) => rule.style[name] !== '');
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
      facts.veils ||= rule.style.visibility !== '' || rule.style.contentVisibility !== '';
      facts.masks ||= rule.style.webkitTextSecurity !== '';
      let flat = selector;
      if (flat.includes('(')) for (let was = ''; was !== flat;) { was = flat; flat = flat.replace(/\([^()]*\)/g, ''); }
      for (const part of flat.split(',')) {
        const tag = tagOf(part);
        if (tag === null || facts.tags.has(tag)) continue;
        if (places(rule)) { if (tag) facts.tags.add(tag); else facts.any = true; }
      }
      const news = named(selector).filter((name) => !facts.named.has(name));
      if (news.length && places(rule)) for (const name of news) facts.named.add(name);
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
    return {generated: facts.generated, veils: facts.any || facts.veils, masks: facts.any || facts.masks, named: facts.any || facts.named.has(null) ? null : facts.named,
      places: (tag) => facts.any || facts.tags.has(tag)};
  };
})();
