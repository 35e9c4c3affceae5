import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import type { Contract, OutgoingOperation } from "tenon/core/model";
import { hmacSignature, type SignatureScheme, standardWebhooks } from "tenon/webhooks";
import { toSentRequests } from "tenon/webhooks/internal";
import { type CommandContext, type ExitCode, printJson, UsageError } from "../output/context.js";
import { toHint } from "../output/nearest.js";
import { findContract, loadServed, toModel } from "../project/index.js";
import {
  checkReceiver,
  deliver,
  isSuccess,
  makeInvalidEvent,
  makeSampleEvent,
  signEvent,
} from "../webhook/index.js";
import { readCredentials, split } from "./service-flags.js";

/** The arguments and options of the command, which its help describes. */
export interface WebhookFlags {
  readonly name: string;
  readonly to: string;
  readonly api?: string;
  readonly secret?: string;
  /** `X-Hub-Signature-256: sha256={signature}` */
  readonly signature?: string;
  /** `{timestamp}.{body}` */
  readonly signed?: string;
  /** Path of a JSON file. */
  readonly body?: string;
  readonly header?: readonly string[];
  readonly seed?: number;
  readonly check?: boolean;
  readonly json?: boolean;
}

/**
 * Sends a signed sample of a webhook or callback to a receiver, or checks with several ones that it refuses forgeries.
 * @throws {ContractError | UsageError}
 */
export async function runWebhook(flags: WebhookFlags, context: CommandContext): Promise<ExitCode> {
  if (!/^https?:\/\//.test(flags.to) || !URL.canParse(flags.to))
    throw new UsageError(
      `"${flags.to}" is not the URL of a receiver. Use one such as http://localhost:3000/hooks.`,
    );
  const to = new URL(flags.to);
  const scheme = toScheme(flags);
  const { contract } = await toModel(
    await loadServed(await findContract(flags.api, context.cwd), { lint: false }),
  );
  const { headers } = readCredentials(flags.header ? { header: flags.header } : {}, contract);
  const operation = findOperation(flags.name, contract);
  const event = makeSampleEvent(contract, operation, {
    seed: flags.seed ?? 1,
    headers: Object.fromEntries(headers),
    ...(flags.body !== undefined && { body: readBody(resolve(context.cwd, flags.body)) }),
  });
  if (flags.check === true) {
    const checks = await checkReceiver(event, { to, scheme }, makeInvalidEvent(contract, operation, event));
    if (flags.json === true) printJson({ checks }, context);
    else
      for (const { name, result, passed } of checks)
        context.stdout.write(`${passed ? "ok  " : "FAIL"}  ${name}  ${result}\n`);
    return checks.every(({ passed }) => passed) ? 0 : 1;
  }
  const signed = signEvent(event, scheme);
  const result = await deliver(signed, to);
  if (flags.json === true) printJson({ ...signed, result }, context);
  else {
    context.stdout.write(`${signed.body}\n`);
    context.stdout.write(
      `${result}  ${event.method.toUpperCase()} ${to.origin}${to.pathname}  ${flags.name}\n`,
    );
  }
  return isSuccess(result) ? 0 : 1;
}

function findOperation(name: string, contract: Contract): OutgoingOperation {
  const { webhooks, callbacks } = toSentRequests(contract);
  const named = new Map(webhooks.map((webhook) => [webhook.outgoing.name, webhook]));
  for (const [operation, sent] of callbacks)
    for (const callback of sent) named.set(`${operation}.${callback.outgoing.name}`, callback);
  const found = named.get(name);
  if (found !== undefined) return found;
  const { hint } = toHint(name, [...named.keys()]);
  const all = [...named.keys()].join(", ") || "none";
  throw new UsageError(`The contract has no webhook "${name}".${hint ? ` ${hint}` : ""} It declares ${all}.`);
}

/** @throws {UsageError} without the secret, or for an invalid one. */
export function toScheme({
  secret = process.env["TENON_WEBHOOK_SECRET"],
  signature,
  signed,
}: Pick<WebhookFlags, "secret" | "signature" | "signed">): SignatureScheme {
  if (secret === undefined || secret === "")
    throw new UsageError(
      "The receiver's secret is missing. Pass it with --secret, or in TENON_WEBHOOK_SECRET.",
    );
  try {
    if (signature === undefined) return standardWebhooks(secret);
    const [header, value = "{signature}"] = split(signature, ":");
    return hmacSignature({
      secrets: secret,
      header,
      value: value.trim(),
      ...(signed && { content: signed }),
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function readBody(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as unknown;
  } catch (error) {
    throw new UsageError(`Cannot read the body ${file}: ${(error as Error).message}`);
  }
}
