import { isDeepEqual } from '../../core/collections/deep-equal';
import { addToGroup } from '../../core/collections/group-by';
import type { EditTarget } from '../../core/findings/suggested-fix';
import { isInt32 } from '../../core/values/int-or-percent';
import { annotationOf, groupOf, nameOf, namespaceOf, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { memoizePerPlan } from '../context/context';
import type { PlanContext } from '../context/context';
import { CONTEXT_KINDS } from '../kinds/context-kinds';
import type { ContextKind } from '../kinds/context-kinds';
import type { ReplicaRange } from '../rollout/workload';

/** The autoscaler of a workload, and how it treats replicas that are unset or 0. */
export interface Autoscaler extends ReplicaRange {
  /** Planned number of pods of a workload without replicas of its own. */
  readonly initial: number;
  /** Whether it scales up a workload that has no pods. */
  readonly startsFromZero: boolean;
  readonly object: EditTarget;
  /** Name of the field for the minimum number of pods. */
  readonly minimumField: string;
}

/** How a kind of autoscaler refers to its target, and the defaults of its fields. */
interface AutoscalerKind extends ContextKind {
  readonly target: { readonly apiVersion: string; readonly kind?: string };
  readonly minimum: { readonly field: string; readonly default: number };
  readonly maximum: { readonly field: string; readonly default: number };
  /** Minimum initial pods of a workload without replicas. */
  readonly minInitial: number;
  /** Whether it scales up a workload without pods, even with a minimum above 0. */
  readonly startsFromZero: boolean;
  readonly pausedReplicas: (autoscaler: Manifest) => ReturnType<typeof getPausedReplicas>;
}

/** Strings that Go parses as false. */
const GO_FALSE_VALUES: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'False', 'FALSE']);

/** Reports whether an annotation of KEDA is true. Text that is no boolean counts as true. */
export function hasKedaAnnotation(scaledObject: Manifest, name: string): boolean {
  const value = annotationOf(scaledObject, `autoscaling.keda.sh/${name}`);
  return value !== undefined && !GO_FALSE_VALUES.has(value);
}

/**
 * Returns the number of replicas at which KEDA is paused, or that it leaves them as they are. Returns undefined if it is not paused.
 *
 * Source: KEDA 2.20 scaledobject_types.go, `NeedToBePausedByAnnotation`. Since 2.18 any text in `paused-replicas` pauses it.
 */
function getPausedReplicas(scaledObject: Manifest): number | 'as they are' | undefined {
  const replicas = annotationOf(scaledObject, 'autoscaling.keda.sh/paused-replicas');
  if (replicas !== undefined) return /^[0-9]+$/.test(replicas) && isInt32(Number(replicas)) ? Number(replicas) : 'as they are';
  return hasKedaAnnotation(scaledObject, 'paused') ? 'as they are' : undefined;
}

/**
 * The kinds of autoscalers.
 *
 * A HorizontalPodAutoscaler looks for a target without apiVersion in the core group, which has no Deployments. It does not scale a workload
 * with 0 replicas (ScalingDisabled). A ScaledObject creates a HorizontalPodAutoscaler, and scales from and to 0 itself. Until then, unset
 * replicas are 1, the default of the API server.
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

/**
 * Formats the key of a scale target. The version does not matter, but the group does, because several groups have kinds of the same name,
 * such as StatefulSet.
 */
function formatTargetKey(namespace: string | undefined, apiVersion: string, kind: unknown, name: unknown): string {
  return JSON.stringify([namespace ?? '', groupOf({ apiVersion }), kind, name]);
}

function targetKeyOf(target: Manifest): string {
  return formatTargetKey(namespaceOf(target), target.apiVersion, target.kind, nameOf(target));
}

function scaleTargetKeyOf(autoscaler: Manifest, { target }: AutoscalerKind): string | undefined {
  const scaleTarget = getValueAt(autoscaler, 'spec', 'scaleTargetRef');
  const apiVersion = getValueAt(scaleTarget, 'apiVersion') || target.apiVersion;
  const kind = getValueAt(scaleTarget, 'kind') || target.kind;
  if (typeof apiVersion !== 'string') return undefined;
  return formatTargetKey(namespaceOf(autoscaler), apiVersion, kind, getValueAt(scaleTarget, 'name'));
}

/** Parses the autoscaler of an object. Returns undefined if it does not change the replicas of its target. */
function parseAutoscaler(object: Manifest, autoscalerKind: AutoscalerKind): Autoscaler | undefined {
  const { kind, minimum, maximum, minInitial, startsFromZero } = autoscalerKind;
  const by = `${kind} "${nameOf(object)}"`;
  const identity = { by, object: { kind, name: nameOf(object) }, minimumField: minimum.field };
  const paused = autoscalerKind.pausedReplicas(object);
  if (paused === 'as they are') return undefined;
  if (paused !== undefined) return { ...identity, minimum: paused, maximum: paused, initial: paused, startsFromZero };
  const bound = ({ field, default: fallback }: AutoscalerKind['minimum']) => {
    const value = getValueAt(object, 'spec', field);
    return isInt32(value) && value >= 0 ? value : fallback;
  };
  const lowerBound = bound(minimum);
  return {
    ...identity,
    minimum: lowerBound,
    maximum: Math.max(lowerBound, bound(maximum)),
    initial: Math.max(minInitial, lowerBound),
    startsFromZero: startsFromZero || lowerBound === 0,
  };
}

