import { MENU_STYLES } from "./menu-look.js";
import { NARROW } from "./narrow.js";
import { PALETTE_STYLES } from "./palette.js";
import { REDOC_STYLES } from "./redoc-look.js";

/** The reference page: its bar, its menu, and what Redoc renders beside. */
export const STYLES = `${PALETTE_STYLES}
* {
  box-sizing: border-box;
}

html {
  scroll-padding-top: 1rem;
}

body {
  display: grid;
  grid-template-columns: 17rem minmax(0, 1fr);
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 0.875rem/1.5 -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}

[hidden] {
  display: none !important;
}

/* Two colours, so that one of them shows on any ground. */
:focus-visible {
  outline: 2px solid var(--link) !important;
  outline-offset: 1px;
  box-shadow: 0 0 0 1px var(--ground) inset;
}

.bar :focus-visible {
  outline-offset: -2px;
}

.skip {
  position: fixed;
  z-index: 30;
  top: 0;
  left: 0;
  padding: 0.5rem 1rem;
  background: var(--ground);
  color: var(--link);
}

.skip:not(:focus) {
  transform: translateY(-200%);
}

.spoken {
  position: absolute;
  width: 1px;
  height: 1px;
  margin: 0;
  overflow: hidden;
  clip-path: inset(50%);
}

.bar {
  display: none;
}

main {
  position: relative;
  grid-column: 2;
  min-width: 0;
  min-height: 100vh;
  outline: none !important;
}

noscript {
  display: block;
  padding: 1.5rem;
}

noscript a {
  color: var(--link);
}

/* What is being rendered takes the place of what is shown when it is done. */
.reference.coming {
  position: absolute;
  inset: 0;
  visibility: hidden;
}

@media ${NARROW} {
  html {
    scroll-padding-top: 3rem;
  }

  body {
    display: block;
  }

  .bar {
    position: sticky;
    z-index: 20;
    top: 0;
    display: flex;
    align-items: center;
    height: 3rem;
    border-bottom: 1px solid var(--line);
    background: var(--ground);
  }

  .bar:has([hidden]) {
    display: none;
  }

  .bar button {
    align-self: stretch;
    padding: 0 1rem;
    border: 0;
    background: none;
    color: var(--link);
    font: inherit;
    font-weight: 600;
    cursor: pointer;
  }

  .bar p {
    min-width: 0;
    margin: 0;
    padding-right: 1rem;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
}

@media print {
  .skip,
  .bar,
  #menu {
    display: none !important;
  }

  body {
    display: block;
  }
}

${MENU_STYLES}
${REDOC_STYLES}`;
