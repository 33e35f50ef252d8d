import { at, childPath } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import type { IntOrPercent } from '../core/int-or-percent';
import { strategyFieldOf } from './pace';
import type { GuardedKind } from './pace';

/** What an object does that the guardrails do not allow. */
export type Violation =
  | { readonly kind: 'strategy'; readonly of: GuardedKind; readonly type: string; readonly allowed: readonly string[] }
  | {
      readonly kind: 'available';
      readonly of: GuardedKind;
      readonly type: string;
      readonly available: number;
      readonly replicas: number;
      readonly floor: number;
    }
  | { readonly kind: 'share'; readonly of: GuardedKind; readonly unavailable: string; readonly asked: string }
  | { readonly kind: 'extraPods'; readonly of: GuardedKind; readonly extra: IntOrPercent; readonly allowed: number | string }
  | { readonly kind: 'extraGpus'; readonly of: GuardedKind; readonly extra: number; readonly allowed: number }
  | { readonly kind: 'probe'; readonly of: GuardedKind }
  | { readonly kind: 'eviction'; readonly of: string; readonly field: 'maxUnavailable' | 'minAvailable'; readonly value: string }
  | { readonly kind: 'budget'; readonly of: GuardedKind; readonly replicas: number };

/** The resource that counts as a GPU. */
export const GPU = 'nvidia.com/gpu';

const TEXTS: { readonly [Kind in Violation['kind']]: (violation: Extract<Violation, { readonly kind: Kind }>) => string } = {
  strategy: ({ type, allowed }) => `the strategy ${type} is none that the guardrails allow: ${allowed.join(', ')}`,
  available: ({ available, replicas, floor }) =>
    `the available pods of a rollout go down to ${available} of ${replicas}, and the guardrails ask for ${floor}`,
  share: ({ unavailable, asked }) => `a rollout takes down ${unavailable} of the pods, and the guardrails ask for ${asked} available`,
  extraPods: ({ extra, allowed }) => `the extra pods of a rollout come to ${extra}, and the guardrails allow ${allowed}`,
  extraGpus: ({ extra, allowed }) => `the extra pods of a rollout ask for ${extra} of ${GPU}, and the guardrails allow ${allowed}`,
  probe: () => 'no container has a readinessProbe, and the guardrails ask for one',
  eviction: ({ field, value }) => `${field} ${value} lets no pod be evicted, and the guardrails ask that one can be`,
  budget: () => 'no PodDisruptionBudget selects the pods, and the guardrails ask for one',
};

/** A violation as the cluster words it too: the expressions of admission.ts make the same text. */
export function violationText(violation: Violation): string {
  return (TEXTS[violation.kind] as (violation: Violation) => string)(violation);
}

/** Where a violation stands. */
export function violationPath(violation: Violation): FieldPath {
  if (violation.kind === 'eviction') return childPath('spec', violation.field);
  const { kind, of } = violation;
  if (kind === 'probe') return at`spec.template.spec.containers`;
  if (kind === 'budget') return at`spec.template.metadata.labels`;
  const strategy = childPath('spec', strategyFieldOf(of));
  if (kind === 'strategy' || (kind === 'available' && violation.type === 'Recreate')) return at`${strategy}.type`;
  if (kind === 'available' || kind === 'share') return at`${strategy}.rollingUpdate.maxUnavailable`;
  return at`${strategy}.rollingUpdate.maxSurge`;
}
