import type { EditTarget } from '../core/suggested-fix';
import { isInt32 } from '../core/int-or-percent';
import { annotationOf, groupOf, nameOf, namespaceOf, getValueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { memoizePerPlan } from './context';
import type { PlanContext } from './context';
import { CONTEXT_KINDS } from './context-kinds';
import type { ContextKind } from './context-kinds';
import type { ReplicaRange } from './workload';

/** Who keeps the replicas of a workload, and what that means for replicas that are left out or 0. */
export interface Autoscaler extends ReplicaRange {
  /** Pods that a workload without replicas of its own is planned with. */
  readonly initial: number;
  /** Does it scale up a workload that has no pods? */
  readonly startsFromZero: boolean;
  readonly object: EditTarget;
  /** The field that has the fewest pods. */
  readonly minimumField: string;
}

/** How autoscalers of a kind name their target, and what they have where their fields are left out. */
interface AutoscalerKind extends ContextKind {
  readonly target: { readonly apiVersion: string; readonly kind?: string };
  readonly minimum: { readonly field: string; readonly default: number };
  readonly maximum: { readonly field: string; readonly default: number };
  /** A workload whose replicas are left out has at least so many. */
  readonly minInitial: number;
  /** Does it scale up a workload that has no pods, even with a minimum above 0? */
  readonly startsFromZero: boolean;
  readonly pausedReplicas: (autoscaler: Manifest) => ReturnType<typeof getPausedReplicas>;
}

/** What Go reads as false. */
const GO_FALSE_VALUES: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'False', 'FALSE']);

/** Where KEDA holds replicas while it is paused: at a number, or where they are; undefined where it is not paused. */
function getPausedReplicas(scaledObject: Manifest): number | 'as they are' | undefined {
  const replicas = annotationOf(scaledObject, 'autoscaling.keda.sh/paused-replicas');
  if (replicas !== undefined && /^[0-9]+$/.test(replicas) && isInt32(Number(replicas))) return Number(replicas);
  const paused = annotationOf(scaledObject, 'autoscaling.keda.sh/paused');
  return paused === undefined || GO_FALSE_VALUES.has(paused) ? undefined : 'as they are';
}

/**
 * A HorizontalPodAutoscaler takes a target without apiVersion for one of the core group, where no Deployment is,
 * and leaves a workload with 0 replicas alone (ScalingDisabled). A ScaledObject makes one of its own, and scales from and to 0 itself:
 * replicas that are left out are the 1 that the API server fills in until then.
 *
 * Sources: k/k autoscaling/v2 defaults, podautoscaler/horizontal.go; KEDA 2 scaledobject_types.go, scaledobject_controller.go,
 * scale_scaledobjects.go.
 */
const AUTOSCALER_KINDS: readonly AutoscalerKind[] = [
  {
    ...CONTEXT_KINDS.horizontalPodAutoscaler,
    target: { apiVersion: '' },
    minimum: { field: 'minReplicas', default: 1 },
    maximum: { field: 'maxReplicas', default: 1 },
    minInitial: 0,
    startsFromZero: false,
    pausedReplicas: () => undefined,
  },
  {
    ...CONTEXT_KINDS.scaledObject,
    target: { apiVersion: 'apps/v1', kind: 'Deployment' },
    minimum: { field: 'minReplicaCount', default: 0 },
    maximum: { field: 'maxReplicaCount', default: 100 },
    minInitial: 1,
    startsFromZero: true,
    pausedReplicas: getPausedReplicas,
  },
];

/** Of the version nothing is asked, only that the group has the kind: groups have kinds of the same name, such as StatefulSet. */
function formatTargetKey(namespace: string | undefined, apiVersion: string, kind: unknown, name: unknown): string {
  return JSON.stringify([namespace ?? '', groupOf({ apiVersion }), kind, name]);
}

function targetKeyOf(target: Manifest): string {
  return formatTargetKey(namespaceOf(target), target.apiVersion, target.kind, nameOf(target));
}

