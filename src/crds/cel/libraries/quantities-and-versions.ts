import type { CelFunc } from '@bufbuild/cel';
import { parseQuantity } from '../../../core/values/parsed-quantity';
import type { ParsedQuantity } from '../../../core/values/parsed-quantity';
import { unwrapKubernetesValue, unwrapKubernetesValueAs } from '../kubernetes-value';
import { addQuantities, compareQuantities, toFloat64, toInt64, negateQuantity } from '../quantity-arithmetic';
import { compareSemanticVersions, parseTolerantVersion, parseSemanticVersion } from '../semantic-version';
import { assertValue } from './function-kit';
import type { FunctionKit } from './function-kit';
import { MAX_PARSED_LENGTH } from './parsed-length';

/** Creates the functions of quantities and of semantic versions, which share their comparisons. */
export function createComparableFunctions({
  limits: { reserve },
  types: { BOOL, DYN, OWN, STRING },
  wrapOwn,
  func,
  method,
  integer,
}: FunctionKit): CelFunc[] {
  function readQuantity(text: string): ParsedQuantity | undefined {
    if (text.length > MAX_PARSED_LENGTH) reserve(Infinity);
    return parseQuantity(text);
  }

  const amount = (value: unknown): ParsedQuantity => unwrapKubernetesValueAs(value, 'quantity').value;
  const computed = (quantity: ParsedQuantity) => wrapOwn({ type: 'quantity', value: quantity, isComputed: true });
  const term = (value: unknown): ParsedQuantity =>
    typeof value === 'bigint' ? { unscaled: value, exponent: 0, isDecimal: false } : amount(value);
  const version = (value: unknown) => unwrapKubernetesValueAs(value, 'semver').value;

  /** Compares two quantities or two versions. */
  function compareOwn(one: unknown, other: unknown): number {
    return unwrapKubernetesValue(one)?.type === 'semver'
      ? compareSemanticVersions(version(one), version(other))
      : compareQuantities(amount(one), amount(other));
  }

  const versionOf = (text: string, normalizes: boolean) => (normalizes ? parseTolerantVersion(text) : parseSemanticVersion(text));

  const comparable = [
    func('quantity', [STRING], (text: string) =>
      wrapOwn({ type: 'quantity', value: assertValue(readQuantity(text), 'no quantity'), isComputed: false }),
    ),
    func('isQuantity', [STRING], (text: string) => readQuantity(text) !== undefined),
    func('sign', [OWN], (value) => integer(compareQuantities(amount(value), term(0n)))),
    method('isInteger', OWN, [], (value) => toInt64(amount(value)) !== undefined),
    method('asInteger', OWN, [], (value) => assertValue(toInt64(amount(value)), 'cannot convert value to integer')),
    method('asApproximateFloat', OWN, [], (value) => toFloat64(amount(value))),
    method('add', OWN, [DYN], (value, other) => computed(addQuantities(amount(value), term(other)))),
    method('sub', OWN, [DYN], (value, other) => computed(addQuantities(amount(value), negateQuantity(term(other))))),
    method('isGreaterThan', OWN, [OWN], (one, other) => compareOwn(one, other) > 0),
    method('isLessThan', OWN, [OWN], (one, other) => compareOwn(one, other) < 0),
    method('compareTo', OWN, [OWN], (one, other) => integer(compareOwn(one, other))),
    func('semver', [STRING], (text: string) => wrapOwn({ type: 'semver', value: assertValue(versionOf(text, false), 'no version') })),
    func('semver', [STRING, BOOL], (text: string, normalizes: boolean) =>
      wrapOwn({ type: 'semver', value: assertValue(versionOf(text, normalizes), 'no version') }),
    ),
    func('isSemver', [STRING], (text: string) => versionOf(text, false) !== undefined),
    func('isSemver', [STRING, BOOL], (text: string, normalizes: boolean) => versionOf(text, normalizes) !== undefined),
    ...(['major', 'minor', 'patch'] as const).map((name, index) =>
      method(name, OWN, [], (value) => BigInt.asIntN(64, version(value).numbers[index as 0 | 1 | 2])),
    ),
  ];

  return comparable;
}
