/** Screens where the menu covers the content; Redoc changes its own layout at the same width. */
export const NARROW = "(max-width: 50rem)";
