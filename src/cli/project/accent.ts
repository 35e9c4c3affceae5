import { isNode } from "tenon/core/document";

/** The colour of links, buttons and the chosen entry of the menu, `#0b6e4f`, in both themes of the docs. */
export interface Accent {
  readonly light: string;
  readonly dark: string;
}

/** Backgrounds of text in both themes, the ground first, as `palette.css` has them. */
export const GROUNDS = { light: ["#ffffff", "#f6f8fa"], dark: ["#0f1216", "#171b21"] } as const;

/** WCAG 2.2, success criterion 1.4.3. */
const MIN_CONTRAST = 4.5;

/** Share of the accent in the ground of what is chosen, as in `palette.css`. */
export const CHOSEN_SHARE = 0.1;

const COLOUR = /^#[\da-f]{6}$/i;

/** Finds what is wrong with an accent; the text follows its name. */
export function findAccentProblem(value: unknown): string | undefined {
  const { light, dark } = isNode(value) ? value : { light: value };
  for (const [theme, colour] of Object.entries({ light, dark })) {
    if (colour === undefined && theme === "dark") continue;
    if (typeof colour !== "string" || !COLOUR.test(colour))
      return ' must be a colour such as "#0b6e4f", or { light, dark } of two';
    const contrast = measureAccent(colour, theme as keyof Accent);
    if (contrast < MIN_CONTRAST)
      return `: ${colour} on the ${theme} theme's ground has a contrast of ${contrast.toFixed(1)}; text needs ${MIN_CONTRAST}`;
  }
  return undefined;
}

/** Creates an accent. A single colour becomes lighter for the dark theme until it can be read. */
export function toAccent(value: unknown): Accent {
  const { light, dark } = isNode(value) ? value : { light: value };
  const start = String(light);
  let found = typeof dark === "string" ? dark : start;
  for (let share = 0.1; dark === undefined && measureAccent(found, "dark") < MIN_CONTRAST; share += 0.1)
    found = mix(start, "#ffffff", share);
  return { light: start, dark: found };
}

/** Returns the lowest contrast that text in the accent's colour has in a theme. */
function measureAccent(colour: string, theme: keyof Accent): number {
  const [ground, raised] = GROUNDS[theme];
  const grounds = [ground, raised, mix(ground, colour, CHOSEN_SHARE)];
  return Math.min(...grounds.map((one) => contrastOf(colour, one)));
}

/** @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrastOf(one: string, other: string): number {
  const [less = 0, more = 0] = [one, other].map(luminanceOf).sort((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
}

/** @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = toParts(colour).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(from: string, to: string, share: number): string {
  const ends = toParts(to);
  const parts = toParts(from).map((part, index) => Math.round(part + ((ends[index] ?? 0) - part) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function toParts(colour: string): readonly number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}
