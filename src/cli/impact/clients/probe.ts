import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import ts from "#typescript";
import type { Operation } from "tenon/core/model";
import { toMessage } from "../compiler.js";
import { withMemory } from "../memory-files.js";
import { CannotAsk, type GeneratedSides } from "../sides.js";

/** The client that generated files import: a source when this file is one. */
const CLIENT = join(
  dirname(createRequire(import.meta.url).resolve("tenon/package.json")),
  extname(import.meta.url) === ".ts" ? "client/index.ts" : "dist/client/index.d.ts",
);

const EXTENSION = CLIENT.endsWith(".d.ts") ? ts.Extension.Dts : ts.Extension.Ts;

/** The files of an API that its client consists of. */
export const CLIENT_FILE = /^(?:types|client|calls|calls\/.*)\.ts$/;

/** The folder of the probe, which exists in memory only. */
const FOLDER = "/tenon-impact";

/** The platform's types that the client uses: empty, but different from each other. */
const PLATFORM = [
  "Blob",
  "File",
  "FormData",
  "Headers",
  "Request",
  "RequestInit",
  "Response",
  "URLSearchParams",
]
  .map((name) => `interface ${name} { readonly "is ${name}": true }\n`)
  .concat('interface ReadableStream<Chunk = unknown> { readonly "is ReadableStream": Chunk }\n')
  .join("");

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  // No generated type needs a later library, and loading one would take most of the time.
  lib: ["lib.es5.d.ts", "lib.es2018.asynciterable.d.ts"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
};

/** A call of the client that both contracts allow. */
export type ProbedCall = Pick<Operation, "method" | "path">;

/** The corresponding types of both contracts. */
export interface TypePair {
  readonly before: ts.Type;
  readonly after: ts.Type;
}

export interface Probe {
  readonly checker: ts.TypeChecker;
  /** The options of `createClient`. */
  readonly options: TypePair;
  /** In the order of the calls: the options of each, and its result. */
  readonly calls: readonly { readonly sent: TypePair; readonly read: TypePair }[];
}

/**
 * Creates a program of the clients of both contracts and of a file that names the types of some calls. It needs no project,
 * because an API's clients are elsewhere.
 */
export function createProbe({ base, revision }: GeneratedSides, calls: readonly ProbedCall[]): Probe {
  const ofClient = (side: string, files: ReadonlyMap<string, string>) =>
    [...files].flatMap(([name, text]) =>
      CLIENT_FILE.test(name) ? [[`${side}/${name}`, text] as const] : [],
    );
  const files = new Map([
    ...ofClient("base", base.files),
    ...ofClient("revision", revision.files),
    ["platform.d.ts", PLATFORM],
    ["probe.ts", emitProbe(calls)],
  ]);
  const host = withMemory(OPTIONS)({ path: FOLDER, files });
  const program = ts.createProgram({
    rootNames: [`${FOLDER}/probe.ts`, `${FOLDER}/platform.d.ts`],
    options: OPTIONS,
    host: {
      ...host,
      resolveModuleNameLiterals: (literals, from, _, options) =>
        literals.map(({ text }) =>
          text === "tenon/client"
            ? { resolvedModule: { resolvedFileName: CLIENT, extension: EXTENSION } }
            : ts.resolveModuleName(text, from, options, host),
        ),
    },
  });
  const [error] = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];
  if (error !== undefined) throw new CannotAsk(`the clients' types cannot be compared: ${toMessage(error)}`);
  const checker = program.getTypeChecker();
  const aliases = new Map(
    program
      .getSourceFile(`${FOLDER}/probe.ts`)
      ?.statements.filter(ts.isTypeAliasDeclaration)
      .map((statement) => [statement.name.text, statement.name] as const),
  );
  const find = (name: string): ts.Type => {
    const alias = aliases.get(name);
    const type = alias && checker.getTypeAtLocation(alias);
    // A missing type is `any`, with which everything compiles.
    if (type === undefined || type.flags & ts.TypeFlags.Any)
      throw new CannotAsk(`the clients' types cannot be compared: the compiler cannot find ${name}`);
    return type;
  };
  const toPair = (name: string, toType: (type: ts.Type) => ts.Type = (type) => type): TypePair => ({
    before: toType(find(`base${name}`)),
    after: toType(find(`revision${name}`)),
  });
  const take = <Part>(part: Part | undefined, type: ts.Type, name: string): Part => {
    if (part === undefined) throw new Error(`${checker.typeToString(type)} has no ${name}`);
    return part;
  };
  const toArgument = (type: ts.Type) =>
    take(checker.getTypeArguments(type as ts.TypeReference)[0], type, "type argument");
  const toSignature = (call: ts.Type) => take(call.getCallSignatures()[0], call, "signature");
  // `(path: "/pets", ...options: [CallOptions]) => Promise<Result>`
  const toSent = (call: ts.Type) =>
    toArgument(checker.getTypeOfSymbol(take(toSignature(call).getParameters()[1], call, "options")));
  const toRead = (call: ts.Type) => toArgument(toSignature(call).getReturnType());
  return {
    checker,
    options: toPair("Options"),
    calls: calls.map((_, index) => ({
      sent: toPair(`Call${index}`, toSent),
      read: toPair(`Call${index}`, toRead),
    })),
  };
}

/** Emits a file that names the types of the calls of both sides. */
function emitProbe(calls: readonly ProbedCall[]): string {
  return ["base", "revision"]
    .map((side) => {
      const types = calls.map(
        ({ method, path }, index) =>
          `declare const ${side}Method${index}: (typeof ${side})["${method.toUpperCase()}"];
type ${side}Call${index} = typeof ${side}Method${index}<${JSON.stringify(path)}>;\n`,
      );
      return `import type { createClient as ${side}Client } from "./${side}/client.js";
declare const ${side}: ReturnType<typeof ${side}Client>;
type ${side}Options = Parameters<typeof ${side}Client>[0];
${types.join("")}`;
    })
    .join("");
}
