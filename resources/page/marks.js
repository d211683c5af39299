// Which attributes an element has at all, so that only those are asked for that it has.
(() => {
  const S = globalThis.signalbox;
  if (S.marksOf) return;
  const {dom} = S;
  // What an attribute may tell of: the role, the name, which label is meant, a secret, the state, reacting, being drawn.
  const ROLE = 1, NAME = 2, ID = 4, SECRET = 8, STATE = 16, REACTS = 32, LOOKS = 64, ALL = 127;
  const TOLD = {role: ROLE, contenteditable: ROLE | REACTS, 'aria-label': NAME | SECRET, 'aria-labelledby': NAME, id: ID | SECRET, name: SECRET,
    placeholder: SECRET, title: SECRET, autocomplete: SECRET, 'aria-disabled': STATE, onclick: REACTS, tabindex: REACTS, style: LOOKS, hidden: LOOKS, popover: LOOKS};
  let told = new Map(Object.entries(TOLD)), looks = true;
  // named: the attributes by which a document's rules choose what they move, hide or mark; null where that is not known, and
  // how each element with attributes is drawn has to be asked anyway.
  S.marked = (named) => {
    told = new Map(Object.entries(TOLD));
    looks = named === null;
    if (named) for (const name of named) told.set(name, (told.get(name) ?? 0) | LOOKS);
  };
  S.marksOf = (el) => {
    let marks = looks ? LOOKS : 0;
    for (const name of dom.names(el)) marks |= told.get(name) ?? 0;
    return marks;
  };
  S.MARKS = {ROLE, NAME, ID, SECRET, STATE, REACTS, LOOKS, ALL};
})();
