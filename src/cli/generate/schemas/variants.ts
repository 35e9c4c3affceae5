import { type JsonSchema, type Schema, type SchemaRegistry, toJsonSchema } from "tenon/core/schema";
import { emitRules } from "./rules.js";

/**
 * The forms in which a schema is validated: as it is received by the service, the same as an alternative, where no default is applied,
 * and as it is sent.
 */
export type Form = "response" | "request" | "alternative";

const FORMS = ["response", "request", "alternative"] as const;

/** One form of a schema that others refer to. */
export interface Variant {
  readonly target: Schema;
  /** The reference to it that was found first. */
  readonly reference: string;
  readonly form: Form;
  readonly schema: JsonSchema;
  /** The variants that it refers to. */
  readonly references: readonly Variant[];
}

/** The JSON Schemas of a contract as the runtime validates them. Equal forms of a schema are one variant. */
export class Variants {
  readonly #registry: SchemaRegistry;
  readonly #known = new Map<Schema, Map<Form, Variant>>();
  readonly #byUri = new Map<string, Variant>();
  readonly #uris = new Map<Variant, string>();
  readonly #equal = new Map<Variant, Variant>();
  readonly #texts = new Map<Variant, string>();
  readonly #pending: (() => void)[] = [];

  constructor(registry: SchemaRegistry) {
    this.#registry = registry;
  }

  /** Writes a schema that nothing refers to; {@link findEqual} has to follow the last one. */
  write(schema: Schema, form: Form): JsonSchema {
    const written = this.#write(schema, form);
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) next();
    return written;
  }

  /** Returns a form of the schema for a reference, or the one that is equal to it. */
  get(reference: string, form: Form): Variant {
    const variant = this.#get(reference, form);
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) next();
    return this.#toUsed(variant);
  }

  /** Lists all variants but equal ones. */
  listUsed(): readonly Variant[] {
    return [...this.#byUri.values()].filter((variant) => this.#toUsed(variant) === variant);
  }

  listReferences({ references }: Variant): readonly Variant[] {
    return references.map((reference) => this.#toUsed(reference));
  }

  /** Returns the variant that a URI identifies. */
  find(uri: string): Variant {
    const variant = this.#byUri.get(uri);
    if (variant === undefined) throw new Error(`Missing schema ${uri}`);
    return this.#toUsed(variant);
  }

  #toUsed(variant: Variant): Variant {
    return this.#equal.get(variant) ?? variant;
  }

  /** Finds the forms that differ. A schema differs if one that it refers to does: repeat until no more are found. */
  findEqual(): void {
    const pairs = [...this.#known.values()].flatMap((forms) => {
      const [first, ...others] = FORMS.flatMap((form) => forms.get(form) ?? []);
      return first === undefined ? [] : others.map((other) => ({ candidates: [first, ...others], other }));
    });
    const different = new Set<string>();
    const toKey = (one: Variant, other: Variant) =>
      `${this.#uris.get(one) ?? ""} ${this.#uris.get(other) ?? ""}`;
    const isEqual = (one: Variant, other: Variant): boolean =>
      one === other || (one.target === other.target && !different.has(toKey(one, other)));
    let size: number;
    do {
      size = different.size;
      for (const { candidates, other } of pairs)
        for (const one of candidates) {
          if (one === other || different.has(toKey(one, other))) continue;
          const isSame =
            this.#toText(one) === this.#toText(other) &&
            one.references.every((reference, index) => {
              const counterpart = other.references[index];
              return (
                counterpart !== undefined &&
                isEqual(reference, counterpart) &&
                isEqual(counterpart, reference)
              );
            });
          if (isSame) continue;
          different.add(toKey(one, other));
          different.add(toKey(other, one));
        }
    } while (different.size > size);
    for (const { candidates, other } of pairs) {
      const equal = candidates.find((one) => one === other || isEqual(one, other));
      if (equal !== undefined && equal !== other) this.#equal.set(other, equal);
    }
  }

  /** Returns the text of a schema without the forms that it refers to. */
  #toText(variant: Variant): string {
    let text = this.#texts.get(variant);
    if (text === undefined) {
      text = emitRules(variant.schema, () => "");
      this.#texts.set(variant, text);
    }
    return text;
  }

  #write(schema: Schema, form: Form, references: Variant[] = []): JsonSchema {
    const refer = (reference: string, to: Form): string => {
      const variant = this.#get(reference, to);
      references.push(variant);
      return this.#uris.get(variant) ?? "";
    };
    return toJsonSchema(schema, {
      ...{ registry: this.#registry, absent: "forbidden", safeIntegers: true },
      side: form === "response" ? "response" : "request",
      toUri: (reference) => refer(reference, form),
      toAlternativeUri: (reference) => refer(reference, form === "request" ? "alternative" : form),
      isAlternative: form !== "request",
    });
  }

  #get(reference: string, form: Form): Variant {
    const target = this.#registry.get(reference);
    const forms = this.#known.get(target) ?? new Map<Form, Variant>();
    this.#known.set(target, forms);
    const known = forms.get(form);
    if (known !== undefined) return known;
    const references: Variant[] = [];
    const variant: Variant & { schema: JsonSchema } = { target, reference, form, schema: true, references };
    forms.set(form, variant);
    const uri = `contract:${this.#byUri.size} ${form}`;
    this.#byUri.set(uri, variant);
    this.#uris.set(variant, uri);
    this.#pending.push(() => {
      variant.schema = this.#write(target, form, references);
    });
    return variant;
  }
}
