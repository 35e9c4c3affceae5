import { Option } from "commander";
import type { CoverageOptions } from "../coverage.js";
import type { DevOptions } from "../dev.js";
import type { DocsOptions } from "../docs.js";
import type { McpFlags } from "../mcp.js";
import type { MockCommandOptions } from "../mock.js";
import {
  API,
  type ApisFlag,
  collect,
  CONTRACT,
  CONTRACTS,
  JSON_FLAG,
  type JsonFlag,
  NOTHING_WRITTEN,
  toCount,
  toDelay,
  toPercent,
  toPort,
  toPositive,
  toService,
  toShare,
} from "../options.js";
import type { Declarations } from "../run-command.js";
import type { VerifyFlags } from "../verify.js";
import type { WebhookFlags } from "../webhook.js";

/** Programs whose configuration `mcp --print-config` prints. */
const MCP_CLIENTS = ["claude-desktop", "cursor", "vscode"] satisfies McpFlags["printConfig"][];

const VERIFY_FORMATS = ["text", "json", "junit", "html"] satisfies VerifyFlags["format"][];

/** Declares the commands that test a service. */
export function declareTests(to: Declarations): void {
  const { context } = to;
  to.declare(
    "coverage",
    "Runs a test command and reports which parts of the contract it covered.",
    "coverage --html coverage.html -- npm test",
  )
    .argument("[command...]", "test command, after --")
    .option(...API)
    .option("--records <dir>", "folder for records; it is kept, and reported when there is no command")
    .option("--html <file>", "write a page that shows the coverage of each line of the contract")
    .option("--fail-under <percent>", "exit 1 when coverage is lower", toPercent)
    .option(...JSON_FLAG)
    .action(
      to.run(async (command: string[], options: Omit<CoverageOptions, "command">) =>
        (await import("../coverage.js")).runCoverage({ command, ...options }, context),
      ),
    );

  to.declare(
    "verify",
    "Tests a running service against its contract and reports every mismatch. Creates and changes data there.",
    "verify http://localhost:3000 --auth bearerAuth=KEY",
  )
    .argument("<url>", "URL of the service; without a path, the contract's base path is added")
    .option(...CONTRACT)
    .option("--auth <scheme=credential>", "credential, also in TENON_AUTH_<SCHEME>; may be repeated", collect)
    .option("--header <name: value>", "header of every request; may be repeated", collect)
    .option("--operation <id>", "test only this operation; may be repeated", collect)
    .option("--skip <id...>", "never call these operations", collect)
    .option("--seed <number>", "repeats a run", toCount)
    .option("--runs <number>", "random requests per operation, valid and invalid (25 each)", toCount)
    .option("--max-requests <number>", "stop after this many requests (5000)", toCount)
    .option("--max-time <seconds>", "stop after this many seconds (120)", toCount)
    .option("--rate <number>", "limit of requests per second", toPositive)
    .option("--timeout <seconds>", "limit for a response (10)", toPositive)
    .option("--callback-time <seconds>", "time to wait for callbacks (2); 0 does not receive them", toCount)
    .option("--fail-on-unreached", "exit 1 when an operation never succeeds, and name each")
    .addOption(new Option("--format <format>", "output format").choices(VERIFY_FORMATS).default("text"))
    .option(...JSON_FLAG)
    .action(
      to.run(async (url: string, { json, ...flags }: Omit<VerifyFlags, "url"> & JsonFlag) =>
        (await import("../verify.js")).runVerify({ url, ...flags, ...(json && { format: "json" }) }, context),
      ),
    );
}

/** Declares the command that sends webhooks. */
export function declareWebhook(to: Declarations): void {
  const { context } = to;
  to.declare(
    "webhook",
    "Sends a signed sample of a webhook or callback to a receiver, or checks that the receiver refuses forgeries.",
    "webhook noteCreated --to http://localhost:3000/hooks --check",
  )
    .argument("<name>", "name of the webhook; of a callback with its operation: createNote.noteStored")
    .option(...CONTRACT)
    .requiredOption("--to <url>", "URL of the receiver")
    .option(
      "--secret <secret>",
      "the receiver's secret, also in TENON_WEBHOOK_SECRET (Standard Webhooks: whsec_…)",
    )
    .option(
      "--signature <header: value>",
      'another signature, such as "X-Hub-Signature-256: sha256={signature}"',
    )
    .option("--signed <text>", "the text that it signs, such as {timestamp}.{body} (default: {body})")
    .option("--body <file>", "JSON file with the body (default: the contract's example, or generated data)")
    .option("--header <name: value>", "header of every request; may be repeated", collect)
    .option("--seed <number>", "the same seed generates the same body", toCount)
    .option(
      "--check",
      "send valid, invalid and forged events, and exit 1 when the receiver accepts one that it must refuse",
    )
    .option(...JSON_FLAG)
    .action(
      to.run(async (name: string, options: Omit<WebhookFlags, "name">) =>
        (await import("../webhook.js")).runWebhook({ name, ...options }, context),
      ),
    );
}

