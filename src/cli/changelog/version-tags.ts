interface Version {
  readonly numbers: readonly number[];
  /** Pre-release identifiers; empty for a release. */
  readonly pre: readonly string[];
}

const RELEASE = /^v?\d+\.\d+(?:\.\d+)?$/;
const ENDING = /(\d+(?:\.\d+){1,2})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/** Tests whether a tag names a release: `v1.2.3`, `1.2.3` or `v1.2`, and no pre-release. */
export function isRelease(tag: string): boolean {
  return RELEASE.test(tag);
}

/** Tests whether a tag ends in a version: `pets@1.2.3`, `api/v2.0.0-rc.1`. */
export function endsInVersion(tag: string): boolean {
  return ENDING.test(tag);
}

/**
 * Orders tags by Semantic Versioning, oldest first. Dates would put a later fix of an old version in the wrong place.
 * @see https://semver.org/#spec-item-11
 */
export function compareTags(a: string, b: string): number {
  const [one, other] = [parse(a), parse(b)];
  for (let index = 0; index < 3; index += 1) {
    const order = (one.numbers[index] ?? 0) - (other.numbers[index] ?? 0);
    if (order !== 0) return order;
  }
  if (one.pre.length === 0 || other.pre.length === 0) return other.pre.length - one.pre.length;
  return comparePre(one.pre, other.pre);
}

function comparePre(a: readonly string[], b: readonly string[]): number {
  for (const [index, one] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (one === other) continue;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
    if (isNumber && isOtherNumber) return Number(one) - Number(other);
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return a.length - b.length;
}

function parse(tag: string): Version {
  const [, numbers = "", pre = ""] = ENDING.exec(tag) ?? [];
  return { numbers: numbers.split(".").map(Number), pre: pre === "" ? [] : pre.split(".") };
}
