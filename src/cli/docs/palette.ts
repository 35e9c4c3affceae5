/** Colours of the pages. Contrasts are those of WCAG 2.2 AA in both themes; a browser in the tests measures them. */
export const PALETTES = {
  light: {
    ground: "#ffffff",
    raised: "#f6f8fa",
    text: "#1c2128",
    faint: "#57606a",
    line: "#d0d7de",
    link: "#0550ae",
    breaking: "#b3121d",
    risky: "#855000",
    safe: "#116329",
    ignored: "#57606a",
  },
  dark: {
    ground: "#15191f",
    raised: "#1f252d",
    text: "#e6eaef",
    faint: "#a3adb8",
    line: "#3a424c",
    link: "#79b8ff",
    breaking: "#ff8a85",
    risky: "#f0b440",
    safe: "#6fd486",
    ignored: "#a3adb8",
  },
} as const;

export type Theme = keyof typeof PALETTES;

/**
 * The palettes as custom properties, `--ground` and so on: the theme that the system asks for, unless `data-theme` on the root
 * element chooses.
 */
export const PALETTE_STYLES = `:root {
${declare("light")}
}

@media (prefers-color-scheme: dark) {
  :root:not([data-theme="light"]) {
${declare("dark")}
  }
}

:root[data-theme="dark"] {
${declare("dark")}
}

@media print {
  :root:root:root {
${declare("light")}
  }
}
`;

function declare(theme: Theme): string {
  const colors = Object.entries(PALETTES[theme]).map(([name, color]) => `  --${name}: ${color};`);
  return [`  color-scheme: ${theme};`, ...colors].join("\n");
}
