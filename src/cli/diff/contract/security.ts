import { getOwn, type Placed } from "tenon/core/document";
import type { Contract, OAuthFlow, Operation, SecurityScheme } from "tenon/core/model";
import type { Finding } from "../change.js";
import type { ContractCode } from "../codes/index.js";
import { toCanonical } from "../schema/normal-form/values.js";
import { pairBy, type Sides } from "../sides.js";
import { type Comparison, reportChange, type Scope } from "./scope.js";

/** Scheme names with the required scopes of each; all schemes are required. */
type Alternative = ReadonlyMap<string, ReadonlySet<string>>;

/** The name in the base of each scheme of the revision. A renamed scheme counts as the same. */
export type SchemeNames = ReadonlyMap<string, string>;

export function compareSecuritySchemes(comparison: Comparison): SchemeNames {
  const { contracts } = comparison;
  const base = byName(contracts.base.securitySchemes);
  const revision = byName(contracts.revision.securitySchemes);
  const names = new Map<string, string>();
  for (const [name, scheme] of revision) {
    const sameName = base.get(name);
    if (sameName !== undefined) {
      names.set(name, name);
      compareScheme(name, { base: sameName, revision: scheme }, comparison);
      continue;
    }
    const meant = [...base].find(([old, other]) => !revision.has(old) && isSame(other, scheme));
    names.set(name, meant?.[0] ?? name);
  }
  return names;
}

function compareScheme(name: string, at: Sides<SecurityScheme>, comparison: Comparison): void {
  const report: ReportScheme = (code, { scope, ...details }) => {
    const weight = isUsed({ name, scope }, comparison.contracts.base) ? {} : UNUSED;
    reportChange(code, { ...details, at, ...weight }, comparison);
  };
  const [before, after] = [toCanonical(toSignature(at.base)), toCanonical(toSignature(at.revision))];
  if (before !== after) {
    const message = `The security scheme "${name}" changed: ${describe(at.base)}, now ${describe(at.revision)}`;
    report("security-scheme-changed", { message, before, after });
  }
  const flows = { base: at.base.flows, revision: at.revision.flows };
  for (const { key, base, revision } of pairBy(flows, (one) => one.name)) {
    if (base === undefined) {
      const message = `The security scheme "${name}" has the flow ${key}`;
      report("security-flow-added", { message });
    } else if (revision === undefined) {
      const message = `The security scheme "${name}" no longer has the flow ${key}`;
      report("security-flow-removed", { message });
    } else compareFlow(`The flow ${key} of the security scheme "${name}"`, { base, revision }, report);
  }
}

/** Reports a change of a scheme, or of one of its scopes. */
type ReportScheme = (
  code: ContractCode,
  details: Pick<Finding, "message" | "before" | "after"> & { readonly scope?: string },
) => void;

function compareFlow(name: string, { base, revision }: Sides<OAuthFlow>, report: ReportScheme): void {
  const [before, after] = [toUrls(base), toUrls(revision)];
  if (before !== after)
    report("security-scheme-changed", { message: `${name} has other URLs`, before, after });
  for (const scope of base.scopes.filter((one) => !revision.scopes.includes(one))) {
    const message = `${name} no longer has the scope ${scope}`;
    report("security-flow-scope-removed", { message, before: scope, scope });
  }
  for (const scope of revision.scopes.filter((one) => !base.scopes.includes(one)))
    report("security-flow-scope-added", { message: `${name} has the scope ${scope}`, after: scope, scope });
}

const UNUSED = { level: "safe", because: "No operation of the old contract requires it." } as const;

/** Tests whether an operation requires a security scheme, or one of its scopes. */
function isUsed(
  { name, scope }: { readonly name: string; readonly scope: string | undefined },
  { operations }: Contract,
): boolean {
  return operations.some(({ security }) =>
    security.some((requirement) => {
      const scopes = getOwn(requirement, name);
      return scope === undefined ? scopes !== undefined : scopes?.includes(scope) === true;
    }),
  );
}

