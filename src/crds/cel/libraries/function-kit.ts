import type * as Cel from '@bufbuild/cel';
import type { CelFunc, CelInput, CelMap, CelValue } from '@bufbuild/cel';
import { wrapKubernetesValue } from '../kubernetes-value';
import type { KubernetesValue } from '../kubernetes-value';
import { createComparisons } from './comparisons';
import type { Comparisons } from './comparisons';

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

/** Declarations of functions for an evaluator. */
interface Declarations {
  /** Declares a function. */
  readonly func: (name: string, args: CelTypes, impl: (...args: never[]) => CelInput) => CelFunc;
  /** Declares a method, whose target is the first argument. */
  readonly method: (name: string, target: CelType, args: CelTypes, impl: (target: never, ...args: never[]) => CelInput) => CelFunc;
}

/** What the libraries are built with: declarations of functions, and comparisons as the server makes them. */
export interface FunctionKit extends Comparisons, Declarations {
  readonly cel: typeof Cel;
  readonly limits: FunctionLimits;
  /** Types of arguments. `OWN` is that of values of Kubernetes' own types, which the evaluator represents as maps. */
  readonly types: Readonly<Record<'BOOL' | 'DOUBLE' | 'DYN' | 'INT' | 'STRING' | 'LIST' | 'OWN', CelType>>;
  readonly wrapOwn: (value: KubernetesValue) => CelMap;
  /** Flattens lists in a list, to a depth. @throws for a negative depth */
  readonly flattenTo: (items: Iterable<CelValue>, depth: bigint) => CelValue[];
}

function createDeclarations(cel: typeof Cel): Declarations {
  const { DYN } = cel.CelScalar;
  return {
    func: (name, args, impl) => cel.celFunc(name, args, DYN, impl as never),
    method: (name, target, args, impl) =>
      cel.celMethod(name, target, args, DYN, function called(this: unknown, ...callArgs: unknown[]) {
        return impl(...([this, ...callArgs] as unknown as [never, ...never[]]));
      } as never),
  };
}

/** Creates the kit for an evaluator. */
export function createFunctionKit(cel: typeof Cel, limits: FunctionLimits): FunctionKit {
  const { BOOL, DOUBLE, DYN, INT, STRING } = cel.CelScalar;

  function flattenTo(items: Iterable<CelValue>, depth: bigint): CelValue[] {
    if (depth < 0n) throw new Error('level must be non-negative');
    return [...items].flatMap((item) => (depth > 0n && cel.isCelList(item) ? flattenTo(item, depth - 1n) : [item]));
  }

  return {
    cel,
    limits,
    types: { BOOL, DOUBLE, DYN, INT, STRING, LIST: cel.listType(DYN), OWN: cel.mapType(DYN, DYN) },
    wrapOwn: (value) => wrapKubernetesValue(cel, value),
    flattenTo,
    ...createComparisons(cel, limits.tick),
    ...createDeclarations(cel),
  };
}