function scaleTargetKeyOf(autoscaler: Manifest, { target }: AutoscalerKind): string | undefined {
  const named = getValueAt(autoscaler, 'spec', 'scaleTargetRef');
  const apiVersion = getValueAt(named, 'apiVersion') || target.apiVersion;
  const kind = getValueAt(named, 'kind') || target.kind;
  if (typeof apiVersion !== 'string') return undefined;
  return formatTargetKey(namespaceOf(autoscaler), apiVersion, kind, getValueAt(named, 'name'));
}

/** What an object does to the replicas of its target; undefined where it leaves them as they are. */
function parseAutoscaler(object: Manifest, autoscalerKind: AutoscalerKind): Autoscaler | undefined {
  const { kind, minimum, maximum, minInitial, startsFromZero } = autoscalerKind;
  const by = `${kind} "${nameOf(object)}"`;
  const named = { by, object: { kind, name: nameOf(object) }, minimumField: minimum.field };
  const paused = autoscalerKind.pausedReplicas(object);
  if (paused === 'as they are') return undefined;
  if (paused !== undefined) return { ...named, minimum: paused, maximum: paused, initial: paused, startsFromZero };
  const bound = ({ field, default: fallback }: AutoscalerKind['minimum']) => {
    const value = getValueAt(object, 'spec', field);
    return isInt32(value) && value >= 0 ? value : fallback;
  };
  const lowerBound = bound(minimum);
  return {
    ...named,
    minimum: lowerBound,
    maximum: Math.max(lowerBound, bound(maximum)),
    initial: Math.max(minInitial, lowerBound),
    startsFromZero: startsFromZero || lowerBound === 0,
  };
}

/** Autoscalers by the workload that they target; of two with one target the first, and a HorizontalPodAutoscaler before a ScaledObject. */
const getAutoscalersByTarget = memoizePerPlan((context) => {
  const byTarget = new Map<string, Autoscaler>();
  for (const kind of AUTOSCALER_KINDS) {
    for (const object of context.all(kind)) {
      const key = scaleTargetKeyOf(object, kind);
      const autoscaler = parseAutoscaler(object, kind);
      if (key !== undefined && autoscaler && !byTarget.has(key)) byTarget.set(key, autoscaler);
    }
  }
  return byTarget;
});

/**
 * Who keeps the replicas of an object that has a subresource scale, groups of a LeaderWorkerSet among them:
 * an autoscaler of its namespace that targets it by group, kind and name.
 */
export function autoscalerOf(target: Manifest, context: PlanContext): Autoscaler | undefined {
  const byTarget = getAutoscalersByTarget(context);
  return byTarget.size === 0 ? undefined : byTarget.get(targetKeyOf(target));
}

/** Between which numbers an autoscaler moves a workload that has so many pods; undefined where it leaves it alone. */
export function replicaRangeOf(autoscaler: Autoscaler | undefined, replicas: number): ReplicaRange | undefined {
  return replicas > 0 || autoscaler?.startsFromZero ? autoscaler : undefined;
}

/** Is an object one that keeps the replicas of others? */
export function isAutoscaler(object: Manifest): boolean {
  return AUTOSCALER_KINDS.some((autoscaler) => groupOf(object) === autoscaler.group && object.kind === autoscaler.kind);
}

/** Which of some objects keep the replicas of a workload: HorizontalPodAutoscalers and ScaledObjects that target it. */
export function createAutoscalerLookup(objects: readonly Manifest[]): (workload: Manifest) => readonly Manifest[] {
  const byTarget = new Map<string, Manifest[]>();
  for (const object of objects) {
    const kind = AUTOSCALER_KINDS.find((autoscaler) => groupOf(object) === autoscaler.group && object.kind === autoscaler.kind);
    const key = kind && parseAutoscaler(object, kind) && scaleTargetKeyOf(object, kind);
    if (key === undefined) continue;
    const known = byTarget.get(key);
    if (known) known.push(object);
    else byTarget.set(key, [object]);
  }
  return (workload) => (byTarget.size === 0 ? [] : (byTarget.get(targetKeyOf(workload)) ?? []));
}
