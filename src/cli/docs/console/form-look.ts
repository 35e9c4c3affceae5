/** What forms, verdicts and answers look like. */
export const FORM_STYLES = `.faint {
  color: var(--faint);
  font-size: 0.875rem;
  margin: 0.15rem 0;
}

.description {
  margin: 0.15rem 0;
  font-size: 0.875rem;
  white-space: pre-line;
  overflow-wrap: anywhere;
}

.mistake {
  color: var(--breaking);
  margin: 0.15rem 0;
  overflow-wrap: anywhere;
}

.mistake:empty,
.told:empty,
.faint:empty {
  display: none;
}

.notice {
  border-left: 4px solid var(--risky);
  padding: 0.25rem 0.75rem;
  background: var(--raised);
}

fieldset {
  min-width: 0;
  margin: 1rem 0;
  padding: 0.5rem 1rem 0.75rem;
  border: 1px solid var(--line);
  border-radius: 0.375rem;
}

legend {
  font-weight: 600;
  padding: 0 0.4rem;
}

.field {
  margin: 0.6rem 0;
}

.field .head {
  display: flex;
  align-items: baseline;
  justify-content: space-between;
  gap: 1rem;
}

label {
  font-weight: 600;
  overflow-wrap: anywhere;
}

.field label:not(.send) {
  display: block;
}

.send {
  white-space: nowrap;
  font-weight: 400;
}

.unsent :is(input[type="text"], select, textarea) {
  color: var(--faint);
  border-style: dashed;
}

input:not([type="checkbox"]),
select,
textarea {
  width: 100%;
  min-height: 2.5rem;
  padding: 0.4rem 0.6rem;
  border: 1px solid var(--faint);
  border-radius: 0.25rem;
  background: var(--ground);
  color: var(--text);
  font: inherit;
}

input[type="checkbox"] {
  width: 1.1rem;
  height: 1.1rem;
  vertical-align: -0.15rem;
}

[aria-invalid] {
  border-color: var(--breaking);
}

textarea,
pre,
code {
  font: 0.875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}

button {
  min-height: 2.25rem;
  padding: 0.25rem 0.9rem;
  border: 1px solid var(--faint);
  border-radius: 0.25rem;
  background: var(--raised);
  color: var(--text);
  font: inherit;
  cursor: pointer;
}

button.main {
  background: var(--link);
  border-color: var(--link);
  color: var(--ground);
  font-weight: 600;
}

.buttons {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.75rem;
}

.verdict {
  margin: 1rem 0;
  padding: 0.1rem 1rem;
  border-left: 4px solid var(--safe);
  background: var(--raised);
  overflow-wrap: anywhere;
}

.verdict.bad {
  border-color: var(--breaking);
}

.verdict p {
  margin: 0.4rem 0;
}

.results {
  border-top: 1px solid var(--line);
}

.results:has(.told:empty) {
  display: none;
}

.told.shown {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
}

.status strong {
  font-size: 1.25rem;
  color: var(--risky);
}

.status .class-2 {
  color: var(--safe);
}

.status :is(.class-4, .class-5) {
  color: var(--breaking);
}

pre {
  max-height: 32rem;
  margin: 0.5rem 0;
  padding: 0.75rem;
  overflow: auto;
  border: 1px solid var(--line);
  border-radius: 0.375rem;
  background: var(--raised);
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}

pre .line {
  display: block;
}

mark {
  background: none;
  color: inherit;
  box-shadow: inset 3px 0 var(--breaking);
  text-decoration: underline wavy var(--breaking);
}

img {
  max-width: 100%;
}

.path {
  overflow-wrap: anywhere;
}

ol,
ul {
  padding-left: 1.5rem;
}

ol li {
  margin: 0.5rem 0;
}

h1,
h2,
h3 {
  margin: 1.25rem 0 0.5rem;
  line-height: 1.25;
}

h1 {
  font-size: 1.75rem;
}

h2 {
  font-size: 1.35rem;
}

h3 {
  font-size: 1.1rem;
}
`;
