import type { MediaType, NamedSchema, UniqueNames } from "tenon/core/model";
import type { Schema } from "tenon/core/schema";
import type { NamedCall } from "../client.js";
import { emitAlias, emitType, type TypeContext } from "../server/schema-type.js";
import type { View } from "../server/views.js";
import { emitComment, emitValue } from "../text.js";
import type { Converted } from "./codecs.js";
import { print } from "./rules.js";
import { type Context, emitSchema, findNamed, listJson, nameForms, toInput } from "./schemas.js";

/** Emits a codec for each component, request body and JSON response in which a format is converted. */
export function emitCodecs(
  calls: readonly NamedCall[],
  taken: UniqueNames,
  { converted, ...context }: Context,
): readonly string[] {
  if (converted === undefined) return [];
  const emitter = new CodecEmitter({ ...context, converted }, taken);
  return [
    ...context.contract.schemas.flatMap((named) => emitter.emitComponent(named)),
    ...calls.flatMap((call) => [...emitter.emitBodies(call), ...emitter.emitResponses(call)]),
  ];
}

class CodecEmitter {
  /** Names of the codecs of components by the names of their validators. */
  readonly #codecs = new Map<string, string>();
  readonly #decoded = new Map<string, string>();
  readonly #taken: UniqueNames;

  constructor(
    private readonly context: Context & { readonly converted: Converted },
    taken: UniqueNames,
  ) {
    this.#taken = taken;
    for (const named of context.contract.schemas) {
      if (!context.converted.has(named.reference)) continue;
      const { response, request } = nameForms(named, context);
      for (const name of [response, request].filter((one) => one !== undefined)) {
        this.#decoded.set(name, taken.add(`${name}Decoded`));
        this.#codecs.set(name, taken.add(`${name}Codec`));
      }
    }
  }

  emitComponent(named: NamedSchema): readonly string[] {
    const { response, request, sent } = nameForms(named, this.context);
    const { reference, schema } = named;
    if (!this.context.converted.has(reference)) return [];
    const emitForm = (name: string, json: string, view: View) => {
      const codec = this.#codecs.get(name) ?? "";
      const type = `s.Codec<${json}, ${this.#decoded.get(name) ?? ""}>`;
      const alias = emitAlias(named, this.#toTypes(view));
      return `${alias}${this.#emitCodec({ codec, type, validator: name, schema, view })}`;
    };
    return [
      emitForm(response, response, "response"),
      ...(request ? [emitForm(request, sent, "request")] : []),
    ];
  }

  emitBodies({ key, operation }: NamedCall): readonly string[] {
    const { method, path, requestBody } = operation;
    return (requestBody?.mediaTypes ?? []).flatMap((mediaType) => {
      const body = this.context.bodies.get(mediaType);
      const validator = this.context.bodyNames.get(mediaType);
      if (body === undefined || validator === undefined || !this.context.converted.isConverted(body.schema))
        return [];
      const codec = this.#taken.add(`${validator}Codec`);
      const comment = emitComment([`The body of ${method.toUpperCase()} ${path} as ${mediaType.name}.`]);
      const named = this.#codecs.get(findNamed(body.request, this.context) ?? "");
      if (named !== undefined) return [`${comment}export const ${codec} = ${named};\n`];
      const { input } = toInput(body, key, mediaType, this.context);
      const { schema } = body;
      const type = `s.Codec<${input}, ${emitType(schema, this.#toTypes("request"))}>`;
      return [`${comment}${this.#emitCodec({ codec, type, validator, schema, view: "request" })}`];
    });
  }

  emitResponses({ name, key, operation }: NamedCall): readonly string[] {
    const { method, path, responses } = operation;
    return responses.flatMap((response) =>
      listJson(response).flatMap((mediaType, index) => {
        const body = this.context.bodies.get(mediaType);
        if (body === undefined || !this.context.converted.isConverted(body.schema)) return [];
        const { status } = response;
        const ofStatus = status.charAt(0).toUpperCase() + status.slice(1);
        const codec = this.#taken.add(`${name}${ofStatus}${index === 0 ? "" : toSuffix(mediaType)}Codec`);
        const comment = emitComment([
          `The response ${status} of ${method.toUpperCase()} ${path} as ${mediaType.name}.`,
        ]);
        const named = this.#codecs.get(findNamed(body.response, this.context) ?? "");
        if (named !== undefined) return [`${comment}export const ${codec} = ${named};\n`];
        const declared = `operations[${emitValue(key)}]["responses"][${/^\d+$/.test(status) ? status : emitValue(status)}]`;
        const content = `${declared}["content"][${emitValue(mediaType.name)}]`;
        const json = this.context.marked ? `Readable<${content}>` : content;
        const { schema } = body;
        const type = `s.Codec<${json}, ${emitType(schema, this.#toTypes("response"))}>`;
        const validator = emitSchema({ schema: body.response, context: this.context }, -Infinity);
        return [`${comment}${this.#emitCodec({ codec, type, validator, schema, view: "response" })}`];
      }),
    );
  }

  /** @param validator The expression of the validator of the JSON. */
  #emitCodec({ codec, type, validator, schema, view }: EmittedCodec): string {
    const { converted, graph, variants } = this.context;
    const conversion = converted.emit(schema, {
      view,
      toCodec: (reference) => this.#codecs.get(graph.named.get(variants.get(reference, view)) ?? "") ?? "",
      emitRules: (rules) => graph.emit(rules, -Infinity),
    });
    const start = `export const ${codec}: ${type} = /* @__PURE__ */ s.codec(${validator}, () => `;
    return `${start}${print(conversion ?? "", "", start.length)});\n`;
  }

  #toTypes(view: View): TypeContext {
    const { types, graph, converted } = this.context;
    const schema: typeof graph.names.schema = (reference, of) => {
      const name = graph.names.schema(reference, of);
      return this.#decoded.get(name) ?? name;
    };
    return { ...types, view, names: { ...graph.names, schema }, convert: (leaf) => converted.toType(leaf) };
  }
}

interface EmittedCodec {
  readonly codec: string;
  readonly type: string;
  readonly validator: string;
  readonly schema: Schema;
  readonly view: View;
}

function toSuffix({ methodName }: MediaType): string {
  return methodName.charAt(0).toUpperCase() + methodName.slice(1);
}
