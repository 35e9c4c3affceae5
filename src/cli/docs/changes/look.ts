import { PALETTE_STYLES } from "../palette.js";

/** Of pages of changes. */
export const CHANGES_STYLES = `${PALETTE_STYLES}
* {
  box-sizing: border-box;
}

body {
  max-width: 60rem;
  margin: 0 auto;
  padding: 1rem;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.5 -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere;
}

[hidden] {
  display: none !important;
}

h1,
h2,
h3,
h4 {
  margin: 1.5em 0 0.5em;
  line-height: 1.25;
}

h1 {
  margin-top: 0.5em;
  font-size: 1.75rem;
}

h2 {
  padding-bottom: 0.25em;
  border-bottom: 1px solid var(--line);
  font-size: 1.375rem;
}

h3 {
  font-size: 1.125rem;
}

.change > h3,
.change > h4 {
  margin: 0;
  font-size: 1rem;
}

p {
  margin: 0.25em 0;
}

a {
  color: var(--link);
}

code,
pre {
  font: 0.875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}

pre {
  margin: 0;
  white-space: pre-wrap;
}

.note,
.facts,
dt,
footer {
  color: var(--faint);
  font-size: 0.875rem;
}

.facts span {
  margin-left: 0.75em;
}

nav ul,
.changes,
.operations {
  margin: 0.5em 0;
  padding: 0;
  list-style: none;
}

summary {
  width: fit-content;
  cursor: pointer;
}

.change {
  margin: 0.75rem 0;
  padding: 0.75rem 1rem;
  border: 1px solid var(--line);
  border-left: 4px solid var(--shade);
  border-radius: 4px;
  background: var(--raised);
}

.shade {
  color: var(--shade);
  text-transform: uppercase;
  font-size: 0.8125rem;
  letter-spacing: 0.03em;
}

[data-shade="breaking"] {
  --shade: var(--breaking);
}

[data-shade="risky"] {
  --shade: var(--risky);
}

[data-shade="safe"] {
  --shade: var(--safe);
}

[data-shade="ignored"] {
  --shade: var(--ignored);
}

.notes {
  margin: 0.5em 0;
  padding-left: 1.25em;
  font-size: 0.875rem;
}

dl {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr));
  gap: 0.5rem 1rem;
  margin: 0.5em 0;
}

dd {
  margin: 0;
}

.filter {
  margin: 1rem 0;
}

select {
  padding: 0.125rem 0.25rem;
  border: 1px solid var(--faint);
  border-radius: 4px;
  background: var(--ground);
  color: var(--text);
  font: inherit;
}

fieldset {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 1.25rem;
  margin: 0;
  border: 1px solid var(--line);
  border-radius: 4px;
}

fieldset label {
  display: inline-flex;
  align-items: center;
  gap: 0.4em;
  min-height: 1.75rem;
}

output {
  display: block;
  min-height: 1.5em;
  color: var(--faint);
}

:focus-visible {
  outline: 2px solid var(--link);
  outline-offset: 2px;
}

@media print {
  .filter,
  [data-theme-switch] {
    display: none;
  }

  .change {
    break-inside: avoid;
  }
}
`;