/** Declares the commands that run, imitate or document a service. */
export function declareServers(to: Declarations): void {
  const { context } = to;
  to.declare(
    "mock",
    "Serves a contract without a service: responds with its examples, or with generated data that it allows.",
    "mock --api openapi/v1.yaml --stateful --delay 50..200",
  )
    .option(...CONTRACT)
    .option("--port <port>", "port to listen on; 0 for any free one", toPort, 4010)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--seed <text>", "the same seed gives the same responses", "1")
    .option("--dynamic", "generate every response, even where there are examples")
    .option("--stateful", "keep created resources, so that they can be read, listed, changed and deleted")
    .option("--delay <ms>", "milliseconds before each response and streamed item: 100 or 50..200", toDelay)
    .option("--errors <share>", "share of responses that are declared 429 or 5xx errors: 5%", toShare)
    .option("--cors", "allow pages of other origins to call the mock")
    .option(
      "--callbacks",
      "send samples of callbacks to receivers on this machine, signed if TENON_WEBHOOK_SECRET is set",
    )
    .action(
      to.run(async (options: MockCommandOptions) => (await import("../mock.js")).runMock(options, context)),
    );

  to.declare(
    "mcp",
    "Offers the operations of any API as tools (MCP) on standard input and output, to editors and desktop clients.",
    "mcp --api openapi/v1.yaml --url http://localhost:3000 --write createPet",
  )
    .option(...CONTRACT)
    .requiredOption(
      "--url <url>",
      "URL of the service, the only one that is called; without a path, the contract's base path is added",
    )
    .option("--write <id...>", "operations that change something and are offered anyway (default: none)")
    .option("--auth <scheme=credential>", "credential, also in TENON_AUTH_<SCHEME>; may be repeated", collect)
    .option("--header <name: value>", "header of every request; may be repeated", collect)
    .option(
      "--max-tools <number>",
      "list two tools that find and call the others if there are more (60)",
      toCount,
    )
    .option("--timeout <seconds>", "limit for a response (30)", toPositive)
    .addOption(
      new Option(
        "--print-config <client>",
        "print the configuration of a client that starts this command",
      ).choices(MCP_CLIENTS),
    )
    .action(to.run(async (flags: McpFlags) => (await import("../mcp.js")).runMcp(flags, context)));

  to.declare(
    "docs",
    "Builds a docs site that works on any host and from disk, and loads nothing from other hosts.",
    "docs --api openapi/v1.yaml --out site",
  )
    .option(...CONTRACTS)
    .option("--out <dir>", "folder to write to (default: docs/ beside the generated files)")
    .option(
      "--service <url>",
      "URL of the service: /v1 on the pages' own host, or an absolute URL",
      toService,
    )
    .option(
      "--callable <origin>",
      "another origin that pages may call: http://localhost:*; may be repeated",
      collect,
    )
    .option("--serve", "serve the pages until stopped, and write nothing")
    .option("--watch", "serve the pages, and build and reload them after each save")
    .option("--port <port>", "port to serve on; 0 for any free one", toPort, 4020)
    .option("--host <address>", "address to serve on", "127.0.0.1")
    .action(
      to.run(
        async ({ api = [], ...options }: Omit<DocsOptions, "apis"> & ApisFlag) =>
          (await import("../docs.js")).runDocs({ apis: api, ...options }, context),
        NOTHING_WRITTEN,
      ),
    );

  to.declare(
    "dev",
    "Runs the service and follows every save: lints, generates, restarts and then checks types.",
    "dev --main src/main.ts",
  )
    .option("--main <file>", "module that starts the service (default: x-tenon.main)")
    .option("--no-types", "check no types")
    .addOption(
      new Option("--inspect [port]", "let debuggers connect; 0 for any free port")
        .preset("9229")
        .argParser(toPort),
    )
    .option("--start-limit <seconds>", "how long the service may take to listen (60)", toPositive)
    .action(to.run(async (options: DevOptions) => (await import("../dev.js")).runDev(options, context)));
}
