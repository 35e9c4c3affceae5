/** One line of an exposition, by its name and labels: `petstore_requests_total{operation="getPet",…}`. */
export type Samples = ReadonlyMap<string, number>;

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\n"])*"`;
const SAMPLE = new RegExp(`^(${NAME})((?:\\{${LABEL}(?:,${LABEL})*\\})?) (-?[0-9.e+-]+)$`);

const SUFFIXES: Readonly<Record<string, Readonly<Record<"text" | "openmetrics", readonly string[]>>>> = {
  counter: { text: [""], openmetrics: ["_total"] },
  gauge: { text: [""], openmetrics: [""] },
  histogram: { text: ["_bucket", "_sum", "_count"], openmetrics: ["_bucket", "_sum", "_count"] },
};

/**
 * Reads an exposition as strictly as its specification is: each family once, its `HELP` and `TYPE` first, no sample twice, and
 * buckets that grow up to the count.
 * @throws when it is not as it must be.
 */
export function readExposition(text: string, format: "text" | "openmetrics"): Samples {
  const samples = new Map<string, number>();
  const families = new Set<string>();
  const lines = text.split("\n");
  if (lines.pop() !== "") throw new Error("The last line has no end");
  if (format === "openmetrics" && lines.pop() !== "# EOF") throw new Error("The end is missing");
  let family = "";
  let suffixes: readonly string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (line === "" && format === "text") continue;
    const help = new RegExp(`^# HELP (${NAME}) (?:[^\\\\]|\\\\[\\\\n])+$`).exec(line);
    if (help !== null) {
      family = help[1] ?? "";
      if (families.has(family)) throw new Error(`${family} comes twice`);
      families.add(family);
      const type = new RegExp(`^# TYPE ${family} (counter|gauge|histogram)$`).exec(lines[++index] ?? "");
      suffixes = SUFFIXES[type?.[1] ?? ""]?.[format] ?? [];
      if (type?.[1] === "counter" && format === "text" && !family.endsWith("_total")) throw new Error(family);
      continue;
    }
    const [, name = "", labels = "", value = ""] = SAMPLE.exec(line) ?? [];
    if (!suffixes.some((suffix) => name === family + suffix)) throw new Error(`Unexpected: ${line}`);
    if (samples.has(name + labels)) throw new Error(`Twice: ${name}${labels}`);
    samples.set(name + labels, Number(value));
  }
  checkBuckets(samples);
  return samples;
}

function checkBuckets(samples: Samples): void {
  let before = 0;
  let last = -Infinity;
  for (const [sample, value] of samples) {
    const [, name = "", all = ""] = /^(\w+)_bucket\{(.*)\}$/.exec(sample) ?? [];
    if (name === "") continue;
    const le = /\ble="([^"]+)"/.exec(all)?.[1] ?? "";
    const labels = all.replace(/\ble="[^"]+",?/, "").replace(/,$/, "");
    const bound = le === "+Inf" ? Infinity : Number(le);
    if (bound > last && value < before) throw new Error(`${sample} falls`);
    [before, last] = le === "+Inf" ? [0, -Infinity] : [value, bound];
    if (le === "+Inf" && samples.get(`${name}_count${labels === "" ? "" : `{${labels}}`}`) !== value)
      throw new Error(`${sample} is not the count`);
  }
}
