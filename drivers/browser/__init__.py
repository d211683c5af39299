"""A real browser page as a driver for the SDK's browser toolset."""
