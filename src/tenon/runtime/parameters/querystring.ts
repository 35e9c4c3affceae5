import type { Parameter } from "../../core/model/index.js";
import { decodePercent, decodeQueryText, parsePairs, splitPair } from "../../core/parameters/pairs.js";
import { toTypedValue } from "../../core/parameters/text-value.js";
import { createFormReader } from "../body/form.js";
import { locateValue } from "./names.js";
import type { PlainParameterReader } from "./read-parameters.js";

const NO_FILES = new Map<string, never>();

/**
 * Creates the reader of a parameter `in: querystring`: a form, JSON or text that is the whole query, without the credentials in it.
 * The reader returns undefined for an empty query, unless the parameter is a required form, which may have no fields.
 * @see https://spec.openapis.org/oas/v3.2.0#parameter-locations
 */
export function createQuerystringReader(
  parameter: Parameter,
  credentials: ReadonlySet<string>,
): PlainParameterReader {
  const { form, type, required } = parameter;
  const reader = form && createFormReader(form, (_, path) => locateValue(parameter, path));
  return ({ search }) => {
    const own = withoutCredentials(search, credentials);
    if (own === "" && !(required && reader)) return undefined;
    return (
      reader?.read({ texts: parsePairs(own), files: NO_FILES }) ?? toTypedValue(decodePercent(own), type)
    );
  };
}

function withoutCredentials(search: string, credentials: ReadonlySet<string>): string {
  if (credentials.size === 0) return search;
  const pairs = search.split("&");
  return pairs.filter((pair) => !credentials.has(decodeQueryText(splitPair(pair)[0]))).join("&");
}
