import { once } from "node:events";
import process from "node:process";
import { finished } from "node:stream/promises";
import type { Contract } from "tenon/core/model";
import type { McpClient } from "../mcp/index.js";
import { type CommandContext, type ExitCode, printJson, UsageError } from "../output/context.js";
import { findContract, loadServed, toModel } from "../project/index.js";
import { toVariable } from "../verify/index.js";
import { type CredentialFlags, readCredentials, toBase } from "./service-flags.js";

/** The options of the command, which its help describes. */
export interface McpFlags extends CredentialFlags {
  readonly url: string;
  /** Name of an API of redocly.yaml, a file or a URL. */
  readonly api?: string;
  /** Ids. */
  readonly write?: readonly string[];
  readonly maxTools?: number;
  /** In seconds. */
  readonly timeout?: number;
  readonly printConfig?: McpClient;
}

/**
 * Offers the operations of an API as tools on standard input and output, until the client closes them: those that change nothing, and
 * those that the user named.
 * @throws {ContractError | UsageError}
 */
export async function runMcp(flags: McpFlags, context: CommandContext): Promise<ExitCode> {
  const found = await findContract(flags.api, context.cwd);
  const { contract } = await toModel(await loadServed(found, { lint: false }));
  const base = toBase(flags.url, contract);
  const { write = [], maxTools = 60, timeout = 30 } = flags;
  const unknown = write.find((id) => !contract.operations.some((operation) => operation.id === id));
  if (unknown !== undefined) throw new UsageError(`The contract has no operation "${unknown}".`);
  if (flags.printConfig !== undefined) {
    const { writeClientConfig } = await loadRoom();
    printJson(writeClientConfig(flags.printConfig, toEntry(contract, flags, found.root)), context);
    return 0;
  }
  const { serveStdio } = await loadSdk();
  const { createSender } = await loadRoom();
  const { createTools, isOffered, isSafe, loadToolServer, readToolSettings } =
    await import("tenon/mcp/internal");
  const { createToolServer } = await loadToolServer();
  const operations = contract.operations.filter((operation) => {
    if (write.includes(operation.id)) return true;
    const isRefused = readToolSettings(operation, contract) === false;
    return isSafe(operation) && !isRefused && isOffered({ ...operation, stub: false }, contract);
  });
  const credentials = readCredentials(flags, contract);
  const { send, close } = createSender(contract, { base, credentials, timeout: timeout * 1000 });
  const { title: name, version } = contract;
  const tools = createTools(contract, operations);
  const create = createToolServer({ name, version, tools, maxTools, maxText: 20_000 });
  let reason = "";
  const server = serveStdio(() => create(send), { onerror: ({ message }) => (reason = message) });
  // The input is paused when a message is too long, or when no one reads the output.
  const ended = finished(process.stdin, { writable: false }).catch(() => undefined);
  await Promise.race([ended, once(process.stdin, "pause")]);
  await server.close();
  close();
  if (process.stdin.readableEnded || process.stdin.destroyed) return 0;
  context.stderr.write(`The connection was closed: ${reason}\n`);
  return 1;
}

const loadRoom = () => import("../mcp/index.js");

/** @throws {UsageError} where the optional package is missing. */
async function loadSdk() {
  try {
    return await import("@modelcontextprotocol/server/stdio");
  } catch {
    throw new UsageError(
      "@modelcontextprotocol/server, which speaks the protocol of the tools, is not installed. Run npm install --save-dev @modelcontextprotocol/server.",
    );
  }
}

/** @param root Path or URL of the contract: clients start the command in any folder. */
function toEntry({ title, securitySchemes }: Contract, flags: McpFlags, root: string) {
  const { url, write = [], header = [], maxTools, timeout } = flags;
  return {
    name:
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, "-")
        .replaceAll(/^-|-$/g, "") || "api",
    args: [
      ...["tenon", "mcp", "--api", root, "--url", url],
      ...(write.length > 0 ? ["--write", ...write] : []),
      ...header.flatMap((text) => ["--header", text]),
      ...(maxTools === undefined ? [] : ["--max-tools", String(maxTools)]),
      ...(timeout === undefined ? [] : ["--timeout", String(timeout)]),
    ],
    variables: securitySchemes.map(({ name }) => toVariable(name)),
  };
}
