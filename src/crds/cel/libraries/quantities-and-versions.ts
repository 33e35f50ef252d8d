import type { CelFunc } from '@bufbuild/cel';
import { parseQuantity } from '../../../core/values/parsed-quantity';
import type { ParsedQuantity } from '../../../core/values/parsed-quantity';
import { unwrapKubernetesValue, unwrapKubernetesValueAs } from '../kubernetes-value';
import { addQuantities, compareQuantities, toFloat64, toInt64, negateQuantity } from '../quantity-arithmetic';
import { compareSemanticVersions, parseTolerantVersion, parseSemanticVersion } from '../semantic-version';
import type { SemanticVersion } from '../semantic-version';
import { assertValue } from './function-kit';
import type { FunctionKit } from './function-kit';
import { MAX_PARSED_LENGTH } from './parsed-length';

const amountOf = (value: unknown): ParsedQuantity => unwrapKubernetesValueAs(value, 'quantity').value;
const versionOf = (value: unknown): SemanticVersion => unwrapKubernetesValueAs(value, 'semver').value;

/** Returns a term of a sum, which is a quantity or a whole number. */
function toTerm(value: unknown): ParsedQuantity {
  return typeof value === 'bigint' ? { unscaled: value, exponent: 0, isDecimal: false } : amountOf(value);
}

/** Compares two quantities or two versions. */
function compareOwn(one: unknown, other: unknown): number {
  return unwrapKubernetesValue(one)?.type === 'semver'
    ? compareSemanticVersions(versionOf(one), versionOf(other))
    : compareQuantities(amountOf(one), amountOf(other));
}

function readVersion(text: string, normalizes = false): SemanticVersion | undefined {
  return normalizes ? parseTolerantVersion(text) : parseSemanticVersion(text);
}

function createQuantityFunctions({ limits: { reserve }, types: { DYN, OWN, STRING }, wrapOwn, func, method }: FunctionKit): CelFunc[] {
  function readQuantity(text: string): ParsedQuantity | undefined {
    if (text.length > MAX_PARSED_LENGTH) reserve(Infinity);
    return parseQuantity(text);
  }

  const computed = (quantity: ParsedQuantity) => wrapOwn({ type: 'quantity', value: quantity, isComputed: true });

  return [
    func('quantity', [STRING], (text: string) =>
      wrapOwn({ type: 'quantity', value: assertValue(readQuantity(text), 'no quantity'), isComputed: false }),
    ),
    func('isQuantity', [STRING], (text: string) => readQuantity(text) !== undefined),
    func('sign', [OWN], (value) => BigInt(compareQuantities(amountOf(value), toTerm(0n)))),
    method('isInteger', OWN, [], (value) => toInt64(amountOf(value)) !== undefined),
    method('asInteger', OWN, [], (value) => assertValue(toInt64(amountOf(value)), 'cannot convert value to integer')),
    method('asApproximateFloat', OWN, [], (value) => toFloat64(amountOf(value))),
    method('add', OWN, [DYN], (value, other) => computed(addQuantities(amountOf(value), toTerm(other)))),
    method('sub', OWN, [DYN], (value, other) => computed(addQuantities(amountOf(value), negateQuantity(toTerm(other))))),
  ];
}

function createVersionFunctions({ types: { BOOL, OWN, STRING }, wrapOwn, func, method }: FunctionKit): CelFunc[] {
  const semver = (text: string, normalizes?: boolean) =>
    wrapOwn({ type: 'semver', value: assertValue(readVersion(text, normalizes), 'no version') });
  const isSemver = (text: string, normalizes?: boolean) => readVersion(text, normalizes) !== undefined;

  return [
    func('semver', [STRING], (text: string) => semver(text)),
    func('semver', [STRING, BOOL], semver),
    func('isSemver', [STRING], (text: string) => isSemver(text)),
    func('isSemver', [STRING, BOOL], isSemver),
    ...(['major', 'minor', 'patch'] as const).map((name, index) =>
      method(name, OWN, [], (value) => BigInt.asIntN(64, versionOf(value).numbers[index as 0 | 1 | 2])),
    ),
  ];
}

/** Creates the functions of quantities and of semantic versions, which share their comparisons. */
export function createComparableFunctions(kit: FunctionKit): CelFunc[] {
  const {
    types: { OWN },
    method,
  } = kit;
  return [
    ...createQuantityFunctions(kit),
    ...createVersionFunctions(kit),
    method('isGreaterThan', OWN, [OWN], (one, other) => compareOwn(one, other) > 0),
    method('isLessThan', OWN, [OWN], (one, other) => compareOwn(one, other) < 0),
    method('compareTo', OWN, [OWN], (one, other) => BigInt(compareOwn(one, other))),
  ];
}
