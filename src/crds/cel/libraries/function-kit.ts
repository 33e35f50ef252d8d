import type * as Cel from '@bufbuild/cel';
import type { CelFunc, CelInput, CelList, CelMap, CelValue } from '@bufbuild/cel';
import { isDeepEqual } from '../../../core/collections/deep-equal';
import { wrapKubernetesValue, unwrapKubernetesValue } from '../kubernetes-value';
import type { KubernetesValue } from '../kubernetes-value';
import { compareQuantities } from '../quantity-arithmetic';
import { compareSemanticVersions } from '../semantic-version';

export function assertValue<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(what);
  return value;
}

/** Limits of functions that take longer than their cost. Both throw when the evaluation must end. */
export interface FunctionLimits {
  /** Called for each comparison of two values, and with the number of steps of a function that takes longer. */
  readonly tick: (steps?: number) => void;
  /** Called with the length of a text or list before it is created. */
  readonly reserve: (size: number) => void;
  /** Gives up a rule that formats a number with too many decimal places. @throws always */
  readonly rejectPrecision: () => never;
  /** Gives up a rule that searches a long text for a long pattern. @throws always */
  readonly rejectPattern: () => never;
}

type CelType = Parameters<typeof Cel.celMethod>[1];
type CelTypes = Parameters<typeof Cel.celMethod>[2];

/** What the libraries are built with: declarations of functions, and comparisons as the server makes them. */
export interface FunctionKit {
  readonly cel: typeof Cel;
  readonly limits: FunctionLimits;
  /** Types of arguments. `OWN` is that of values of Kubernetes' own types, which the evaluator represents as maps. */
  readonly types: Readonly<Record<'BOOL' | 'DOUBLE' | 'DYN' | 'INT' | 'STRING' | 'LIST' | 'OWN', CelType>>;
  readonly wrapOwn: (value: KubernetesValue) => CelMap;
  /** Applies an operator of the language. @throws if it has no overload for the arguments */
  readonly operator: (name: string, ...args: CelValue[]) => CelValue;
  readonly isLess: (one: CelValue, other: CelValue) => boolean;
  readonly isEqual: (one: CelValue, other: CelValue) => boolean;
  readonly itemsOf: (list: CelList) => CelValue[];
  readonly contains: (list: CelList, item: CelValue) => boolean;
  /** Flattens lists in a list, to a depth. @throws for a negative depth */
  readonly flattenTo: (items: readonly CelValue[], depth: bigint) => CelValue[];
  /** Declares a function. */
  readonly func: (name: string, args: CelTypes, impl: (...args: never[]) => CelInput) => CelFunc;
  /** Declares a method, whose target is the first argument. */
  readonly method: (name: string, target: CelType, args: CelTypes, impl: (target: never, ...args: never[]) => CelInput) => CelFunc;
  readonly integer: (value: number) => bigint;
}

/** Creates the kit for an evaluator. */
export function createFunctionKit(cel: typeof Cel, limits: FunctionLimits): FunctionKit {
  const { tick } = limits;
  const { BOOL, DOUBLE, DYN, INT, STRING } = cel.CelScalar;
  const LIST = cel.listType(DYN);
  const OWN = cel.mapType(DYN, DYN);
  const base = cel.celEnv();

  function wrapOwn(value: KubernetesValue): CelMap {
    return wrapKubernetesValue(cel, value);
  }

  function operator(name: string, ...args: CelValue[]): CelValue {
    tick();
    const result = base.funcs.find(name)?.call(0, undefined, args);
    if (result === undefined || cel.isCelError(result)) throw new Error(result === undefined ? 'no such overload' : result.message);
    return result;
  }

  const isLess = (one: CelValue, other: CelValue) => operator('_<_', one, other) === true;

  function itemsOf(list: CelList): CelValue[] {
    return [...list];
  }

  /**
   * Compares values of Kubernetes' own types.
   *
   * @throws if the server cannot compare the two: because of Go's representation, a sum of quantities on the right side is such a value
   */
  function isEqualOwn(one: KubernetesValue, other: KubernetesValue | undefined): boolean {
    if (one.type !== other?.type) throw new Error('no such overload');
    if (one.type === 'quantity' && other.type === 'quantity') {
      if (other.isComputed) throw new Error('no such overload');
      return compareQuantities(one.value, other.value) === 0;
    }
    if (one.type === 'semver' && other.type === 'semver') return compareSemanticVersions(one.value, other.value) === 0;
    return isDeepEqual(one.value, other.value);
  }

  function isEqual(one: CelValue, other: CelValue): boolean {
    tick();
    if (typeof one === typeof other && typeof one !== 'object') return one === other;
    const ownValue = unwrapKubernetesValue(one);
    if (ownValue) return isEqualOwn(ownValue, unwrapKubernetesValue(other));
    if (cel.isCelList(one) && cel.isCelList(other)) {
      return one.size === other.size && itemsOf(one).every((item, index) => isEqual(item, other.get(index)!));
    }
    if (cel.isCelMap(one) && cel.isCelMap(other)) {
      return one.size === other.size && [...one].every(([key, value]) => other.has(key) && isEqual(value, other.get(key)!));
    }
    return operator('_==_', one, other) === true;
  }

  const contains = (list: CelList, item: CelValue) => itemsOf(list).some((each) => isEqual(each, item));

  function flattenTo(items: readonly CelValue[], depth: bigint): CelValue[] {
    if (depth < 0n) throw new Error('level must be non-negative');
    return items.flatMap((item) => (depth > 0n && cel.isCelList(item) ? flattenTo(itemsOf(item), depth - 1n) : [item]));
  }

  function func(name: string, args: CelTypes, impl: (...args: never[]) => CelInput): CelFunc {
    return cel.celFunc(name, args, DYN, impl as never);
  }

  function method(name: string, target: CelType, args: CelTypes, impl: (target: never, ...args: never[]) => CelInput): CelFunc {
    return cel.celMethod(name, target, args, DYN, function called(this: unknown, ...callArgs: unknown[]) {
      return impl(...([this, ...callArgs] as unknown as [never, ...never[]]));
    } as never);
  }

  const integer = (value: number) => BigInt(value);

  return {
    cel,
    limits,
    types: { BOOL, DOUBLE, DYN, INT, STRING, LIST, OWN },
    wrapOwn,
    operator,
    isLess,
    isEqual,
    itemsOf,
    contains,
    flattenTo,
    func,
    method,
    integer,
  };
}
