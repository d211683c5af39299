"""The embedded default: a scripted model over real HTTP and a local demo site."""
