import { coversEssence, toEssence } from "tenon/core/http";
import type { Encoding, MediaType } from "tenon/core/model";
import { SAFE } from "../codes/index.js";
import { toCanonical } from "../schema/normal-form/values.js";
import { pairBy, type Sides } from "../sides.js";
import { compareHeaders } from "./headers.js";
import { type Owner, toLowerStart } from "./schemas.js";
import { reportChange, type Scope } from "./scope.js";

/** Compares the parts of a form or multipart body: their serialization, media types and headers. */
export function compareEncodings(at: Sides<MediaType>, { direction, name }: Owner, scope: Scope): void {
  const encodings = { base: at.base.encoding, revision: at.revision.encoding };
  for (const { key: field, base, revision } of pairBy(encodings, (encoding) => encoding.name)) {
    const [before, after] = [base && toText(base), revision && toText(revision)];
    if ((before ?? "{}") !== (after ?? "{}")) {
      const [sent, received] = direction === "request" ? [base, revision] : [revision, base];
      const isSafe = sent !== undefined && received !== undefined && acceptsTypes(received, sent);
      const message = `${name} serializes the field "${field}" in another way: ${show(base)}, now ${show(revision)}`;
      const weight = isSafe ? ({ level: "safe", because: SAFE[direction] } as const) : {};
      reportChange(`${direction}-encoding-changed`, { message, at, before, after, ...weight }, scope);
    }
    const headers = { base: base?.headers ?? [], revision: revision?.headers ?? [] };
    compareHeaders(headers, { direction, name: `The part "${field}" of ${toLowerStart(name)}` }, scope);
  }
}

/** Tests whether an encoding only differs from another by accepting more media types. */
function acceptsTypes(received: Encoding, sent: Encoding): boolean {
  const [own, others] = [listTypes(received), listTypes(sent)];
  const isAccepted = (type: string) => own.some((one) => coversEssence(toEssence(one), toEssence(type)));
  return (
    toStyle(received) === toStyle(sent) && own.length > 0 && others.length > 0 && others.every(isAccepted)
  );
}

function toStyle({ style, explode, allowReserved }: Encoding): string {
  return toCanonical({ style, explode, allowReserved });
}

/** `image/png, image/jpeg` are two. */
function listTypes({ contentType = "" }: Encoding): readonly string[] {
  return contentType.split(",").flatMap((type) => type.trim() || []);
}

/** `contentType image/png, style form`, as far as it is declared. */
function show({ allowReserved, contentType, explode, style }: Partial<Encoding> = {}): string {
  const members = Object.entries({ allowReserved, contentType, explode, style })
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([key, value]) => `${key} ${String(value)}`);
  return members.length === 0 ? "the default" : members.join(", ");
}

/** Describes the encoding of a field as text that is equal for equal encodings. */
function toText({ contentType, style, explode, allowReserved }: Encoding): string {
  return toCanonical({ contentType, style, explode, allowReserved });
}
