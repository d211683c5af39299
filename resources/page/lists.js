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
    if (!S.keysOnly(el)) dom.focus(el);  // a library opens what it draws for a list out of sight when that gets the focus
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

  S.listKind = (ref) => {
    const now = S.state(ref);
    return JSON.stringify(now.status !== 'ok' ? {status: now.status} : {status: 'ok', native: now.el instanceof HTMLSelectElement});
  };

  // A list of ordinary elements --------------------------------------------------------------------------------------
  // The options of a list, also those that are handed over to it through slots.
  S.optionsIn = (list) => {
    const given = [...dom.all(list, 'slot')].flatMap((slot) => slot.assignedElements({flatten: true}));
    return [...dom.all(list, '[role=option]'),
      ...given.flatMap((el) => [...dom.attr(el, 'role') === 'option' ? [el] : [], ...dom.all(el, '[role=option]')])];
  };
  const own = (el) => {  // its options, in it or in what it says that it controls
    const root = dom.rootOf(el), ids = `${dom.attr(el, 'aria-controls') ?? ''} ${dom.attr(el, 'aria-owns') ?? ''}`;
    const lists = [el, ...ids.split(/\s+/).filter(Boolean)
      .map((id) => root instanceof Document ? dom.byId(root, id) : root.getElementById?.(id)).filter(Boolean)];
    return {lists, options: [...new Set(lists.flatMap(S.optionsIn))]};
  };
  const sized = (el) => { const r = dom.rect(el); return r.width >= 1 && r.height >= 1; };
  // A library may keep its options out of sight, for whoever hears the page, and draw others of the same words beside them,
  // in what the list stands in. Only one that there is no other like is taken.
  const PLACE_STEPS = 4, PLACE_MOST = 3000;
  const ordinary = (el, place) => {
    for (let at = el; at instanceof Element && at !== place; at = S.parentOf(at)) if (S.ACTS[S.roleOf(at)] !== undefined) return false;
    return true;
  };
  const drawnBeside = (el, lists, name) => {
    if (dom.attr(el, 'aria-expanded') !== 'true') return null;
    for (const list of lists) {
      if (list === el) continue;
      let place = list;
      for (let steps = 0; steps < PLACE_STEPS && place !== dom.body(document) && !sized(place); steps++) place = dom.parent(place);
      if (!(place instanceof Element) || place === dom.body(document)) continue;
      const all = dom.all(place, '*');
      if (all.length > PLACE_MOST) continue;
      const says = (at) => S.squeeze(dom.textOf(at)) === name;
      const found = [...all].filter((at) => !S.inside(at, list) && says(at) && dom.visible(at) && sized(at)
        && ![...dom.all(at, '*')].some(says) && ordinary(at, place));
      if (found.length === 1) return found[0];
    }
    return null;
  };
  const marked = (o) => dom.has(o, 'aria-selected') || dom.has(o, 'aria-checked');
  const isChosen = (o) => dom.attr(o, 'aria-selected') === 'true' || dom.attr(o, 'aria-checked') === 'true';
  const shown = (el) => S.squeeze(`${typeof el.value === 'string' ? el.value : ''} ${dom.textOf(el)}`.slice(0, 2000));
  const around = (el) => S.squeeze(dom.textOf(S.shell(el)).slice(0, 2000));  // what a library draws around a field of its own
  const target = (o, key) => {
    const role = dom.attr(o, 'role') === 'option' ? 'option' : 'clickable';
    return {key, ref: S.issue(o, role, S.label(o, role, S.name(o))).ref};
  };

  S.customList = (ref, words, again) => {
    // `again`: it was pressed since, which may have given it another name.
    const now = again ? {status: 'ok', el: S.nodeOf(ref)} : S.state(ref);
    if (now.status !== 'ok') return JSON.stringify({status: now.status, next: S.issued()});
    if (!now.el || !dom.connected(now.el)) return JSON.stringify({status: 'gone', next: S.issued()});
    const {el} = now, {lists, options} = own(el);
    const drawn = (o) => dom.visible(o) && sized(o);
    const called = (o) => S.name(o) || S.squeeze(dom.textOf(o).slice(0, 600));  // one in a list that is shut shows no name
    const found = words.map((word) => {
      const option = named(options, word, (o) => dom.attr(o, 'data-value'), called);
      return option && drawn(option) ? option : drawnBeside(el, lists, option ? called(option) : S.squeeze(word)) ?? option;
    });
    const there = found.filter(Boolean), open = options.filter(drawn);
    const inSight = (o) => open.includes(o) || !options.includes(o);
    const multi = lists.some((list) => dom.attr(list, 'aria-multiselectable') === 'true')
      || options.some((o) => dom.has(o, 'aria-checked'));
    const others = multi ? options.filter((o) => isChosen(o) && !there.includes(o)) : [];
    const press = [...new Set(there)].filter((o) => !isChosen(o)).map((o) => target(o, 'option ' + called(o)))
      .concat(others.map((o) => target(o, 'other ' + called(o))));
    const inList = lists.some((list) => list === el && dom.attr(el, 'role') === 'listbox');
    const says = (text) => !inList && words.every((word, i) => text.includes(found[i] ? called(found[i]) : S.squeeze(word)));
    return JSON.stringify({status: 'ok', empty: options.length === 0, folded: !inList && dom.attr(el, 'aria-expanded') === 'false', multi, press, missing: there.length < words.length,
      closed: !there.every(inSight) || !others.every(inSight) || options.length === 0,
      disabled: there.some((o) => options.includes(o) ? dom.attr(o, 'aria-disabled') === 'true' : dom.closest(o, '[aria-disabled=true]') !== null),
      marked: options.some(marked), off: dom.attr(el, 'aria-disabled') === 'true' || dom.matches(el, ':disabled'), shows: says(shown(el)), around: says(around(el)),
      sign: JSON.stringify([inList ? '' : shown(el) + around(el), options.length, open.length,
        open.map((o) => `${isChosen(o)} ${dom.attr(o, 'class') ?? ''}`).join().slice(0, 2000)]), next: S.issued()});
  };
})();
