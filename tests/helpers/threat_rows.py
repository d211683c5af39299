"""Which tests stand for which row of `cases/threat_rows.json`, and the table of them at the end of a test run.

A row without tests is not yet true; why stands in docs/promises.md. Rows of other groups are counted as they come.
"""

import json
from pathlib import Path
from typing import Any

GROUPS = ("A", "B", "C", "H")
"""What the gate answers for: showing, deciding, between decision and effect, ways round the question."""

_CARD = "tests/views/decision/test_card.py::"
_PRESENTER = "tests/views/decision/test_presenter.py::"
_SPOOFING = "tests/views/decision/test_spoofing.py::"
_FURTHER = "tests/views/decision/test_further_answers.py::"
_TEXT = "tests/views/widgets/test_outside_text.py::"
_UNTRUSTED = "tests/unit/app/core/test_untrusted.py::"
_ADDRESS = "tests/unit/app/core/test_shown_address.py::"
_GATE = "tests/unit/app/gate/test_gate.py::"
_INBOX = "tests/unit/app/gate/test_inbox.py::"
_HABITS = "tests/unit/app/gate/test_habits.py::"
_STANDING = "tests/unit/app/gate/test_standing.py::"
_WITHDRAWAL = "tests/unit/app/runner/test_withdrawal.py::"
_ROUND = "tests/unit/app/runner/test_ways_round.py::"
_FAILURES = "tests/unit/app/runner/test_failures.py::"
_SWAPPED = "tests/unit/drivers/browser/test_swapped_page.py::"

SHOWN_AS_IT_IS = f"{_SPOOFING}test_a_spoofing_text_shows_what_it_is"

