/** Colours by name, the same in both themes; contrasts are those of WCAG 2.2 AA. */
const LIGHT = `
  color-scheme: light;
  --ground: #ffffff;
  --raised: #f6f8fa;
  --text: #1c2128;
  --faint: #57606a;
  --line: #d0d7de;
  --link: #0550ae;
  --breaking: #b3121d;
  --risky: #855000;
  --safe: #116329;
`;
const DARK = `
  color-scheme: dark;
  --ground: #15191f;
  --raised: #1f252d;
  --text: #e6eaef;
  --faint: #a3adb8;
  --line: #3a424c;
  --link: #79b8ff;
  --breaking: #ff8a85;
  --risky: #f0b440;
  --safe: #6fd486;
`;

/** The colours as custom properties: of the system's theme, unless `data-theme` on the root element chooses. */
export const COLOR_STYLES = `:root {${LIGHT}}

@media (prefers-color-scheme: dark) {
  :root:not([data-theme="light"]) {${DARK}}
}

:root[data-theme="dark"] {${DARK}}
`;
