// What a report tells of a control: role, label, state, and its value where the privacy rule allows it.
(() => {
  const S = globalThis.signalbox;
  if (S.control) return;
  const {dom, ACTS, MARKS} = S;
  const SECRET_FILL = /^(cc-|one-time-code|current-password|new-password)/;

  // label: what the control is called, where that is known.
  const secret = (el, marks = MARKS.ALL, label = null) => {
    if (el instanceof HTMLInputElement && (el.type === 'password' || el.type === 'file')) return true;
    if (marks & MARKS.SECRET && calledSecret(el)) return true;
    if (S.mayBeMasked(el) && drawnAsDots(el)) return true;
    const name = label ?? nameOf(el);
    if (S.namesSecret(name)) return true;
    const all = S.labels(el, marks), around = all.length ? null : dom.closest(el, 'label');
    for (const one of around ? [around] : all) {
      const text = dom.textOf(one).slice(0, 200);
      if (text !== name && S.namesSecret(text)) return true;
    }
    return about(el, name, label === null || S.mayBeTold(el));
  };
  // A name may hold the value of another field, which is asked whether it is secret: that one is not asked for its name as well.
  let naming = false;
  const nameOf = (el) => {
    if (naming) return '';
    naming = true;
    try { return S.name(el); } finally { naming = false; }
  };
  // By "new-password" libraries keep the browser from filling in their lists to choose from; nobody chooses a password there.
  const fillsSecret = (el, word) => SECRET_FILL.test(word) && !(word === 'new-password' && dom.attr(el, 'role') === 'combobox');
  const calledSecret = (el) => (dom.attr(el, 'autocomplete') ?? '').split(/\s+/).some((word) => fillsSecret(el, word))
    || ['name', 'id', 'aria-label', 'placeholder', 'title'].some((told) => S.namesSecret(dom.attr(el, told) ?? ''));
  const drawnAsDots = (el) => S.masked(el) || !(el instanceof HTMLInputElement) && [...dom.all(el, '*')].some(S.masked);
  // What stands around a field says what it is for: the group it is in and, where it has no name, what is before and above it.
  const about = (el, name, grouped) => {
    const group = grouped ? dom.closest(el, 'fieldset, [role=group]') : null;
    if (group !== null && S.namesSecret(nameOf(group))) return true;
    if (name !== '' && !name.startsWith('(unnamed')) return false;
    const cell = dom.closest(el, 'td'), before = el.previousSibling;
    if (before && S.namesSecret(dom.textOf(before).slice(-100))) return true;
    if (!(cell instanceof HTMLTableCellElement)) return false;
    const row = dom.parent(cell), table = dom.closest(cell, 'table'), place = cell.cellIndex;
    const above = table instanceof HTMLTableElement ? table.rows[0]?.cells[place] : null;
    return [row instanceof HTMLTableRowElement ? row.cells[place - 1] : null, above].some((other) =>
      other && other !== cell && S.namesSecret(dom.textOf(other).slice(0, 100)));
  };
  const valueOf = (el, role) => {
    if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) return el.value;
    if (el instanceof HTMLSelectElement) return el.multiple ? undefined : el.value;
    if (ACTS[role] === 'slider' || role === 'spinbutton') return dom.attr(el, 'aria-valuetext') ?? dom.attr(el, 'aria-valuenow') ?? undefined;
    if (role === 'combobox') return chosenOf(el);
    if (ACTS[role] === 'textbox') return el instanceof HTMLElement ? el.innerText : dom.textOf(el);
    return undefined;
  };
  // A list to choose from that is made of ordinary elements shows the choice as its text, or in a field inside of it.
  const FILLING = /[\u200b\u2060\ufeff]/g;
  const chosenOf = (el) => {
    const field = dom.one(el, 'input:not([type=hidden]), textarea');
    if (field !== null) return secret(field) ? undefined : field.value;
    if (dom.one(el, '[role=listbox], [role=option]') !== null) return undefined;
    return S.squeeze((el instanceof HTMLElement ? el.innerText : dom.textOf(el)).replace(FILLING, ''));
  };
  const checkedOf = (el) => {
    if (el instanceof HTMLInputElement) return el.checked;
    return dom.attr(el, 'aria-checked') === 'true' || dom.attr(el, 'aria-pressed') === 'true';
  };
  const optionsOf = (el, role, out) => {
    const native = el instanceof HTMLSelectElement;
    const all = native ? [...el.options] : S.optionsIn(el);
    if (all.length > 200) out.omit.add('target_limit');
    return all.slice(0, 200).map((o) => {
      const name = S.clean(native ? S.squeeze(o.label || o.text) : S.name(o)).slice(0, 600) || '(blank)';
      const option = {label: name, value: S.clean(native ? o.value : dom.attr(o, 'data-value') ?? name).slice(0, 2000)};
      if (ACTS[role] === 'listbox') option.selected = native ? o.selected : dom.attr(o, 'aria-selected') === 'true';
      return option;
    });
  };
  const FIELDS = new Set(['button', 'input', 'select', 'textarea', 'option', 'optgroup', 'fieldset']);
  const disabled = (el, tag, marks) => {
    return (FIELDS.has(tag) ? (S.mayBeGrouped(el) ? dom.matches(el, ':disabled') : el.disabled === true) : tag.includes('-') && 'disabled' in el && dom.matches(el, ':disabled'))
      || (marks & MARKS.STATE && dom.attr(el, 'aria-disabled') === 'true') || (S.mayBeInert(el) && S.inert(el));
  };

  // Out of use with all that stands around it, through shadow roots too: said so, or a dialog that lets nothing else be used.
  S.inert = (el) => {
    for (let at = el; at instanceof Element; at = dom.rootOf(at).host) {
      const said = dom.closest(at, '[inert], dialog:modal');
      if (said !== null) return dom.has(said, 'inert');
    }
    return dom.findAll(document, 'dialog:modal').length > 0;
  };

  // The label stands for a control that is there but not drawn (a styled box).
  const standIn = (el) => {
    for (const label of S.labels(el)) if (dom.visible(label) && sized(label)) return label;
    return null;
  };
  const sized = (el) => { const r = dom.rect(el); return r.width >= 1 && r.height >= 1; };

  // What a report tells of controls is handed over in columns, as text: several times cheaper than lists and objects.
  // The numbers of refs as runs of first and count; each role as a letter, by its place in ACTS; boxes in tenths of a
  // pixel, each as what it differs by from that of the control of its role before; labels; and for all but buttons what
  // they hold: false or true, a value, {value, options} or null.
  const LETTER = Object.fromEntries(Object.keys(ACTS).map((role, place) => [role, String.fromCharCode(65 + place)]));
  const tenths = (n) => Math.round(n * 10), NOWHERE = {x: 0, y: 0, width: 0, height: 0};
  S.columns = () => ({runs: [], last: -1, places: '', boxes: [], stood: {}, labels: [], held: []});
  // marks are given for what is known to be in view.
  S.control = (el, tag, role, out, box, marks = MARKS.ALL) => {
    const kind = ACTS[role];
    if (!kind || disabled(el, tag, marks)) return;
    if (out.count >= out.maxElements) { out.omit.add('target_limit'); return; }
    const label = S.name(el, role, marks, marks !== MARKS.ALL) || S.label(el, role, '');
    const r = box ?? dom.rect(standIn(el) ?? el), {columns} = out;
    if (kind !== 'button') columns.held.push(holds(el, role, kind, out, marks, label));
    const {number} = S.issue(el, role, label);
    if (number === columns.last + 1) columns.runs[columns.runs.length - 1]++; else columns.runs.push(number, 1);
    columns.last = number;
    columns.places += LETTER[role];
    const x = tenths(r.x), y = tenths(r.y), width = tenths(r.width), height = tenths(r.height);
    const was = columns.stood[role] ?? NOWHERE;
    columns.boxes.push(x - was.x, y - was.y, width - was.width, height - was.height);
    columns.stood[role] = {x, y, width, height};
    columns.labels.push(label);
    out.count++;
  };
  const holds = (el, role, kind, out, marks, label) => {
    if (kind === 'checkbox' || kind === 'radio') return checkedOf(el);
    if (secret(el, marks, label)) { if (el.value !== '') out.omit.add('private'); return null; }
    const given = valueOf(el, role), value = typeof given === 'string' ? S.clean(given.slice(0, 2000)) : null;
    if (kind !== 'listbox' && kind !== 'combobox') return value;
    const options = optionsOf(el, role, out);
    return !options.length ? value : value === null ? {options} : {value, options};
  };
  // A wrapper that listens for all that it holds is no control; what it holds is.
  const crowd = (el) => dom.all(el, 'a[href], button, input, select, textarea, [role], [tabindex], [onclick]').length > 3
    || dom.all(el, '*').length > 40;
  S.standIn = standIn;
  S.secret = secret;
})();
