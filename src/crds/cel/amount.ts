/* How the rules of CRDs count with amounts. Whether one is an integer to them depends on how apimachinery's `Quantity` holds it. */

import { inInt64, powerOfTen } from '../../core/amount';
import type { Amount } from '../../core/amount';

/** Two amounts in the same unit, the finer of theirs. */
function aligned(one: Amount, other: Amount): { readonly values: readonly [bigint, bigint]; readonly exponent: number } {
  const exponent = Math.min(one.exponent, other.exponent);
  const at = (amount: Amount) => amount.unscaled * powerOfTen(amount.exponent - exponent);
  return { values: [at(one), at(other)], exponent };
}

/** Source: `int64Amount.Add`, and `Quantity.Add` where that has no room. */
export function added(one: Amount, other: Amount): Amount {
  const isSmall = !one.isDecimal && !other.isDecimal;
  if (isSmall && other.unscaled === 0n) return one;
  if (isSmall && one.unscaled === 0n) return other;
  const { values, exponent } = aligned(one, other);
  const sum = values[0] + values[1];
  return { unscaled: sum, exponent, isDecimal: !isSmall || ![...values, sum].every(inInt64) };
}

export function negated(amount: Amount): Amount {
  return { ...amount, unscaled: -amount.unscaled };
}

/** -1, 0 or 1. */
export function comparedAmounts(one: Amount, other: Amount): -1 | 0 | 1 {
  const [left, right] = aligned(one, other).values;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Undefined where it is no integer, or held as a decimal. Source: `Quantity.AsInt64`. */
export function integerOf({ unscaled, exponent, isDecimal }: Amount): bigint | undefined {
  if (isDecimal || exponent < 0) return undefined;
  const value = unscaled * powerOfTen(exponent);
  return inInt64(value) ? value : undefined;
}

/** Source: `Quantity.AsApproximateFloat64`. */
export function floatOf({ unscaled, exponent }: Amount): number {
  return exponent === 0 ? Number(unscaled) : Number(unscaled) * Number(`1e${exponent}`);
}
