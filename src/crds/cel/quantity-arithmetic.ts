/* Arithmetic of quantities in CRD rules. Whether a quantity is an integer depends on its representation in apimachinery's `Quantity`. */

import { fitsInt64, computePowerOfTen } from '../../core/values/parsed-quantity';
import type { ParsedQuantity } from '../../core/values/parsed-quantity';

/** Converts two quantities to the finer of their units. */
function toCommonExponent(a: ParsedQuantity, b: ParsedQuantity): { readonly values: readonly [bigint, bigint]; readonly exponent: number } {
  const exponent = Math.min(a.exponent, b.exponent);
  const at = (amount: ParsedQuantity) => amount.unscaled * computePowerOfTen(amount.exponent - exponent);
  return { values: [at(a), at(b)], exponent };
}

/** Adds two quantities. Source: `int64Amount.Add`, and `Quantity.Add` if the sum does not fit into it. */
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

/** Compares two quantities: -1, 0 or 1. */
export function compareQuantities(a: ParsedQuantity, b: ParsedQuantity): -1 | 0 | 1 {
  const [left, right] = toCommonExponent(a, b).values;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Converts a quantity to an int64; undefined if it is no integer or is represented as a decimal. Source: `Quantity.AsInt64`. */
export function toInt64({ unscaled, exponent, isDecimal }: ParsedQuantity): bigint | undefined {
  if (isDecimal || exponent < 0) return undefined;
  const value = unscaled * computePowerOfTen(exponent);
  return fitsInt64(value) ? value : undefined;
}

/** Converts a quantity to a float64. Source: `Quantity.AsApproximateFloat64`. */
export function toFloat64({ unscaled, exponent }: ParsedQuantity): number {
  return exponent === 0 ? Number(unscaled) : Number(unscaled) * Number(`1e${exponent}`);
}
