"""Pages of the hard kinds, each met as a model meets it: through the SDK's toolset."""