ROWS: dict[str, tuple[str, ...]] = {
    "T1": (SHOWN_AS_IT_IS,),
    "T2": (
        f"{_TEXT}test_a_spoofing_text_stays_in_its_rows_and_opens_nothing",
        "tests/views/decision/test_canary.py::test_no_text_of_a_question_makes_a_file_be_opened",
    ),
    "T3": (SHOWN_AS_IT_IS, f"{_ADDRESS}test_the_host_stands_apart"),
    "T4": (f"{_ROUND}test_what_the_model_says_about_its_call_is_no_part_of_the_question",),
    "T5": (f"{_CARD}test_nothing_painted_is_reachable_as_a_control",),
    "T6": (f"{_CARD}test_allow_waits_for_the_end_of_a_long_value",),
    "T8": (SHOWN_AS_IT_IS, f"{_TEXT}test_right_to_left_words_stay_in_stored_order"),
    "T10": (f"{_UNTRUSTED}test_what_must_be_named_is_a_mark", f"{_UNTRUSTED}test_findings_count_each_kind"),
    "T11": (f"{_ADDRESS}test_what_is_odd_is_said", f"{_UNTRUSTED}test_look_alike_alphabets_are_named"),
    "T13": (SHOWN_AS_IT_IS, f"{_FAILURES}test_a_lone_surrogate_goes_through_a_whole_run_and_is_on_record"),
    "T14": (f"{_UNTRUSTED}test_a_row_is_one_row_of_letters_that_can_be_seen", SHOWN_AS_IT_IS),
    "T16": (SHOWN_AS_IT_IS, f"{_CARD}test_a_storm_of_keys_allows_nothing"),
    "T17": (
        f"{_CARD}test_nothing_painted_is_reachable_as_a_control",
        "tests/views/decision/test_look_alike.py::test_a_painted_question_has_other_words_and_answers_nothing",
    ),
    "T18": (f"{_ADDRESS}test_the_registrable_domain_stands_apart", f"{_ADDRESS}test_any_text_can_be_shown"),
    "T19": ("tests/views/decision/test_arguments.py::test_a_key_given_twice_is_found_at_any_depth", SHOWN_AS_IT_IS),
    "T21": (
        f"{_SPOOFING}test_unknown_fields_keys_and_far_places_are_shown",
        f"{_SPOOFING}test_a_hundred_thousand_points_are_counted_and_their_ends_shown",
    ),
    "T23": (f"{_CARD}test_each_safety_check_is_ticked_by_hand",),
    "T24": (f"{_ROUND}test_each_action_of_a_batch_is_asked_with_a_picture_of_its_own",),
    "T25": ("tests/views/decision/test_crop.py::test_a_mark_stands_where_the_action_goes_at_any_scale",),
    "T28": (f"{_SPOOFING}test_a_million_letters_do_not_hold_the_window_up",),
    "T29": (
        f"{_CARD}test_no_button_is_preset_and_lone_keys_do_nothing",
        f"{_CARD}test_lone_keys_on_allow_itself_do_nothing",
    ),
    "T30": (
        f"{_CARD}test_the_deliberate_chord_allows_and_a_held_one_does_not",
        f"{_CARD}test_space_on_deny_is_a_press_and_a_held_space_is_not",
    ),
    "T31": (
        "tests/views/decision/test_arming.py::test_a_fresh_card_takes_no_answer",
        f"{_CARD}test_a_press_begun_too_early_does_not_count",
        f"{_CARD}test_moving_and_coming_back_arm_anew",
        "tests/views/decision/test_room.py::test_no_answer_moves_under_a_press",
        "tests/views/decision/test_room.py::test_clicking_on_through_a_fresh_card_arms_nothing",
    ),
    "T34": (
        "tests/views/test_on_display.py::test_a_question_takes_no_key_from_another_program",
        f"{_PRESENTER}test_no_card_opens_over_a_text_field_in_use",
    ),
    "T35": (
        f"{_CARD}test_every_way_out_is_deny",
        f"{_CARD}test_closing_a_fresh_card_is_deny",
        "tests/views/test_on_display.py::test_the_window_manager_closing_the_window_denies_drains_and_closes",
        "tests/views/test_bridge.py::test_a_signal_closes_the_window",
    ),
    "T36": (f"{_ROUND}test_the_sdk_gets_exactly_true_or_false",),
    "T37": (
        f"{_GATE}test_whatever_goes_wrong_is_a_denial_by_the_console",
        f"{_GATE}test_what_cannot_be_recorded_is_not_allowed",
        f"{_PRESENTER}test_a_question_that_cannot_be_shown_is_denied_by_the_console",
        f"{_PRESENTER}test_an_inbox_that_fails_leaves_nothing_allowed",
    ),
    "T38": (
        f"{_STANDING}test_an_unanswered_question_is_denied_only_where_that_is_set",
        f"{_FURTHER}test_a_time_limit_is_shown_counting",
    ),
    "T39": (
        "tests/end2end/test_own_desktop.py::test_without_a_person_s_confirmation_nothing_is_seen_or_asked",
        "tests/end2end/test_own_desktop.py::test_a_click_where_the_console_asks_is_refused_and_on_record",
    ),
    "T42": (
        f"{_HABITS}test_two_hundred_alike_then_one_with_another_target",
        f"{_HABITS}test_a_denial_and_other_kinds_of_question_start_anew",
        f"{_FURTHER}test_what_differs_from_a_habit_is_marked_and_must_be_ticked",
    ),
    "T43": (
        f"{_STANDING}test_it_answers_the_same_again_and_nothing_else",
        f"{_STANDING}test_it_ends_with_the_page_the_run_and_never_reaches_another_site",
        f"{_STANDING}test_it_is_counted_and_timed",
        f"{_STANDING}test_undo_counts_at_once_and_a_fresh_no_wins",
    ),
    "T44": (
        f"{_GATE}test_a_permit_is_for_its_own_call_part_and_arguments_only",
        f"{_GATE}test_an_allowed_ask_is_on_record_with_its_answer_and_permits_one_effect",
    ),
    "T46": (f"{_INBOX}test_asks_wait_in_the_order_they_came_and_answers_reach_their_own",),
    "T47": (
        f"{_PRESENTER}test_a_press_that_comes_too_late_counts_for_nothing_and_says_so",
        f"{_GATE}test_cancelling_withdraws_the_ask_and_records_the_denial",
    ),
    "T49": (
        f"{_WITHDRAWAL}test_a_change_withdraws_the_question_and_it_is_asked_anew",
        f"{_SWAPPED}test_a_navigation_withdraws_the_question_and_nothing_is_done",
    ),
    "T50": (
        f"{_WITHDRAWAL}test_no_wrong_element_is_pressed_whenever_the_page_swaps",
        f"{_SWAPPED}test_nothing_but_what_was_shown_is_pressed",
    ),
    "T51": (f"{_SWAPPED}test_keys_go_only_where_the_focus_was_when_asked",),
    "T53": (
        "tests/unit/drivers/browser/test_evidence.py::"
        "test_a_press_held_to_a_point_is_refused_when_something_else_lies_there",
        f"{_SWAPPED}test_nothing_but_what_was_shown_is_pressed",
    ),
    "T103": (
        "tests/unit/app/core/test_asked_ahead.py::test_no_rule_does_what_was_not_foretold",
        "tests/unit/app/cli/test_run.py::"
        "test_what_will_be_asked_is_said_before_there_is_a_window_and_nothing_in_it_is_hidden",
    ),
    "T104": (f"{_ROUND}test_a_page_that_says_the_user_approved_changes_nothing",),
    "T107": ("tests/architecture/test_no_way_in.py::test_nothing_of_the_console_listens",),
    "T110": (
        f"{_FAILURES}test_no_odd_answer_breaks_the_record_or_does_anything",
        f"{_FAILURES}test_nothing_of_an_answer_that_is_not_right_is_executed_and_the_answer_is_on_record",
    ),
}


def given_rows() -> list[dict[str, Any]]:
    """All rows as they were given."""
    text = (Path(__file__).parent / "cases" / "threat_rows.json").read_text(encoding="utf-8")
    return list(json.loads(text))


def pass_table(outcomes: dict[str, set[str]]) -> list[str]:
    """Lines of the table, for the outcomes (``passed``, ``failed``, …) of each test function that ran.

    Empty when hardly any of the rows' tests ran: whoever runs a single file is not told of the others.
    """
    tests = {row: [outcomes.get(test, set()) for test in named] for row, named in ROWS.items()}
    tried = [row for row, found in tests.items() if found and all(found)]
    if len(tried) < len(ROWS) // 2:
        return []
    passed = [row for row in tried if all(outcome == {"passed"} for outcome in tests[row])]
    wrong = [row for row in tried if row not in passed]
    not_yet = [row for row, named in ROWS.items() if not named]
    lines = [
        f"threat rows of groups {', '.join(GROUPS)}: {len(ROWS)}",
        f"  tried {len(tried)}, passed {len(passed)}, not yet true {len(not_yet)}",
    ]
    if not_yet:
        lines.append(f"  not yet true: {' '.join(not_yet)} (docs/promises.md)")
    return [*lines, f"  NOT PASSED: {' '.join(wrong)}"] if wrong else lines
