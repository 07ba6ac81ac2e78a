// Bounds as exact decimals: 0.1 means the digits that were written, not the binary fraction
// nearest to them.

export type Decimal = { readonly digits: bigint; readonly exponent: number };

/** Decimals after the point that the number needs. */
export const decimalsOf = (value: number): number => Math.max(0, -toDecimal(value).exponent);

/** The first count of units (10^-fraction) that is at or above the number; strictly, if asked. */
export function ceilUnits(value: number, fraction: number, strictly: boolean): bigint {
  const { whole, exact } = divide(toDecimal(value), fraction);
  return exact && !strictly ? whole : whole + 1n;
}

/** The last count of units that is at or below the number; strictly, if asked. */
export function floorUnits(value: number, fraction: number, strictly: boolean): bigint {
  const { whole, exact } = divide(toDecimal(value), fraction);
  return exact && strictly ? whole - 1n : whole;
}

function toDecimal(value: number): Decimal {
  const [mantissa = "0", power = "0"] = value.toString().split("e");
  const [whole = "0", rest = ""] = mantissa.split(".");
  return { digits: BigInt(whole + rest), exponent: Number(power) - rest.length };
}

/** The number in units, rounded towards minus infinity. */
function divide(value: Decimal, fraction: number): { whole: bigint; exact: boolean } {
  const shift = value.exponent + fraction;
  if (shift >= 0) return { whole: value.digits * 10n ** BigInt(shift), exact: true };
  const divisor = 10n ** BigInt(-shift);
  const whole = value.digits / divisor;
  const exact = whole * divisor === value.digits;
  return { whole: exact || value.digits >= 0n ? whole : whole - 1n, exact };
}
