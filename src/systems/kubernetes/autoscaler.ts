import { isInt32 } from '../../core/int-or-percent';
import { groupOf, isManifest, nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { oncePerPlan } from '../../core/system';
import type { PlanContext } from '../../core/system';
import type { ReplicaRange } from '../../core/workload';

/** What autoscalers of a kind have where their fields are left out. */
interface AutoscalerKind {
  readonly group: string;
  readonly kind: string;
  readonly minimum: { readonly field: string; readonly default: number };
  readonly maximum: { readonly field: string; readonly default: number };
}

/** A ScaledObject makes a HorizontalPodAutoscaler of its own. Sources: k/k autoscaling/v2 defaults; KEDA scaledobject_types.go. */
const KINDS: readonly AutoscalerKind[] = [
  {
    group: 'autoscaling',
    kind: 'HorizontalPodAutoscaler',
    minimum: { field: 'minReplicas', default: 1 },
    maximum: { field: 'maxReplicas', default: 1 },
  },
  {
    group: 'keda.sh',
    kind: 'ScaledObject',
    minimum: { field: 'minReplicaCount', default: 0 },
    maximum: { field: 'maxReplicaCount', default: 100 },
  },
];

/** Groups that Deployments and StatefulSets have had; a version makes no difference. */
const WORKLOAD_GROUPS = new Set(['', 'apps', 'extensions']);

function targetKey(namespace: string | undefined, kind: unknown, name: unknown): string {
  return JSON.stringify([namespace ?? '', kind, name]);
}

function keyOf(autoscaler: Manifest): string | undefined {
  const target = valueAt(autoscaler, 'spec', 'scaleTargetRef');
  if (isManifest(target) && !WORKLOAD_GROUPS.has(groupOf(target))) return undefined;
  // KEDA takes a Deployment where no kind is named; the API server refuses a HorizontalPodAutoscaler without one.
  return targetKey(namespaceOf(autoscaler), valueAt(target, 'kind') ?? 'Deployment', valueAt(target, 'name'));
}

/** Autoscalers by the workload that they target; of two with one target the first, and a HorizontalPodAutoscaler before a ScaledObject. */
const autoscalersByTarget = oncePerPlan((context) => {
  const byTarget = new Map<string, ReplicaRange>();
  for (const kind of KINDS) {
    for (const autoscaler of context.ofKind(kind.group, kind.kind)) {
      const key = keyOf(autoscaler);
      if (key !== undefined && !byTarget.has(key)) byTarget.set(key, rangeOf(autoscaler, kind));
    }
  }
  return byTarget;
});

function rangeOf(autoscaler: Manifest, { kind, minimum, maximum }: AutoscalerKind): ReplicaRange {
  const bound = ({ field, default: fallback }: AutoscalerKind['minimum']) => {
    const value = valueAt(autoscaler, 'spec', field);
    return isInt32(value) && value >= 0 ? value : fallback;
  };
  const least = bound(minimum);
  return { by: `${kind} "${nameOf(autoscaler)}"`, minimum: least, maximum: Math.max(least, bound(maximum)) };
}

/** The numbers of pods between which an autoscaler of the same namespace keeps a workload that it targets by kind and name. */
export function autoscalerOf(workload: Manifest, context: PlanContext): ReplicaRange | undefined {
  return autoscalersByTarget(context).get(targetKey(namespaceOf(workload), workload.kind, nameOf(workload)));
}

/** Does an object keep the replicas of a workload: a HorizontalPodAutoscaler or ScaledObject that targets it? */
export function isAutoscalerOf(object: Manifest, workload: Manifest): boolean {
  const isAutoscaler = KINDS.some(({ group, kind }) => groupOf(object) === group && object.kind === kind);
  return isAutoscaler && keyOf(object) === targetKey(namespaceOf(workload), workload.kind, nameOf(workload));
}
