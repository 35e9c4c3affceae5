import { PALETTE_STYLES } from "./palette.js";
import { REDOC_STYLES } from "./redoc-look.js";

/** Redoc changes its own layout at the same width. */
const NARROW = "(max-width: 50rem)";

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

#menu {
  position: sticky;
  top: 0;
  display: flex;
  flex-direction: column;
  height: 100vh;
  border-right: 1px solid var(--line);
  background: var(--ground);
}

#menu .title {
  margin: 0;
  padding: 1rem 1rem 0;
  font-weight: 600;
  overflow-wrap: anywhere;
}

#menu .tools {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 1rem;
  padding: 0.75rem 1rem;
}

#menu .tools:has(select) {
  border-top: 1px solid var(--line);
}

#menu details {
  flex-basis: 100%;
}

#menu details ul {
  padding-left: 1rem;
}

#menu summary {
  width: fit-content;
  cursor: pointer;
}

#menu input,
#menu select {
  min-height: 1.75rem;
  padding: 0.125rem 0.5rem;
  border: 1px solid var(--faint);
  border-radius: 4px;
  background: var(--ground);
  color: var(--text);
  font: inherit;
}

#menu input {
  width: 100%;
}

#menu .entries {
  flex: 1;
  overflow-y: auto;
  overscroll-behavior: contain;
  padding: 0 0.5rem 1rem;
}

#menu ul {
  margin: 0;
  padding: 0;
  list-style: none;
}

#menu ul ul {
  margin-left: 0.75rem;
}

#menu h2 {
  margin: 1rem 0.5rem 0.25rem;
  color: var(--faint);
  font-size: 0.75rem;
  letter-spacing: 0.03em;
  text-transform: uppercase;
}

#menu .row {
  display: flex;
  align-items: flex-start;
}

#menu h2.row {
  align-items: center;
}

#menu h2.row span {
  flex: 1;
}

#menu a {
  display: flex;
  flex: 1;
  gap: 0.5rem;
  min-width: 0;
  padding: 0.25rem 0.5rem;
  border-radius: 4px;
  color: inherit;
  text-decoration: none;
  overflow-wrap: anywhere;
}

#menu a:hover,
#menu .row button:hover {
  background: var(--raised);
}

#menu [aria-current] {
  background: var(--raised);
  color: var(--link);
  font-weight: 600;
}

#menu .deprecated .name {
  color: var(--faint);
  text-decoration: line-through;
}

#menu .path {
  display: block;
  color: var(--faint);
  font-size: 0.75rem;
  font-weight: 400;
}

#menu .method {
  flex: none;
  width: 2.75rem;
  color: var(--faint);
  font: 600 0.6875rem/1.3125rem ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  text-transform: uppercase;
}

#menu .row button {
  flex: none;
  width: 1.75rem;
  height: 1.75rem;
  padding: 0;
  border: 0;
  border-radius: 4px;
  background: none;
  color: var(--faint);
  cursor: pointer;
}

#menu .row button::before {
  content: "";
  display: inline-block;
  width: 0.4rem;
  height: 0.4rem;
  border: solid currentColor;
  border-width: 0 2px 2px 0;
  transform: translateX(-1px) rotate(-45deg);
}

#menu .row button[aria-expanded="true"]::before {
  transform: translateY(-2px) rotate(45deg);
}

#menu output {
  display: block;
  padding: 0 0.5rem;
  color: var(--faint);
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

  #menu {
    position: fixed;
    z-index: 20;
    inset: 3rem 0 0;
    height: auto;
    border: 0;
  }

  #menu:not(.open) {
    display: none;
  }

  body:has(#menu.open) {
    overflow: hidden;
  }

  #menu .title {
    display: none;
  }

  #menu a,
  #menu .row button {
    min-height: 2.25rem;
    padding-block: 0.5rem;
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

${REDOC_STYLES}`;
