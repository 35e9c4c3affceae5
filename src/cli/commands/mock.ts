import process from "node:process";
import { findContract, loadModel, type LoadedModel } from "../project/index.js";
import { type BadExample, type MockServer, type MockServerOptions, startMock } from "../mock/index.js";
import { type CommandContext, type ExitCode } from "../output/context.js";
import { followSaves } from "../output/follow-saves.js";
import { formatProblem } from "../output/format-problem.js";
import { withProgress } from "../output/terminal.js";
import { serveUntilStopped } from "../output/serving.js";
import { createCallbackSender } from "../webhook/index.js";
import { toScheme } from "./webhook.js";

export interface MockCommandOptions extends Omit<
  MockServerOptions,
  "onResponse" | "onBadExample" | "onFailure" | "createCallbacks"
> {
  /** Name of an API of redocly.yaml, which is checked by its rules, a file or a URL. Default: the only API. */
  readonly api?: string;
  /** Sends the callbacks of an operation after its response. Default: false. */
  readonly callbacks?: boolean;
}

/**
 * Serves a contract from its examples and generated data until the user stops it. A saved contract is served at once, if it is good.
 * @throws {ContractError | UsageError} when it cannot start.
 */
export async function runMock(options: MockCommandOptions, context: CommandContext): Promise<ExitCode> {
  return serveUntilStopped(startFor(options, context), options.port, "the mock listens at", context);
}

async function startFor(
  { api, callbacks = false, ...options }: MockCommandOptions,
  context: CommandContext,
): Promise<MockServer> {
  const { cwd, stdout, stderr } = context;
  const load = async () => loadModel(await findContract(api, cwd));
  const toOptions = (loaded: LoadedModel) => ({
    onBadExample: (bad: BadExample) => stderr.write(formatBadExample(bad, loaded, cwd)),
  });
  let files: readonly string[] = [];
  const server = await withProgress(context, async (report) => {
    report("Reading the contract");
    const loaded = await load();
    ({ files } = loaded);
    report("Starting the mock");
    return startMock(loaded.contract, {
      ...options,
      ...toOptions(loaded),
      ...(callbacks && { createCallbacks: toCallbacks(context) }),
      onFailure: ({ problem, error }) =>
        stderr.write(`${problem.status}: ${error instanceof Error ? error.message : String(error)}\n`),
      onResponse: ({ method, target, status, operationId = "not in the contract" }) =>
        stdout.write(`${status}  ${method} ${target}  ${operationId}\n`),
    });
  });
  const watch = await followSaves({
    files,
    reload: async () => {
      const loaded = await load();
      server.replace(loaded.contract, toOptions(loaded));
      return loaded.files;
    },
    context,
  });
  return {
    ...server,
    stop: async () => {
      await watch.close();
      await server.stop();
    },
  };
}

/**
 * Callbacks are signed if `TENON_WEBHOOK_SECRET` is set, as by `tenon webhook`.
 * @throws {UsageError} when it is not a secret of Standard Webhooks.
 */
function toCallbacks({ stdout }: CommandContext): NonNullable<MockServerOptions["createCallbacks"]> {
  const { TENON_WEBHOOK_SECRET: secret = "" } = process.env;
  const scheme = secret === "" ? undefined : toScheme({ secret });
  return (contract) =>
    createCallbackSender(contract, {
      scheme,
      onCallback: ({ name, method, url, result }) =>
        stdout.write(`${result}  ${method.toUpperCase()} ${url}  ${name}\n`),
    });
}

function formatBadExample({ pointer, problems }: BadExample, { locate }: LoadedModel, cwd: string): string {
  const message = `The example is invalid and is never sent: ${problems.join("; ")}`;
  return formatProblem({ ...locate(pointer), code: "example-invalid", severity: "warning", message }, cwd);
}
