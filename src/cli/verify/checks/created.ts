import type { Creation } from "../creations.js";
import { makeValid } from "../drafts.js";
import { canEnter } from "../http/credentials.js";
import { flatten } from "../../values/flatten.js";
import { isObject, isSame } from "../../values/schema.js";
import type { Trial } from "../trial.js";
import { type Exchange, isSuccess, toJson } from "./check.js";

/** The thing may have gone since, or be another's. */
const NOT_TOLD = new Set([401, 403, 410, 429, 501, 503]);

/** What was created can be read, and is what the creation's answer said. */
export async function checkCreated(
  { read, parameter, member }: Creation,
  created: Exchange,
  trial: Trial,
): Promise<void> {
  const thing = toJson(created.answer);
  const sent = created.draft.value.body;
  if (!isObject(thing)) return;
  if (isObject(sent)) compareSent(sent, thing, created, trial);
  const [shape] = read.shapes;
  if (shape === undefined || !canEnter(read, trial.target, trial.credentials)) return;
  const [made] = makeValid(read, shape, { phase: "sequences", count: 1 }, trial);
  if (made === undefined) return;
  const path = { ...made.value.path, ...created.draft.value.path, [parameter]: thing[member] };
  const found = await trial.try({ ...made, expectation: "open", value: { path } });
  if (found === undefined || NOT_TOLD.has(found.answer.status)) return;
  const tell = (message: string, detail: string) => {
    trial.tell({ check: "created", message, detail }, [created, found]);
  };
  if (!isSuccess(found.answer.status)) {
    tell(`What was created cannot be read: the answer is ${found.answer.status}`, "unreadable");
    return;
  }
  const body = toJson(found.answer);
  if (!isObject(body) || !isObject(sent)) return;
  const declared = toDeclared(found, trial);
  for (const name of Object.keys(sent)) {
    const [before, now] = [thing[name], body[name]];
    if (before === undefined || !declared.has(name) || isSame(before, now)) continue;
    tell(
      `"${name}" was created as ${JSON.stringify(before)}, and is read as ${now === undefined ? "nothing" : JSON.stringify(now)}`,
      `${name} read`,
    );
  }
}

/** Numbers and the like; a service may have its own form of a text. */
function compareSent(
  sent: Readonly<Record<string, unknown>>,
  thing: Readonly<Record<string, unknown>>,
  created: Exchange,
  trial: Trial,
): void {
  for (const [name, value] of Object.entries(sent)) {
    const now = thing[name];
    const isPlain = typeof value === "boolean" || Number.isInteger(value);
    if (!isPlain || now === undefined || typeof now !== typeof value || isSame(now, value)) continue;
    const message = `"${name}" was sent as ${JSON.stringify(value)}, and created as ${JSON.stringify(now)}`;
    trial.tell({ check: "created", message, detail: `${name} created` }, [created]);
  }
}

/** Members that the contract says the thing has when it is read. */
function toDeclared(
  { draft: { operation }, answer }: Exchange,
  { target: { responses: book } }: Trial,
): ReadonlySet<string> {
  const content = operation.responses.get(String(answer.status))?.content ?? [];
  return new Set(
    content.flatMap(({ schema }) =>
      schema === undefined ? [] : Object.keys(flatten(book.get(schema), book).properties ?? {}),
    ),
  );
}
