"""The stage: the picture of the driven screen, the largest thing in the window, with what is aimed at drawn over it."""
