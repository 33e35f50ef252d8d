import type * as Cel from '@bufbuild/cel';
import type { CelList, CelValue } from '@bufbuild/cel';
import { isDeepEqual } from '../../../core/collections/deep-equal';
import { unwrapKubernetesValue } from '../kubernetes-value';
import type { KubernetesValue } from '../kubernetes-value';
import { compareQuantities } from '../quantity-arithmetic';
import { compareSemanticVersions } from '../semantic-version';

/** Comparisons of values as the server makes them. */
export interface Comparisons {
  /** Applies an operator of the language. @throws if it has no overload for the arguments */
  readonly operator: (name: string, ...args: CelValue[]) => CelValue;
  readonly isLess: (one: CelValue, other: CelValue) => boolean;
  readonly isEqual: (one: CelValue, other: CelValue) => boolean;
  readonly contains: (list: CelList, item: CelValue) => boolean;
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

/**
 * Creates the comparisons for an evaluator.
 *
 * @param tick - called for each comparison of two values
 */
export function createComparisons(cel: typeof Cel, tick: () => void): Comparisons {
  const base = cel.celEnv();

  function operator(name: string, ...args: CelValue[]): CelValue {
    tick();
    const result = base.funcs.find(name)?.call(0, undefined, args);
    if (result === undefined || cel.isCelError(result)) throw new Error(result === undefined ? 'no such overload' : result.message);
    return result;
  }

  function isEqual(one: CelValue, other: CelValue): boolean {
    tick();
    if (typeof one === typeof other && typeof one !== 'object') return one === other;
    const ownValue = unwrapKubernetesValue(one);
    if (ownValue) return isEqualOwn(ownValue, unwrapKubernetesValue(other));
    if (cel.isCelList(one) && cel.isCelList(other)) {
      return one.size === other.size && [...one].every((item, index) => isEqual(item, other.get(index)!));
    }
    if (cel.isCelMap(one) && cel.isCelMap(other)) {
      return one.size === other.size && [...one].every(([key, value]) => other.has(key) && isEqual(value, other.get(key)!));
    }
    return operator('_==_', one, other) === true;
  }

  return {
    operator,
    isEqual,
    isLess: (one, other) => operator('_<_', one, other) === true,
    contains: (list, item) => [...list].some((each) => isEqual(each, item)),
  };
}
