// Lists to choose from: the browser's own, and those made of ordinary elements.
(() => {
  const S = globalThis.signalbox;
  if (S.choose) return;
  const {dom} = S;
  const named = (all, word, value, label) => all.find((o) => value(o) === word)
    ?? all.find((o) => label(o) === S.squeeze(word)) ?? all.find((o) => label(o).toLowerCase() === S.squeeze(word).toLowerCase());
  const pick = (all, word) => named(all, word, (o) => o.value, (o) => S.squeeze(o.label || o.text));
  const exactly = (all, picked) => all.filter((o) => o.selected).length === picked.length && picked.every((o) => o?.selected);

  S.choose = (ref, wanted) => {
    const now = S.state(ref);
    if (now.status !== 'ok') return JSON.stringify({status: now.status});
    const {el} = now;
    if (!(el instanceof HTMLSelectElement)) return JSON.stringify({status: 'custom'});
    if (dom.matches(el, ':disabled')) return JSON.stringify({status: 'disabled'});
    if (!el.multiple && wanted.length !== 1) return JSON.stringify({status: 'single'});
    const all = [...el.options], picked = [];
    for (const word of wanted) {
      const found = pick(all, word);
      if (!found) return JSON.stringify({status: 'missing'});
      if (dom.matches(found, ':disabled')) return JSON.stringify({status: 'disabled option'});
      if (!picked.includes(found)) picked.push(found);
    }
    dom.focus(el);
    const before = all.map((o) => o.selected).join();
    for (const option of all) option.selected = picked.includes(option);
    if (all.map((o) => o.selected).join() !== before) {
      dom.fire(el, new Event('input', {bubbles: true, composed: true}));
      dom.fire(el, new Event('change', {bubbles: true}));
    }
    return JSON.stringify({status: 'ok'});
  };
  S.chosen = async (ref, wanted) => {  // after the page's turn: many a page takes a choice back then
    await S.turned();
    const el = S.nodeOf(ref);
    if (!el || !dom.connected(el)) return JSON.stringify({same: false});
    const all = [...el.options], picked = new Set(wanted.map((word) => pick(all, word)));
    return JSON.stringify({same: exactly(all, [...picked])});
  };

  // A list of ordinary elements --------------------------------------------------------------------------------------
  const own = (el) => {  // its options, in it or in what it says that it controls
    const root = dom.rootOf(el), ids = `${dom.attr(el, 'aria-controls') ?? ''} ${dom.attr(el, 'aria-owns') ?? ''}`;
    const lists = [el, ...ids.split(/\s+/).filter(Boolean)
      .map((id) => root instanceof Document ? dom.byId(root, id) : root.getElementById?.(id)).filter(Boolean)];
    return {lists, options: [...new Set(lists.flatMap((list) => [...dom.all(list, '[role=option]')]))]};
  };
  const marked = (o) => dom.has(o, 'aria-selected') || dom.has(o, 'aria-checked');
  const isChosen = (o) => dom.attr(o, 'aria-selected') === 'true' || dom.attr(o, 'aria-checked') === 'true';
  const shown = (el) => S.squeeze(`${typeof el.value === 'string' ? el.value : ''} ${dom.textOf(el)}`);
  const target = (o, key) => ({key, ref: S.issue(o, 'option', S.label(o, 'option', S.name(o))).ref});

  S.customList = (ref, words, again) => {
    // `again`: it was pressed since, which may have given it another name.
    const now = again ? {status: 'ok', el: S.nodeOf(ref)} : S.state(ref);
    if (now.status !== 'ok') return JSON.stringify({status: now.status, next: S.issued()});
    if (!now.el || !dom.connected(now.el)) return JSON.stringify({status: 'gone', next: S.issued()});
    const {el} = now, {lists, options} = own(el);
    const found = words.map((word) => named(options, word, (o) => dom.attr(o, 'data-value'), S.name));
    const there = found.filter(Boolean), open = options.filter((o) => dom.visible(o));
    const multi = lists.some((list) => dom.attr(list, 'aria-multiselectable') === 'true')
      || options.some((o) => dom.has(o, 'aria-checked'));
    const others = multi ? options.filter((o) => isChosen(o) && !there.includes(o)) : [];
    const press = [...new Set(there)].filter((o) => !isChosen(o)).map((o) => target(o, 'option ' + S.name(o)))
      .concat(others.map((o) => target(o, 'other ' + S.name(o))));
    const inList = lists.some((list) => list === el && dom.attr(el, 'role') === 'listbox');
    return JSON.stringify({status: 'ok', empty: options.length === 0, multi, press, missing: there.length < words.length,
      closed: there.some((o) => !open.includes(o)) || others.some((o) => !open.includes(o)) || options.length === 0,
      disabled: there.some((o) => dom.attr(o, 'aria-disabled') === 'true'), marked: options.some(marked),
      shows: !inList && words.every((word, i) => shown(el).includes(found[i] ? S.name(found[i]) : S.squeeze(word))),
      sign: JSON.stringify([inList ? '' : shown(el).slice(0, 2000), options.length, open.length,
        open.map((o) => `${isChosen(o)} ${dom.attr(o, 'class') ?? ''}`).join().slice(0, 2000)]), next: S.issued()});
  };
})();