/** Compares the security requirements of an operation. */
export function compareSecurity(operations: Sides<Operation>, names: SchemeNames, scope: Scope): void {
  const base = readAlternatives(operations.base, (name) => name);
  const revision = readAlternatives(operations.revision, (name) => names.get(name) ?? name);
  const at = { base: findSecurity(operations.base), revision: findSecurity(operations.revision) };
  const shown = { at, before: base.map(show), after: revision.map(show) };
  const report = (code: ContractCode, one: Alternative, text: string) => {
    reportChange(code, { message: `${show(one)} ${text}`, ...shown }, scope);
  };
  for (const { one, scopes } of findInsufficient(base, revision)) {
    if (scopes === undefined) report("security-tightened", one, `is no longer ${toVerb(one)}`);
    else report("security-scope-added", one, `also needs the scope ${scopes}`);
  }
  for (const { one, scopes } of findInsufficient(revision, base)) {
    if (scopes === undefined) report("security-loosened", one, `is now ${toVerb(one)}`);
    else report("security-scope-removed", one, `no longer needs the scope ${scopes}`);
  }
}

/** Finds the alternatives that are not sufficient in the other contract, with the scopes that are missing if only scopes are. */
function findInsufficient(
  own: readonly Alternative[],
  others: readonly Alternative[],
): readonly { readonly one: Alternative; readonly scopes: string | undefined }[] {
  return own
    .filter((one) => !others.some((other) => isSufficient(one, other)))
    .map((one) => ({ one, scopes: findMissingScopes(one, others)?.join(", ") }));
}

/** Tests whether credentials satisfy an alternative. */
function isSufficient(credentials: Alternative, wanted: Alternative): boolean {
  return [...wanted].every(([scheme, scopes]) => {
    const own = credentials.get(scheme);
    return own !== undefined && [...scopes].every((scope) => own.has(scope));
  });
}

/** Finds the scopes that the same schemes require in the other contract and these credentials lack. */
function findMissingScopes(one: Alternative, others: readonly Alternative[]): readonly string[] | undefined {
  const other = others.find((candidate) => [...candidate.keys()].every((scheme) => one.has(scheme)));
  if (other === undefined) return undefined;
  return [...other].flatMap(([scheme, scopes]) =>
    [...scopes].filter((scope) => one.get(scheme)?.has(scope) !== true),
  );
}

function toVerb({ size }: Alternative): string {
  return size === 0 ? "accepted" : "sufficient";
}

function show(alternative: Alternative): string {
  const schemes = [...alternative].map(([name, scopes]) =>
    scopes.size === 0 ? name : `${name} (${[...scopes].join(", ")})`,
  );
  return schemes.length === 0 ? "A call without credentials" : schemes.join(" with ");
}

/** No requirement means the same as an empty requirement. */
function readAlternatives({ security }: Operation, toName: (name: string) => string): readonly Alternative[] {
  const requirements = security.length === 0 ? [{}] : security;
  return requirements.map(
    (requirement) =>
      new Map(Object.entries(requirement).map(([name, scopes]) => [toName(name), new Set(scopes)])),
  );
}

function findSecurity({ pointer, securityPointer = pointer }: Operation): Placed {
  return { pointer: securityPointer };
}

function byName(schemes: readonly SecurityScheme[]): ReadonlyMap<string, SecurityScheme> {
  return new Map(schemes.map((scheme) => [scheme.name, scheme]));
}

function isSame(one: SecurityScheme, other: SecurityScheme): boolean {
  const toText = (scheme: SecurityScheme) => {
    const flows = scheme.flows.map((flow) => [flow.name, { ...flow, pointer: undefined }]);
    return toCanonical([toSignature(scheme), Object.fromEntries(flows)]);
  };
  return toText(one) === toText(other);
}

/** `apiKey in header X-Key`, `http bearer`, `oauth2` */
function describe({ credential, openIdConnectUrl }: SecurityScheme): string {
  switch (credential.kind) {
    case "apiKey":
      return `apiKey in ${credential.in} ${credential.name}`;
    case "http":
      return `http ${credential.scheme}`;
    case "unknown":
      return credential.type;
    default:
      return [credential.kind, ...(openIdConnectUrl === undefined ? [] : [openIdConnectUrl])].join(" ");
  }
}

/** Everything that a client must know to use a scheme, except its flows. */
function toSignature({ credential, openIdConnectUrl }: SecurityScheme): unknown {
  switch (credential.kind) {
    // Names of headers and HTTP schemes are case-insensitive.
    case "apiKey": {
      const { in: place, name } = credential;
      return { type: "apiKey", place, name: place === "header" ? name.toLowerCase() : name };
    }
    case "http":
      return { type: "http", scheme: credential.scheme.toLowerCase() };
    case "unknown":
      return { type: credential.type };
    default:
      return { type: credential.kind, openIdConnectUrl };
  }
}

function toUrls({ authorizationUrl, tokenUrl, refreshUrl }: OAuthFlow): string {
  return toCanonical({ authorizationUrl, tokenUrl, refreshUrl });
}
