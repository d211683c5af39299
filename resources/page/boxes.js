// Where a thing is drawn that has no box of its own: an area of a picture, and what only passes its contents on.
(() => {
  const S = globalThis.signalbox;
  if (S.rects) return;
  const {dom} = S;
  const passesOn = (el) => dom.style(el).display === 'contents';
  const picture = (area) => {
    const map = dom.closest(area, 'map'), name = map && dom.attr(map, 'name');
    if (!name) return null;
    for (const img of dom.findAll(document, 'img[usemap]')) if (img instanceof HTMLElement && dom.attr(img, 'usemap') === '#' + name && dom.visible(img)) return img;
    return null;
  };
  const ofArea = (area) => {
    const img = picture(area), at = img && S.place(img);
    if (!at) return null;
    const shape = (dom.attr(area, 'shape') ?? '').toLowerCase();
    const given = (dom.attr(area, 'coords') ?? '').split(/[\s,;]+/).map(Number).filter(Number.isFinite).slice(0, 200);
    let [left, top, right, bottom] = [0, 0, dom.width(img), dom.height(img)];
    if (/^circ/.test(shape)) {
      const [x, y, r] = given;
      [left, top, right, bottom] = [x - r, y - r, x + r, y + r];
    } else if (shape !== 'default') {
      const across = given.filter((_, place) => place % 2 === 0), down = given.filter((_, place) => place % 2 === 1);
      [left, top, right, bottom] = [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
    }
    if (![left, top, right, bottom].every(Number.isFinite)) return null;
    return new DOMRect(at.x + left * at.scaleX, at.y + top * at.scaleY, (right - left) * at.scaleX, (bottom - top) * at.scaleY);
  };
  const contents = (el) => { const range = document.createRange(); range.selectNodeContents(el); return range; };

  S.rect = (el) => {
    const own = dom.rect(el);
    if (own.width > 0 || own.height > 0) return own;
    if (dom.tag(el) === 'area') return ofArea(el) ?? own;
    return passesOn(el) ? contents(el).getBoundingClientRect() : own;
  };
  S.rects = (el) => {
    if (dom.tag(el) === 'area') return [S.rect(el)];
    return [...passesOn(el) ? contents(el).getClientRects() : dom.rects(el)];
  };
  S.shown = (el) => dom.visible(el) || (dom.tag(el) === 'area' ? picture(el) !== null
    : passesOn(el) && dom.style(el).visibility === 'visible');
  S.scrolledBy = (el) => dom.tag(el) === 'area' ? picture(el) ?? el : passesOn(el) ? dom.kid(el) ?? dom.parent(el) ?? el : el;
})();
