"""The MiniWoB++ pages played through the SDK's toolset."""
