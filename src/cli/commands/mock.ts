import type { ApiConfig } from "../project/config.js";
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
  "onResponse" | "onBadExample" | "onFailure"
> {
  /** Name of an API of redocly.yaml, a file or a URL; the only API when there is none. */
  readonly contract?: string;
}

/**
 * Serves a contract from its examples and generated data until the user stops it.
 * @throws {ContractError | UsageError} when it cannot start.
 */
export async function runMock(options: MockCommandOptions, context: CommandContext): Promise<ExitCode> {
  const server = await startFor(options, context);
  context.stdout.write(`tenon: the mock listens at ${server.url}\n`);
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
  return withProgress(context, async (report) => {
    report("Reading the contract");
    const loaded = await loadModel(source);
    report("Starting the mock");
    return startMock(loaded.contract, {
      ...options,
      onBadExample: (bad) => stderr.write(formatBadExample(bad, loaded, cwd)),
      onFailure: ({ problem, error }) => stderr.write(`${problem.status}: ${toReason(error)}\n`),
      onResponse: ({ method, target, status, operationId = "not in the contract" }) =>
        stdout.write(`${status}  ${method} ${target}  ${operationId}\n`),
    }).catch((error: unknown) => {
      throw toPortError(error, options.port);
    });
  });
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function formatBadExample({ pointer, problems }: BadExample, { locate }: LoadedModel, cwd: string): string {
  const message = `The example is invalid and is never sent: ${problems.join("; ")}`;
  return formatProblem({ ...locate(pointer), code: "example-invalid", severity: "warning", message }, cwd);
}

/** A file is checked against OpenAPI only; an API of redocly.yaml also against its rules. */
async function findContract(
  named: string | undefined,
  cwd: string,
): Promise<Pick<ApiConfig, "root" | "config">> {
  const file = named === undefined ? undefined : await findFile(named, cwd);
  if (file !== undefined) return file;
  const apis = await loadProject(cwd);
  const [api, other] = named === undefined ? apis : chooseApis(apis, [named]);
  if (api === undefined || other !== undefined)
    throw new UsageError(
      `redocly.yaml has several APIs. Choose one of ${apis.map(({ name }) => name).join(", ")}.`,
    );
  return api;
}
