"""Which player plays which task, and which tasks nobody plays and why."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tests.conformance.miniwob.hands import Hands
from tests.conformance.miniwob.play import buttons, drawing, editing, figures, forms, lists, mail, watching

Player = Callable[[Hands], Awaitable[None]]

SOLVED = 0.8
"""The page's own raw reward, from -1 to 1, from which an episode counts as solved."""

_FAMILIES: list[tuple[Player, str]] = [
    (buttons.press_the_only, "click-test focus-text"),
    (buttons.press_quoted, "click-button click-link unicode-test"),
    (buttons.press_in_order, "click-test-2 click-test-transfer click-button-sequence"),
    (buttons.button_delay, "button-delay"),
    (buttons.dialog, "click-dialog click-dialog-2"),
    (buttons.tab, "click-tab"),
    (buttons.behind_sections, "click-tab-2 click-tab-2-easy click-tab-2-medium click-tab-2-hard click-collapsible-2"
     " click-collapsible-2-nodelay"),
    (buttons.collapsible, "click-collapsible click-collapsible-nodelay"),
    (buttons.widget, "click-widget"),
    (buttons.focus_nth, "focus-text-2"),
    (buttons.greatest, "find-greatest"),
    (buttons.ascending, "ascending-numbers"),
    (buttons.grid_coordinate, "grid-coordinate"),
    (buttons.generate_number, "generate-number"),
    (buttons.odd_or_even, "odd-or-even"),
    (buttons.social_media, "social-media social-media-all social-media-some"),
    (buttons.phone_book, "phone-book"),
    (buttons.search_engine, "search-engine"),
    (buttons.tree, "navigate-tree"),
    (forms.enter_quoted, "enter-text enter-text-2 enter-text-dynamic enter-password"),
    (forms.enter_date, "enter-date"),
    (forms.enter_time, "enter-time"),
    (forms.login, "login-user login-user-popup"),
    (forms.read_table, "read-table read-table-2"),
    (forms.find_word, "find-word"),
    (forms.copy_paste, "copy-paste copy-paste-2"),
    (forms.last_word, "scroll-text"),
    (forms.scroll_text, "scroll-text-2"),
    (forms.sign_agreement, "sign-agreement"),
    (forms.search_movies, "multi-layouts multi-orderings"),
    (forms.arithmetic, "simple-arithmetic simple-algebra"),
    (forms.guess_number, "guess-number"),
    (forms.text_transform, "text-transform"),
    (forms.autocomplete, "use-autocomplete use-autocomplete-nodelay"),
    (forms.colour_field, "use-colorwheel use-colorwheel-2"),
    (forms.choose_date, "choose-date choose-date-easy choose-date-medium choose-date-nodelay"),
    (lists.checkboxes, "click-checkboxes click-checkboxes-large click-checkboxes-transfer"),
    (lists.option, "click-option"),
    (lists.choose, "choose-list click-scroll-list"),
    (lists.number_checkboxes, "number-checkboxes"),
    (lists.spinner, "use-spinner"),
    (lists.sliders, "use-slider use-slider-2"),
    (lists.slider_and_box, "form-sequence"),
    (lists.radio_and_field, "form-sequence-2"),
    (lists.dropdown_and_button, "form-sequence-3"),
    (lists.menu, "click-menu"),
    (lists.menu_of_icons, "click-menu-2"),
    (lists.pie, "click-pie click-pie-nodelay"),
    (lists.food, "order-food"),
    (lists.ticket, "buy-ticket"),
    (mail.mailbox, "email-inbox email-inbox-delete email-inbox-forward email-inbox-forward-nl"
     " email-inbox-forward-nl-turk email-inbox-important email-inbox-nl-turk email-inbox-noscroll email-inbox-reply"
     " email-inbox-star-reply"),
    (mail.flight, "book-flight book-flight-nodelay"),
    (mail.terminal, "terminal"),
    (figures.colour_box, "click-color"),
    (figures.shades, "click-shades"),
    (figures.identify, "identify-shape"),
    (figures.sides, "count-sides"),
    (figures.blocks, "visual-addition"),
    (figures.click_shape, "click-shape"),
    (figures.count_shape, "count-shape"),
    (drawing.circle_centre, "circle-center"),
    (drawing.midpoint, "find-midpoint"),
    (drawing.bisect, "bisect-angle"),
    (drawing.right_angle, "right-angle"),
    (drawing.draw_circle, "draw-circle"),
    (drawing.draw_line, "draw-line"),
    (drawing.box_into_box, "drag-box"),
    (drawing.one_way, "drag-circle drag-single-shape"),
    (drawing.shapes_into_boxes, "drag-shapes drag-shapes-2"),
    (drawing.drag_item, "drag-items drag-items-grid"),
    (drawing.sort_numbers, "drag-sort-numbers"),
    (drawing.resize, "resize-textarea"),
    (drawing.highlight, "highlight-text highlight-text-2"),
    (editing.editor, "text-editor"),
    (editing.calendar, "daily-calendar"),
    (watching.chase, "chase-circle"),
    (watching.stock, "stock-market"),
    (watching.simon, "simon-says"),
    (watching.hot_cold, "hot-cold"),
    (watching.moving, "moving-items"),
    (watching.tic_tac_toe, "tic-tac-toe"),
]  # fmt: skip

PLAYERS: dict[str, Player] = {task: player for player, tasks in _FAMILIES for task in tasks.split()}

UNPLAYED: dict[str, str] = {
    "click-checkboxes-soft": "asks for words of like meaning, which needs a language model",
    "hover-shape": "the page never gives a reward but the one for time run out",
    "drag-cube": "the side in front is told by a digit on a turning picture only",
}
"""Tasks that nobody plays, and why."""

IN_OWN_TIME = {"button-delay", "simon-says", "stock-market"}
"""What goes on by the clock there goes on only while the player waits, so that no machine is too slow for it."""

SLOW = {"chase-circle", "moving-items"}
"""Tasks of ten seconds and more, played only with many seeds; a busy machine gets them two tries more."""

SEED = 1
"""Of the episode that every run of the tests plays."""

SOMETIMES: dict[str, str] = {
    "bisect-angle": "a seed may put both points on one line with the corner, where nothing lies between them",
    "click-pie-nodelay": "the page does not feel a press on the slice that it opens with",
    "email-inbox-forward": "a seed may have two mails by the sender that is named",
    "email-inbox-noscroll": "a seed may have two mails by the sender that is named",
    "moving-items": "ten discs in ten seconds; a busy machine misses some",
    "tic-tac-toe": "the other side may come to a draw",
}
"""Tasks that are not solved at each seed, and why."""
