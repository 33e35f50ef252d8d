/* How the rules of CRDs count with amounts. Whether one is an integer to them depends on how apimachinery's `Quantity` holds it. */

import { fitsInt64, computePowerOfTen } from '../../core/parsed-quantity';
import type { ParsedQuantity } from '../../core/parsed-quantity';

/** Two amounts in the same unit, the finer of theirs. */
function toCommonExponent(a: ParsedQuantity, b: ParsedQuantity): { readonly values: readonly [bigint, bigint]; readonly exponent: number } {
  const exponent = Math.min(a.exponent, b.exponent);
  const at = (amount: ParsedQuantity) => amount.unscaled * computePowerOfTen(amount.exponent - exponent);
  return { values: [at(a), at(b)], exponent };
}

/** Source: `int64Amount.Add`, and `Quantity.Add` where that has no room. */
export function addQuantities(a: ParsedQuantity, b: ParsedQuantity): ParsedQuantity {
  const isSmall = !a.isDecimal && !b.isDecimal;
  if (isSmall && b.unscaled === 0n) return a;
  if (isSmall && a.unscaled === 0n) return b;
  const { values, exponent } = toCommonExponent(a, b);
  const sum = values[0] + values[1];
  return { unscaled: sum, exponent, isDecimal: !isSmall || ![...values, sum].every(fitsInt64) };
}

export function negateQuantity(amount: ParsedQuantity): ParsedQuantity {
  return { ...amount, unscaled: -amount.unscaled };
}

/** -1, 0 or 1. */
export function compareQuantities(a: ParsedQuantity, b: ParsedQuantity): -1 | 0 | 1 {
  const [left, right] = toCommonExponent(a, b).values;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Undefined where it is no integer, or held as a decimal. Source: `Quantity.AsInt64`. */
export function toInt64({ unscaled, exponent, isDecimal }: ParsedQuantity): bigint | undefined {
  if (isDecimal || exponent < 0) return undefined;
  const value = unscaled * computePowerOfTen(exponent);
  return fitsInt64(value) ? value : undefined;
}

/** Source: `Quantity.AsApproximateFloat64`. */
export function toFloat64({ unscaled, exponent }: ParsedQuantity): number {
  return exponent === 0 ? Number(unscaled) : Number(unscaled) * Number(`1e${exponent}`);
}
