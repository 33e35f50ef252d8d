import { toFieldPath, appendToPath } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import type { IntOrPercent } from '../core/values/int-or-percent';
import { strategyFieldOf } from './effective-limits';
import type { GuardedKind } from './effective-limits';
import type { UncertainBudget } from './required-budget';

/** A violation of the guardrails by an object. */
export type Violation =
  | { readonly kind: 'strategy'; readonly objectKind: GuardedKind; readonly type: string; readonly allowed: readonly string[] }
  | {
      readonly kind: 'available';
      readonly objectKind: GuardedKind;
      readonly type: string;
      readonly available: number;
      readonly replicas: number;
      readonly floor: number;
    }
  | { readonly kind: 'share'; readonly objectKind: GuardedKind; readonly unavailable: string; readonly required: string }
  | { readonly kind: 'extraPods'; readonly objectKind: GuardedKind; readonly extra: IntOrPercent; readonly allowed: number | string }
  | { readonly kind: 'extraGpus'; readonly objectKind: GuardedKind; readonly extra: number; readonly allowed: number }
  | { readonly kind: 'unknown'; readonly objectKind: GuardedKind }
  | { readonly kind: 'probe'; readonly objectKind: GuardedKind }
  | { readonly kind: 'eviction'; readonly objectKind: string; readonly field: 'maxUnavailable' | 'minAvailable'; readonly value: string }
  | {
      readonly kind: 'budget';
      readonly objectKind: GuardedKind;
      readonly replicas: number;
      /** A budget that selects the pods, but does not count. @default - there is none */
      readonly uncertain?: UncertainBudget;
    };

/** Resource that counts as a GPU. */
export const GPU = 'nvidia.com/gpu';

function formatUncertainBudget({ name, lacks }: UncertainBudget): string {
  const problem = lacks === 'namespace' ? 'it is not certain to be in their namespace' : 'another one of its name may replace it';
  return `the PodDisruptionBudget ${name} selects the pods, but ${problem}`;
}

const VIOLATION_TEXTS: { readonly [Kind in Violation['kind']]: (violation: Extract<Violation, { readonly kind: Kind }>) => string } = {
  strategy: ({ type, allowed }) => `the strategy ${type} is none that the guardrails allow: ${allowed.join(', ')}`,
  available: ({ available, replicas, floor }) =>
    `the available pods of a rollout go down to ${available} of ${replicas}, and the guardrails ask for ${floor}`,
  share: ({ unavailable, required }) => `a rollout takes down ${unavailable} of the pods, and the guardrails ask for ${required} available`,
  extraPods: ({ extra, allowed }) => `the extra pods of a rollout come to ${extra}, and the guardrails allow ${allowed}`,
  extraGpus: ({ extra, allowed }) => `the extra pods of a rollout ask for ${extra} of ${GPU}, and the guardrails allow ${allowed}`,
  // The API server refuses such a value itself, so that it reports no violation.
  unknown: () => 'the API server refuses its replicas or its strategy, so that they cannot be compared with the guardrails',
  probe: () => 'no container has a readinessProbe, and the guardrails ask for one',
  eviction: ({ field, value }) => `${field} ${value} lets no pod be evicted, and the guardrails ask that one can be`,
  budget: ({ uncertain }) =>
    `${uncertain ? formatUncertainBudget(uncertain) : 'no PodDisruptionBudget selects the pods'}, and the guardrails ask for one`,
};

/**
 * Formats a violation exactly as the API server reports it. The expressions of admission.ts build the same text, and
 * test/fixtures/upstream/guardrails.json records it from a real API server: change all three together.
 */
export function formatViolation(violation: Violation): string {
  return (VIOLATION_TEXTS[violation.kind] as (violation: Violation) => string)(violation);
}

/** Returns the path of the field that causes a violation. */
export function getViolationPath(violation: Violation): FieldPath {
  if (violation.kind === 'eviction') return appendToPath('spec', violation.field);
  const { kind, objectKind } = violation;
  if (kind === 'unknown') return toFieldPath`spec`;
  if (kind === 'probe') return toFieldPath`spec.template.spec.containers`;
  if (kind === 'budget') return toFieldPath`spec.template.metadata.labels`;
  const strategy = appendToPath('spec', strategyFieldOf(objectKind));
  if (kind === 'strategy' || (kind === 'available' && violation.type === 'Recreate')) return toFieldPath`${strategy}.type`;
  if (kind === 'available' || kind === 'share') return toFieldPath`${strategy}.rollingUpdate.maxUnavailable`;
  return toFieldPath`${strategy}.rollingUpdate.maxSurge`;
}