/**
 * Autoscalers by target. If several have the same target, the first one counts, and a HorizontalPodAutoscaler comes before a ScaledObject.
 */
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
 * Returns the autoscaler of an object with a scale subresource, such as a LeaderWorkerSet: an autoscaler in its namespace that targets it
 * by group, kind and name.
 */
export function autoscalerOf(target: Manifest, context: PlanContext): Autoscaler | undefined {
  const byTarget = getAutoscalersByTarget(context);
  return byTarget.size === 0 ? undefined : byTarget.get(targetKeyOf(target));
}

/** Returns the range in which an autoscaler scales a workload with this many pods. Returns undefined if it does not scale it. */
export function replicaRangeOf(autoscaler: Autoscaler | undefined, replicas: number): ReplicaRange | undefined {
  return replicas > 0 || autoscaler?.startsFromZero ? autoscaler : undefined;
}

function findAutoscalerKind(object: Manifest): AutoscalerKind | undefined {
  return AUTOSCALER_KINDS.find((autoscaler) => groupOf(object) === autoscaler.group && object.kind === autoscaler.kind);
}

/** Reports whether an object is an autoscaler. */
export function isAutoscaler(object: Manifest): boolean {
  return findAutoscalerKind(object) !== undefined;
}

/** Reports whether two autoscalers keep the same target between the same bounds. */
export function hasSameScaling(one: Manifest, other: Manifest): boolean {
  const [scaling, others] = [one, other].map((object) => {
    const kind = findAutoscalerKind(object);
    const { minimum, maximum } = (kind && parseAutoscaler(object, kind)) ?? {};
    // KEDA scales a target without activity to this number.
    return [kind && scaleTargetKeyOf(object, kind), minimum, maximum, getValueAt(object, 'spec', 'idleReplicaCount')];
  });
  return isDeepEqual(scaling, others);
}

/** Returns the bounds that the controller of an autoscaler writes for a target with pods; undefined if it writes none. */
export function scalingBoundsOf(object: Manifest): ReplicaRange | undefined {
  const kind = findAutoscalerKind(object);
  const { by, minimum, maximum } = (kind && parseAutoscaler(object, kind)) ?? {};
  if (by === undefined || minimum === undefined || maximum === undefined) return undefined;
  return { by, minimum: Math.max(1, minimum), maximum: Math.max(1, maximum) };
}

/** Creates a lookup of the object that an autoscaler scales. It is indexed once it is needed. */
export function createScaleTargetLookup(objects: readonly Manifest[]): (autoscaler: Manifest) => Manifest | undefined {
  let byKey: ReadonlyMap<string, Manifest> | undefined;
  return (autoscaler) => {
    const kind = findAutoscalerKind(autoscaler);
    const key = kind && scaleTargetKeyOf(autoscaler, kind);
    byKey ??= new Map(objects.map((object) => [targetKeyOf(object), object]));
    return key === undefined ? undefined : byKey.get(key);
  };
}

/** Creates a lookup of the HorizontalPodAutoscalers and ScaledObjects that target a workload. */
export function createAutoscalerLookup(objects: readonly Manifest[]): (workload: Manifest) => readonly Manifest[] {
  const byTarget = new Map<string, Manifest[]>();
  for (const object of objects) {
    const kind = findAutoscalerKind(object);
    const key = kind && parseAutoscaler(object, kind) && scaleTargetKeyOf(object, kind);
    if (key === undefined) continue;
    addToGroup(byTarget, key, object);
  }
  return (workload) => (byTarget.size === 0 ? [] : (byTarget.get(targetKeyOf(workload)) ?? []));
}

/** The workload that an autoscaler scales. */
export interface ScaledTarget {
  readonly namespace: string | undefined;
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** Lists the HorizontalPodAutoscalers and ScaledObjects that surround a unit. */
export function listAutoscalers(context: PlanContext): readonly Manifest[] {
  return AUTOSCALER_KINDS.flatMap((kind) => context.all(kind));
}

/** Returns at how many replicas KEDA is paused, so that its autoscaler does not exist. Undefined if it is not paused. */
export function findPausedReplicas(object: Manifest): number | 'as they are' | undefined {
  return findAutoscalerKind(object)?.pausedReplicas(object);
}

/** Reports whether KEDA is paused, so that its autoscaler does not exist. */
export function isPausedAutoscaler(object: Manifest): boolean {
  return findPausedReplicas(object) !== undefined;
}

/** Returns the workload that an autoscaler scales. Undefined if it names none. */
export function describeScaleTarget(object: Manifest): ScaledTarget | undefined {
  const target = findAutoscalerKind(object)?.target;
  const scaleTarget = getValueAt(object, 'spec', 'scaleTargetRef');
  const apiVersion = getValueAt(scaleTarget, 'apiVersion') || target?.apiVersion;
  const kind = getValueAt(scaleTarget, 'kind') || target?.kind;
  const name = getValueAt(scaleTarget, 'name');
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return undefined;
  return { namespace: namespaceOf(object), group: groupOf({ apiVersion }), kind, name };
}
