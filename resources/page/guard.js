// The guard's place on the window, in the capture phase. Put there before a document's own scripts run, it hears of each
// press before any listener of theirs. Kept by a symbol: an element of the page cannot pass for it by its name.
(() => {
  const KINDS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu',
    'touchstart', 'touchend'];
  const guard = globalThis[Symbol.for('signalbox.guard')] ??= {
    watch: () => {},
    heard: (event) => guard.watch(event),
    // Also where it stood before: a document that is written anew has lost it. It is not added twice.
    stand: () => { for (const kind of KINDS) addEventListener(kind, guard.heard, {capture: true, passive: false}); },
  };
  guard.stand();
})();
