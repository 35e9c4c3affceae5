/** Tests the decimal numbers that were sent, because 19.99 is not exact in binary and still a multiple of 0.01. */
export function isMultiple(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const [one, other] = [toDecimal(value), toDecimal(divisor)];
  const exponent = Math.min(one.exponent, other.exponent);
  const toInteger = (decimal: Decimal) => decimal.digits * 10n ** BigInt(decimal.exponent - exponent);
  return other.digits !== 0n && toInteger(one) % toInteger(other) === 0n;
}

/** `digits` × 10 ^ `exponent` */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** The shortest text of a number is the one that was sent: JSON that cannot be kept exactly is refused. */
function toDecimal(value: number): Decimal {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
