import { randomInt } from "node:crypto";
import process from "node:process";
import type { Contract } from "tenon/core/model";
import { findContract, loadServed, toModel } from "../project/index.js";
import {
  type Credentials,
  inOrder,
  isLoopback,
  toHtml,
  toJunit,
  toText,
  toVariable,
  Unreachable,
  verify,
  type VerifyResult,
} from "../verify/index.js";
import { type CommandContext, type ExitCode, printJson, UsageError } from "../output/context.js";
import { withProgress } from "../output/terminal.js";

/** The argument and options of the command, which its help describes. */
export interface VerifyFlags {
  readonly url: string;
  /** Name of an API of redocly.yaml, a file or a URL. */
  readonly api?: string;
  /** `bearerAuth=KEY` */
  readonly auth?: readonly string[];
  /** `X-Tenant: 7` */
  readonly header?: readonly string[];
  /** Ids. */
  readonly operation?: readonly string[];
  /** Ids. */
  readonly skip?: readonly string[];
  readonly seed?: number;
  readonly runs?: number;
  readonly maxRequests?: number;
  /** In seconds. */
  readonly maxTime?: number;
  /** Requests per second. */
  readonly rate?: number;
  /** In seconds. */
  readonly timeout?: number;
  readonly failOnUnreached?: boolean;
  readonly format?: "text" | "json" | "junit" | "html";
}

/**
 * Tests a running service against its contract and prints every mismatch.
 * @throws {ContractError | UsageError}
 */
export async function runVerify(flags: VerifyFlags, context: CommandContext): Promise<ExitCode> {
  const { stderr, stdout } = context;
  const loaded = await loadServed(await findContract(flags.api, context.cwd), { lint: false });
  const { contract } = await toModel(loaded);
  const base = toBase(flags.url, contract);
  const known = contract.operations.map(({ id }) => id);
  const unknown = [...(flags.operation ?? []), ...(flags.skip ?? [])].find((id) => !known.includes(id));
  if (unknown !== undefined) throw new UsageError(`The contract has no operation "${unknown}".`);
  if (!isLoopback(base)) {
    stderr.write(`${base.host} is another machine: this creates, changes and deletes what is there.\n`);
  }
  const result = await withProgress(context, (progress) => verifyOrExplain(contract, base, flags, progress));
  switch (flags.format) {
    case "json":
      printJson({ ...result, failures: inOrder(result.failures) }, context);
      break;
    case "junit":
      stdout.write(toJunit(result));
      break;
    case "html":
      stdout.write(toHtml(result, toCommand(flags, context)));
      break;
    default:
      stdout.write(toText(result, toCommand(flags, context)));
  }
  const unreached = flags.failOnUnreached === true ? result.unreached : [];
  for (const id of unreached) stderr.write(`${id} never succeeded.\n`);
  return result.failures.length === 0 && unreached.length === 0 ? 0 : 1;
}

async function verifyOrExplain(
  contract: Contract,
  base: URL,
  flags: VerifyFlags,
  progress: (step: string) => void,
): Promise<VerifyResult> {
  const { runs = 25, maxRequests = 5000, maxTime = 120, rate = Infinity, timeout = 10 } = flags;
  try {
    return await verify(contract, {
      base,
      seed: flags.seed ?? randomInt(2 ** 31),
      runs,
      limits: { requests: maxRequests, time: maxTime * 1000, rate },
      timeout: timeout * 1000,
      credentials: readCredentials(flags, contract),
      ...(flags.operation && { operations: flags.operation }),
      ...(flags.skip && { skipped: flags.skip }),
      progress,
    });
  } catch (error) {
    if (error instanceof Unreachable) throw new UsageError(`Cannot reach ${base.origin}: ${error.message}.`);
    throw error;
  }
}

/** An address without a path gets the contract's base path. */
function toBase(url: string, { basePath }: Contract): URL {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError(`"${url}" is not the URL of a service. Use one such as http://localhost:3000/v1.`);
  }
  const base = new URL(url);
  if (base.username !== "" || base.search !== "") {
    throw new UsageError("The URL must not contain a user or a query. Pass credentials with --auth.");
  }
  return base.pathname === "/" ? new URL(`${base.origin}${basePath}/`) : base;
}

function readCredentials(
  { auth = [], header = [] }: VerifyFlags,
  { securitySchemes }: Contract,
): Credentials {
  const keys = new Map<string, string>();
  const schemes = securitySchemes.map(({ name }) => name);
  for (const scheme of schemes) {
    const value = process.env[toVariable(scheme)];
    if (value !== undefined && value !== "") keys.set(scheme, value);
  }
  for (const text of auth) {
    const [scheme, value] = split(text, "=");
    if (value === undefined)
      throw new UsageError("--auth must be a security scheme and a credential, such as bearerAuth=KEY.");
    if (!schemes.includes(scheme)) {
      throw new UsageError(
        `Unknown security scheme "${scheme}". The contract declares ${schemes.join(", ") || "none"}.`,
      );
    }
    keys.set(scheme, value);
  }
  const headers = header.map((text) => {
    const [name, value] = split(text, ":");
    if (value === undefined || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw new UsageError(`--header must be a name and a value, such as "X-Tenant: 7".`);
    }
    return [name, value.trim()] as const;
  });
  return { keys, headers };
}

function split(text: string, separator: string): readonly [string, string | undefined] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

/** Options that have the same value when the run is repeated. */
const NUMBERS = ["runs", "maxRequests", "maxTime", "rate", "timeout"] as const;

/** The command that repeats the run, without the credentials themselves. */
function toCommand(
  { url, api, auth = [], header = [], operation = [], skip = [], ...flags }: VerifyFlags,
  { program }: CommandContext,
): string {
  const toOption = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return [
    `${program} verify ${url}`,
    ...(api === undefined ? [] : [`--api ${api}`]),
    ...auth.map((text) => `--auth ${split(text, "=")[0]}=…`),
    ...header.map((text) => `--header "${split(text, ":")[0]}: …"`),
    ...operation.map((id) => `--operation ${id}`),
    ...(skip.length > 0 ? [`--skip ${skip.join(" ")}`] : []),
    ...(flags.failOnUnreached === true ? ["--fail-on-unreached"] : []),
    ...NUMBERS.flatMap((name) => (flags[name] === undefined ? [] : [`--${toOption(name)} ${flags[name]}`])),
  ].join(" ");
}
