import type { ApiConfig } from "../project/config.js";
import { toRoutedContract } from "../generate/routed-contract.js";
import { type BadExample, type MockServer, type MockServerOptions, startMock } from "../mock/index.js";
import { type CommandContext, type ExitCode, UsageError } from "../output/context.js";
import { findFile } from "../project/find-file.js";
import { formatProblem } from "../output/format-problem.js";
import { loadModel, type LoadedModel } from "../project/load-model.js";
import { withProgress } from "../output/progress.js";
import { chooseApis, loadProject } from "../project/select-apis.js";
import { toPortError, untilStopped } from "../output/serving.js";

export interface MockCommandOptions extends Omit<
  MockServerOptions,
  "onAnswer" | "onBadExample" | "onFailure"
> {
  /** Name of an API of redocly.yaml, a file or a URL; the only API when there is none. */
  readonly contract?: string;
}

/**
 * Serves a contract from its examples and made-up data until the user stops it.
 * @throws {ContractError | UsageError} when it cannot begin.
 */
export async function runMock(options: MockCommandOptions, context: CommandContext): Promise<ExitCode> {
  const server = await startFor(options, context);
  context.stdout.write(`tenon: the mock answers at ${server.url}\n`);
  await untilStopped();
  await server.stop();
  return 0;
}

async function startFor(
  { contract: named, ...options }: MockCommandOptions,
  context: CommandContext,
): Promise<MockServer> {
  const { cwd, stdout, stderr } = context;
  const source = await findContract(named, cwd);
  return withProgress(context, async (tell) => {
    tell("Reading the contract");
    const loaded = await loadModel(source);
    tell("Starting the mock");
    return startMock(toRoutedContract(loaded.contract, loaded.document), {
      ...options,
      onBadExample: (bad) => stderr.write(tellBad(bad, loaded, cwd)),
      onFailure: ({ problem, error }) => stderr.write(`${problem.status}: ${tellCause(error)}\n`),
      onAnswer: ({ method, target, status, operationId = "not in the contract" }) =>
        stdout.write(`${status}  ${method} ${target}  ${operationId}\n`),
    }).catch((error: unknown) => {
      throw toPortError(error, options.port);
    });
  });
}

function tellCause(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function tellBad({ pointer, problems }: BadExample, { locate }: LoadedModel, cwd: string): string {
  const message = `This example is not sent, because it is not valid: ${problems.join("; ")}`;
  return formatProblem({ ...locate(pointer), code: "example-invalid", severity: "warning", message }, cwd);
}

/** A file by itself is held to what OpenAPI says; an API of redocly.yaml to its rules too, as it is when it is generated from. */
async function findContract(
  named: string | undefined,
  cwd: string,
): Promise<Pick<ApiConfig, "root" | "config">> {
  const file = named === undefined ? undefined : await findFile(named, cwd);
  if (file !== undefined) return file;
  const apis = await loadProject(cwd);
  const [api, other] = named === undefined ? apis : chooseApis(apis, [named]);
  if (api === undefined || other !== undefined)
    throw new UsageError(`redocly.yaml has ${apis.map(({ name }) => name).join(", ")}; name one of them.`);
  return api;
}
