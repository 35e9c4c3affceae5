import type { Parameter, ResponseHeader } from "tenon/core/model";
import { pairBy, type Sides } from "../sides.js";
import { compareLifecycle, reportRemoval, withPromise } from "./lifecycle.js";
import { compareSchemas, type Owner } from "./schemas.js";
import { compareRequired, reportChange, type Scope } from "./scope.js";
import { compareAllowed, compareSerialization } from "./serialization.js";
import { PARAMETER } from "./texts.js";

/** A header, or a parameter of a request that the service sends. */
type Header = Pick<
  ResponseHeader,
  "name" | "required" | "schema" | "explode" | "pointer" | "lifecycle" | "mediaType"
> &
  Partial<Pick<Parameter, "in" | "declared" | "allowReserved">>;

/** Codes by the direction of the message: headers that clients send are compared like header parameters. */
const CODES = {
  request: {
    kind: "request-parameter",
    added: "request-parameter-added",
    requiredAdded: "request-required-parameter-added",
    removed: "request-header-removed",
    requiredRemoved: "request-required-header-removed",
    afterSunset: "request-parameter-removed-after-sunset",
  },
  response: {
    kind: "response-header",
    added: "response-header-added",
    requiredAdded: "response-header-added",
    removed: "response-header-removed",
    requiredRemoved: "response-required-header-removed",
    afterSunset: "response-header-removed-after-sunset",
  },
} as const;

/** Compares the headers of a response or of a part, or the parameters of a callback or webhook. */
export function compareHeaders(
  headers: Sides<readonly Header[]>,
  { direction, name: owner }: Owner,
  scope: Scope,
): void {
  const codes = CODES[direction];
  for (const { base, revision } of pairBy(headers, toKey)) {
    const header = describe(revision ?? base);
    if (base === undefined) {
      const code = revision?.required === true ? codes.requiredAdded : codes.added;
      reportChange(code, { message: `${owner} has the ${header}`, at: { revision } }, scope);
      continue;
    }
    // A header may be less stable than its operation.
    const within = withPromise(base.lifecycle, `the ${describe(base)}`, scope);
    if (revision === undefined) {
      const code = base.required ? codes.requiredRemoved : codes.removed;
      const { afterSunset } = codes;
      reportRemoval(base, { code, afterSunset, message: `${owner} no longer has the ${header}` }, within);
      continue;
    }
    const at = { base, revision };
    const name = `The ${header} of ${owner.replace(/^The /, "the ")}`;
    compareRequired(at, { name, kind: codes.kind }, within);
    compareLifecycle(at, { name, kind: codes.kind }, within);
    compareSerialization(at, { direction, name }, within);
    compareAllowed(at, { direction, name }, within);
    const isText = base.mediaType === undefined && revision.mediaType === undefined;
    const texts = { base: base.declared ?? {}, revision: revision.declared ?? {}, paths: PARAMETER };
    compareSchemas(at, { direction, name, ...(isText && { texts }) }, within);
  }
}

function toKey({ in: location = "header", name }: Header): string {
  return `${location}/${location === "header" ? name.toLowerCase() : name}`;
}

/** `header "X-Total"`, `query parameter "id"` */
function describe(header: Header | undefined): string {
  const location = header?.in === undefined ? "header" : `${header.in} parameter`;
  return `${location} "${header?.name ?? ""}"`;
}
