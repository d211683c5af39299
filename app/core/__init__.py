"""The words: events, asks, decisions, the timeline. No Qt, no SDK client, no clock, no files, no awaiting."""
