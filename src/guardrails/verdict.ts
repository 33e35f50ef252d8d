import { at } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { fieldsAt, groupOf, isFields, listAt, namespaceOf, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { GuardrailPolicy } from './policy';

/** What a Deployment does that the guardrails do not allow. */
export type Violation =
  | { readonly kind: 'strategy'; readonly type: string; readonly allowed: readonly string[] }
  | { readonly kind: 'available'; readonly available: number; readonly replicas: number; readonly floor: number }
  | { readonly kind: 'extraPods'; readonly extra: number; readonly allowed: number }
  | { readonly kind: 'extraGpus'; readonly extra: number; readonly allowed: number }
  | { readonly kind: 'probe' };

/** The resource that counts as a GPU. */
export const GPU = 'nvidia.com/gpu';

/** A violation as the cluster words it too: the expressions of admission.ts make the same text. */
export function violationText(violation: Violation): string {
  switch (violation.kind) {
    case 'strategy':
      return `the strategy ${violation.type} is none that the guardrails allow: ${violation.allowed.join(', ')}`;
    case 'available':
      return `the available pods of a rollout go down to ${violation.available} of ${violation.replicas}, and the guardrails ask for ${violation.floor}`;
    case 'extraPods':
      return `the extra pods of a rollout come to ${violation.extra}, and the guardrails allow ${violation.allowed}`;
    case 'extraGpus':
      return `the extra pods of a rollout ask for ${violation.extra} of ${GPU}, and the guardrails allow ${violation.allowed}`;
    default:
      return 'no container has a readinessProbe, and the guardrails ask for one';
  }
}

/** Where a violation stands. */
export function violationPath({ kind }: Violation): FieldPath {
  if (kind === 'strategy') return at`spec.strategy.type`;
  if (kind === 'available') return at`spec.strategy.rollingUpdate.maxUnavailable`;
  return kind === 'probe' ? at`spec.template.spec.containers` : at`spec.strategy.rollingUpdate.maxSurge`;
}

function percentOf(value: string): number {
  return Number(value.slice(0, -1));
}

/** `3`, or a share of the replicas rounded up: `75%` of 10 is 8. */
function amount(value: number | string, replicas: number): number {
  return typeof value === 'number' ? value : Math.ceil((percentOf(value) * replicas) / 100);
}

/** A limit of a rolling update: `25%` of 10 is 3 for maxSurge, and 2 for maxUnavailable. Undefined for what the server refuses. */
function limit(value: unknown, replicas: number, round: (share: number) => number): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : undefined;
  return typeof value === 'string' && /^\d{1,9}%$/.test(value) ? round((percentOf(value) * replicas) / 100) : undefined;
}

interface Pace {
  readonly type: string;
  readonly replicas: number;
  readonly surge: number;
  readonly unavailable: number;
}

/** How a Deployment rolls out, after the server's defaults; undefined for one that the server refuses. Source: k/k pkg/controller/deployment/util, `ResolveFenceposts`. */
function paceOf(deployment: Manifest): Pace | undefined {
  const replicas = valueAt(deployment, 'spec', 'replicas') ?? 1;
  const type = valueAt(deployment, 'spec', 'strategy', 'type') ?? 'RollingUpdate';
  if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas < 0 || typeof type !== 'string') return undefined;
  if (type !== 'RollingUpdate') return { type, replicas, surge: 0, unavailable: replicas };
  const limits = fieldsAt(deployment, 'spec', 'strategy', 'rollingUpdate');
  const surge = limit(limits.maxSurge ?? '25%', replicas, Math.ceil);
  const unavailable = limit(limits.maxUnavailable ?? '25%', replicas, Math.floor);
  if (surge === undefined || unavailable === undefined) return undefined;
  return { type, replicas, surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** GPUs of one pod. */
function gpusOf(deployment: Manifest): number {
  return listAt(deployment, 'spec', 'template', 'spec', 'containers').reduce<number>((sum, container) => {
    const wanted = Number(valueAt(container, 'resources', 'limits', GPU) ?? 0);
    return sum + (Number.isInteger(wanted) ? wanted : 0);
  }, 0);
}

/** Do the guardrails hold for an object? */
export function isGuarded(object: Manifest, { match, exceptions = [] }: GuardrailPolicy): boolean {
  if (object.kind !== 'Deployment' || groupOf(object) !== 'apps') return false;
  const namespace = namespaceOf(object) ?? 'default';
  if (exceptions.some(({ namespaces }) => namespaces.includes(namespace))) return false;
  if (match?.namespaces && !match.namespaces.includes(namespace)) return false;
  const labels = isFields(object.metadata?.labels) ? object.metadata.labels : {};
  return Object.entries(match?.labels ?? {}).every(([name, value]) => labels[name] === value);
}

/** What a Deployment does that the guardrails do not allow, in the order in which the cluster asks; it names the first alone. */
export function violationsOf(deployment: Manifest, policy: GuardrailPolicy): Violation[] {
  const pace = isGuarded(deployment, policy) ? paceOf(deployment) : undefined;
  if (!pace) return [];
  const { type, replicas, surge, unavailable } = pace;
  const { strategies, neverBelow, atMost, requireReadinessProbe } = policy;
  const violations: Violation[] = [];
  if (strategies && !strategies.includes(type)) violations.push({ kind: 'strategy', type, allowed: strategies });
  const floor = neverBelow ? Math.min(amount(neverBelow.available, replicas), replicas) : 0;
  const available = Math.max(replicas - unavailable, 0);
  if (available < floor) violations.push({ kind: 'available', available, replicas, floor });
  const pods = atMost?.extraPods === undefined ? undefined : amount(atMost.extraPods, replicas);
  if (pods !== undefined && surge > pods) violations.push({ kind: 'extraPods', extra: surge, allowed: pods });
  const gpus = surge * gpusOf(deployment);
  if (atMost?.extraGpus !== undefined && gpus > atMost.extraGpus)
    violations.push({ kind: 'extraGpus', extra: gpus, allowed: atMost.extraGpus });
  const isProbed = listAt(deployment, 'spec', 'template', 'spec', 'containers').some((container) =>
    isFields(valueAt(container, 'readinessProbe')),
  );
  if (requireReadinessProbe === true && !isProbed) violations.push({ kind: 'probe' });
  return violations;
}
