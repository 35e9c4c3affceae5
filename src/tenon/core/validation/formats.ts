// Tests of the formats of texts and numbers. Each is a function of its own, so that a bundle has only those that it uses.
const BYTE = /^[A-Za-z\d+/]*={0,2}$/;

const DURATION = /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/;

/** @see https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address */
const LOCAL_PART = /^[\w.!#$%&'*+/=?^`{|}~-]+$/;

const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;

const UUID = /^(?:urn:uuid:)?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

const RELATIVE_POINTER = /^(?:0|[1-9]\d*)(?:#|(?:\/(?:[^~/]|~[01])*)*)$/;

/** Characters outside of expressions. */
const LITERALS = /^(?:[^\0- "'<>%\\^`{|}]|%[\da-f]{2})*$/i;

/** The inside of `{…}`. */
const EXPRESSION =
  /^[+#./;?&=,!@|]?(?:\w|%[\da-f]{2})+(?::[1-9]\d{0,3}|\*)?(?:,(?:\w|%[\da-f]{2})+(?::[1-9]\d{0,3}|\*)?)*$/i;

/** An anchor of other dialects, which ECMAScript takes for a letter. */
const FOREIGN_ANCHOR = /[^\\]\\Z/;

export const isByte = (text: string): boolean => text.length % 4 === 0 && BYTE.test(text);

export const isDuration = (text: string): boolean => DURATION.test(text);

export function isEmail(text: string): boolean {
  const at = text.indexOf("@");
  return LOCAL_PART.test(text.slice(0, Math.max(0, at))) && areLabels(text.slice(at + 1));
}

export function isHostname(text: string): boolean {
  const name = text.endsWith(".") ? text.slice(0, -1) : text;
  return name.length <= 253 && areLabels(name);
}

function areLabels(name: string): boolean {
  return name.split(".").every((label) => LABEL.test(label));
}

export const isJsonPointer = (text: string): boolean => POINTER.test(text);

export const isRelativeJsonPointer = (text: string): boolean => RELATIVE_POINTER.test(text);

export function isRegex(text: string): boolean {
  if (FOREIGN_ANCHOR.test(text)) return false;
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

export function isUriTemplate(text: string): boolean {
  return text.split("{").every((part, index) => {
    if (index === 0) return LITERALS.test(part);
    const end = part.indexOf("}");
    return end > 0 && EXPRESSION.test(part.slice(0, end)) && LITERALS.test(part.slice(end + 1));
  });
}

export const isUuid = (text: string): boolean => UUID.test(text);

export const isInt32 = (value: number): boolean =>
  Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;

/** An `int64` is exact within ±(2^53 − 1), to which the schemas restrict integers anyway. */
export const isInt64 = (value: number): boolean => Number.isInteger(value);
