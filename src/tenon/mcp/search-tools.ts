import type { Tool } from "./tools.js";

/** A tool that was found, for a model to choose from. */
export interface FoundTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** Weights of the words of a tool, by the place of a word. */
const WEIGHTS = { name: 6, path: 4, description: 3, tag: 2, argument: 1, detail: 0.7 } as const;

/**
 * Creates a search of tools by words, such as "create an issue comment". A word that few tools have counts more; endings are ignored.
 */
export function createToolSearch(tools: readonly Tool[]): (query: string, limit: number) => readonly Tool[] {
  const indexed = tools.map((tool) => ({
    tool,
    words: indexWords(tool),
    titleLength: new Set(listWords(`${tool.name} ${tool.title}`)).size,
  }));
  const counts = new Map<string, number>();
  for (const { words } of indexed)
    for (const word of words.keys()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (query, limit) => {
    const wanted = [...new Set(listWords(query))];
    const scored = indexed.map(({ tool, words, titleLength }) => {
      const own = wanted.map((word) => {
        const rarity = Math.log(1 + tools.length / (counts.get(word) ?? tools.length));
        return (words.get(word) ?? 0) * rarity;
      });
      const matched = own.filter((one) => one > 0).length / wanted.length;
      const total = own.reduce((sum, one) => sum + one, 0) * (0.5 + matched);
      // A short title that says all of it is a better match than a long one that says more.
      return { tool, score: total / Math.sqrt(titleLength + 3) };
    });
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ tool }) => tool);
  };
}

function indexWords({
  name,
  title,
  description,
  operation,
  inputSchema,
  arguments: known,
}: Tool): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const word of listWords(text)) words.set(word, Math.max(words.get(word) ?? 0, weight));
  };
  add(`${name} ${title}`, WEIGHTS.name);
  add(`${operation.path} ${METHOD_WORDS[operation.method] ?? ""}`, WEIGHTS.path);
  add(description.slice(0, 300), WEIGHTS.description);
  add(operation.tags.join(" "), WEIGHTS.tag);
  add(known.map((one) => one.name).join(" "), WEIGHTS.argument);
  add((operation.description ?? "").slice(0, MAX_INDEXED), WEIGHTS.detail);
  add(describeValues(inputSchema), WEIGHTS.detail);
  return words;
}

/** Characters of a description that are searched, beyond those that a model gets. */
const MAX_INDEXED = 2_000;

/** Descriptions of arguments, and their values: `reboot` may be a value only. */
function describeValues({ properties }: Tool["inputSchema"]): string {
  return Object.values(properties)
    .flatMap((schema) => {
      const { description = "", enum: values = [] } = schema as { description?: string; enum?: unknown[] };
      return [description, ...values.filter((value) => typeof value === "string")];
    })
    .join(" ");
}

/** Words that people use for methods. */
const METHOD_WORDS: Readonly<Record<string, string>> = {
  get: "get list show find read see download",
  post: "create add new make open start run send set write upload request ask approve",
  put: "set replace update write add save",
  patch: "update change edit rename close reopen set",
  delete: "delete remove cancel stop",
};

/** Short forms, and the words that they stand for. */
const SHORT: Readonly<Record<string, string>> = {
  ...{
    org: "organization",
    repo: "repository",
    config: "configuration",
    auth: "authenticated",
    i: "authenticated",
  },
  ...{
    my: "authenticated",
    me: "authenticated",
    mine: "authenticated",
    pr: "pull request",
    id: "identifier",
  },
  ...{ someone: "user", people: "user", person: "user", msg: "message", doc: "document" },
};

const STOP_WORDS: ReadonlySet<string> = new Set([
  ...[
    "a",
    "an",
    "the",
    "of",
    "for",
    "to",
    "in",
    "on",
    "at",
    "by",
    "with",
    "and",
    "or",
    "is",
    "are",
    "be",
    "as",
  ],
  ...["that", "this", "which", "who", "what", "all", "it", "its", "from", "whether", "if"],
]);

/** Words in lower case without endings: `listPets` and "lists pets" are both list, pet. */
function listWords(text: string): readonly string[] {
  const words = text
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\d]+/gu);
  return (words ?? [])
    .flatMap((word) => (Object.hasOwn(SHORT, word) ? (SHORT[word] ?? "").split(" ") : [word]))
    .filter((word) => !STOP_WORDS.has(word))
    .map(stem);
}

function stem(word: string): string {
  if (word.length <= 3) return word;
  return word
    .replace(/ies$/, "y")
    .replace(/(?:(?<=[sxz]|ch|sh)es|(?<![su])s)$/, "")
    .replace(/(?:ing|ed)$/, "")
    .replace(/e$/, "");
}
