"""The commands, one file each. None imports Qt, the SDK or Playwright before it must."""
