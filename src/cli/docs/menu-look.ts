import { NARROW } from "./narrow.js";

/** The menu: beside the content, or on a narrow screen over it while it is open. */
export const MENU_STYLES = `#menu {
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
  width: 3.125rem;
  color: var(--faint);
  font: 600 0.6875rem/1.3125rem ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  text-transform: uppercase;
  white-space: nowrap;
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
`;
