import { PALETTE_STYLES } from "../palette.js";
import { FORM_STYLES } from "./form-look.js";

/** The page's frame and its menu. */
const FRAME_STYLES = `* {
  box-sizing: border-box;
}

[hidden] {
  display: none !important;
}

body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 16px/1.5 -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}

a {
  color: var(--link);
}

:focus-visible {
  outline: 3px solid var(--link);
  outline-offset: 1px;
}

h1:focus {
  outline: none;
}

.skip {
  position: absolute;
  left: -100rem;
}

.skip:focus {
  left: 0.5rem;
  top: 0.5rem;
  padding: 0.5rem;
  background: var(--ground);
}

#console {
  display: grid;
  grid-template: "header" auto "menu" auto "page" auto / minmax(0, 1fr);
}

header {
  grid-area: header;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  padding: 0 1rem;
  border-bottom: 1px solid var(--line);
}

[data-theme-switch] {
  padding: 0.5rem 0;
}

[data-theme-switch] label {
  display: flex;
  align-items: center;
  gap: 0.5rem;
  font-weight: normal;
  white-space: nowrap;
}

.menu {
  grid-area: menu;
  padding: 0.5rem 1rem;
  border-bottom: 1px solid var(--line);
}

.page {
  grid-area: page;
  padding: 0 1rem 4rem;
  max-width: 62rem;
}

summary {
  cursor: pointer;
  padding: 0.25rem 0;
  font-weight: 600;
}

nav ul {
  list-style: none;
  margin: 0 0 0.5rem;
  padding: 0;
}

nav li a {
  display: block;
  padding: 0.3rem 0.5rem;
  border-radius: 0.25rem;
  color: var(--text);
  text-decoration: none;
  overflow-wrap: anywhere;
}

nav li a:hover {
  background: var(--raised);
}

nav li a[aria-current] {
  background: var(--raised);
  box-shadow: inset 3px 0 var(--link);
}

.gone {
  text-decoration: line-through;
}

.method {
  font: 600 0.72rem/1 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  color: var(--link);
}

.method.delete {
  color: var(--breaking);
}

.method.post,
.method.put,
.method.patch {
  color: var(--safe);
}

@media (min-width: 60rem) {
  #console {
    grid-template: "header header" auto "menu page" 1fr / 20rem minmax(0, 1fr);
  }

  .menu {
    position: sticky;
    top: 0;
    align-self: start;
    max-height: 100vh;
    overflow: auto;
    border: 0;
  }

  .menu > summary {
    display: none;
  }

  .page {
    padding: 0 2rem 4rem;
  }
}
`;

/** What the console looks like. */
export const CONSOLE_STYLES = [PALETTE_STYLES, FRAME_STYLES, FORM_STYLES].join("\n");
