import { DATE_FORMATS } from "./date-formats.js";
import {
  isByte,
  isDuration,
  isEmail,
  isHostname,
  isJsonPointer,
  isRegex,
  isRelativeJsonPointer,
  isUriTemplate,
  isUuid,
} from "./formats.js";
import { isIPv4, isIPv6 } from "./ip-address.js";
import { URI_FORMATS } from "./uri-formats.js";

/**
 * The formats of strings that the runtime and the generated validators enforce.
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3
 * @see https://spec.openapis.org/registry/format/
 */
export const TEXT_FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  ...DATE_FORMATS,
  ...URI_FORMATS,
  byte: isByte,
  duration: isDuration,
  email: isEmail,
  hostname: isHostname,
  ipv4: isIPv4,
  ipv6: isIPv6,
  "json-pointer": isJsonPointer,
  regex: isRegex,
  "relative-json-pointer": isRelativeJsonPointer,
  "uri-template": isUriTemplate,
  uuid: isUuid,
};
