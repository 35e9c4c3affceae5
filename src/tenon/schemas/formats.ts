import { DATE_FORMATS } from "../core/validation/date-formats.js";
import {
  isByte,
  isDuration,
  isEmail,
  isHostname,
  isInt32,
  isInt64,
  isJsonPointer,
  isRegex,
  isRelativeJsonPointer,
  isUriTemplate,
  isUuid,
} from "../core/validation/formats.js";
import { isIPv4, isIPv6 } from "../core/validation/ip-address.js";
import { URI_FORMATS } from "../core/validation/uri-formats.js";
import { ofNumberFormat, ofTextFormat } from "./scalars.js";

// Functions, so that a bundle has only the formats that its schemas use.
export const byte = () => ofTextFormat("byte", isByte);
export const date = () => ofTextFormat("date", DATE_FORMATS.date);
export const dateTime = () => ofTextFormat("date-time", DATE_FORMATS["date-time"]);
export const duration = () => ofTextFormat("duration", isDuration);
export const email = () => ofTextFormat("email", isEmail);
export const hostname = () => ofTextFormat("hostname", isHostname);
export const ipv4 = () => ofTextFormat("ipv4", isIPv4);
export const ipv6 = () => ofTextFormat("ipv6", isIPv6);
export const jsonPointer = () => ofTextFormat("json-pointer", isJsonPointer);
export const regex = () => ofTextFormat("regex", isRegex);
export const relativeJsonPointer = () => ofTextFormat("relative-json-pointer", isRelativeJsonPointer);
export const time = () => ofTextFormat("time", DATE_FORMATS.time);
export const uri = () => ofTextFormat("uri", URI_FORMATS.uri);
export const uriReference = () => ofTextFormat("uri-reference", URI_FORMATS["uri-reference"]);
export const uriTemplate = () => ofTextFormat("uri-template", isUriTemplate);
export const uuid = () => ofTextFormat("uuid", isUuid);
export const int32 = () => ofNumberFormat("int32", isInt32);
export const int64 = () => ofNumberFormat("int64", isInt64);
