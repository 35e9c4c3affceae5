import type { Draft } from "../draft.js";
import type { Trial } from "../trial.js";
import type { Exchange } from "./check.js";
import { withMethod } from "./undeclared.js";

/** A service may leave HEAD out; the contract says nothing of it. */
const ABSENT = new Set([404, 405, 501]);

/** HEAD has the status and headers of GET (RFC 9110, section 9.3.2). GET is sent before and after, so that what changes by itself is no finding. */
export async function probeHead(draft: Draft, trial: Trial): Promise<void> {
  const { operation } = draft;
  if (operation.method !== "get") return;
  if (trial.target.operations.some(({ method, path }) => method === "head" && path === operation.path))
    return;
  const before = await trial.try(draft);
  const head = await trial.try(withMethod(draft, "head"));
  const after = await trial.try(draft);
  if (before === undefined || head === undefined || after === undefined) return;
  if (before.answer.status !== after.answer.status) return;
  if (head.answer.status !== before.answer.status && ABSENT.has(head.answer.status)) return;
  const tell = (message: string, detail: string) => {
    trial.tell({ check: "head", message, detail, shared: true }, [before, head]);
  };
  const compare = (
    name: string,
    read: (exchange: Exchange) => string | number | undefined,
    own = read(head),
  ) => {
    const [get, again] = [read(before), read(after)];
    if (get !== again || own === get) return;
    tell(`${name} of HEAD is ${own ?? "absent"}, and that of GET is ${get ?? "absent"}`, name);
  };
  compare("The status", ({ answer }) => answer.status);
  if (head.answer.status !== before.answer.status) return;
  compare("Content-Type", ({ answer }) => answer.headers["content-type"]);
  // It may be left out (RFC 9110, section 8.6).
  const length = head.answer.headers["content-length"];
  if (length !== undefined) compare("Content-Length", ({ answer }) => answer.body.length, Number(length));
}
