"""The embedded rehearsal: a scripted model over real HTTP, a demo site that really books, scenarios, outcomes."""
