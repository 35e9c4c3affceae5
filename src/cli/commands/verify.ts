import { randomInt } from "node:crypto";
import { isLoopback } from "tenon/core/http";
import type { Contract } from "tenon/core/model";
import { findContract, loadServed, toModel } from "../project/index.js";
import { inOrder, toHtml, toJunit, toText, Unreachable, verify, type VerifyResult } from "../verify/index.js";
import { type CommandContext, type ExitCode, printJson, UsageError } from "../output/context.js";
import { withProgress } from "../output/terminal.js";
import { type CredentialFlags, readCredentials, split, toBase } from "./service-flags.js";

/** The argument and options of the command, which its help describes. */
export interface VerifyFlags extends CredentialFlags {
  readonly url: string;
  /** Name of an API of redocly.yaml, a file or a URL. */
  readonly api?: string;
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
  /** In seconds; 0 does not receive callbacks. */
  readonly callbackTime?: number;
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
  if (!isLoopback(base.hostname)) {
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
  const { runs = 25, maxRequests = 5000, maxTime = 120, rate = Infinity, timeout = 10, callbackTime } = flags;
  try {
    return await verify(contract, {
      base,
      seed: flags.seed ?? randomInt(2 ** 31),
      runs,
      limits: { requests: maxRequests, time: maxTime * 1000, rate },
      timeout: timeout * 1000,
      ...(callbackTime !== undefined && { callbackTime: callbackTime * 1000 }),
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

/** Options that have the same value when the run is repeated. */
const NUMBERS = ["runs", "maxRequests", "maxTime", "rate", "timeout", "callbackTime"] as const;

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
