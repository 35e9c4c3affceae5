import { levels } from "pino";

/** Text that needs no quotation marks. */
const PLAIN = /^[\w./:?&=+-]+$/;

/**
 * Formats a line of the log for a terminal: `10:15:02.123 info  request method=GET path=/v1/pets status=200`. Parts of it come from
 * callers, so all characters except printable ASCII are escaped.
 */
export function toTerminalLine(line: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const name = levels.labels[Number(level)] ?? String(level);
  const texts = Object.entries(fields)
    .filter(([key]) => key !== "pid")
    .map(([key, value]) => `${key}=${toText(value)}`);
  const { stack } = (err ?? {}) as { readonly stack?: string };
  const trace = stack?.split("\n").map((frame) => `\n  ${escape(frame.trim())}`) ?? [];
  return `${[String(time).slice(11, 23), name.padEnd(5), msg, ...texts].join(" ")}${trace.join("")}\n`;
}

function toText(value: unknown): string {
  return typeof value === "string" && PLAIN.test(value) ? value : escape(JSON.stringify(value));
}

function escape(text: string): string {
  return text.replace(/[^ -~]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
