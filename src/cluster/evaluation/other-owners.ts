import { addToGroup } from '../../core/collections/group-by';
import { getFieldsAt, getListAt, getValueAt, groupOf, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { hasKedaAnnotation, isPausedAutoscaler, findPausedReplicas } from '../autoscaling/autoscaler';
import { memoizePerPlan } from '../context/context';
import type { PlanContext } from '../context/context';
import { CONTEXT_KINDS } from '../kinds/context-kinds';
import type { ContextKind } from '../kinds/context-kinds';
import { otherOwner } from '../rules/other-owner';
import { toSafeText } from '../../core/text/value-text';

/** A controller next to that of a workload that decides about its pods. */
interface OtherOwner {
  readonly messageId: 'kruise' | 'vpa' | 'keda-zero' | 'keda-paused' | 'keda-fallback';
  readonly owner: Manifest;
  /** Whether its steps replace those of the workload's own controller. */
  readonly replacesPods: boolean;
}

function keyOf(namespace: string | undefined, group: string, kind: unknown, name: unknown): string {
  return JSON.stringify([namespace ?? '', group, kind, name]);
}

/** Returns the key of the workload that an object refers to. */
function referenceKeyOf(object: Manifest, ...path: readonly string[]): string | undefined {
  const { apiVersion = 'apps/v1', kind = 'Deployment', name } = getFieldsAt(object, ...path);
  return typeof apiVersion === 'string' ? keyOf(namespaceOf(object), groupOf({ apiVersion }), kind, name) : undefined;
}

/** A kind of object that decides about the pods of a workload that it refers to. */
interface OwnerKind {
  readonly kind: ContextKind;
  readonly path: readonly string[];
  readonly messageId: OtherOwner['messageId'];
  readonly replacesPods: boolean;
  readonly isActive: (object: Manifest) => boolean;
}

/** Modes in which a VerticalPodAutoscaler changes the requests of pods. `Off` only recommends. */
const ACTIVE_VPA_MODES: ReadonlySet<unknown> = new Set([undefined, 'Auto', 'Recreate', 'Initial', 'InPlaceOrRecreate']);

/** Reports whether a ScaledObject has a trigger that can be inactive. With triggers for cpu and memory alone, KEDA never scales to 0. */
function hasEventTrigger(object: Manifest): boolean {
  return getListAt(object, 'spec', 'triggers').some((trigger) => !['cpu', 'memory'].includes(toSafeText(getValueAt(trigger, 'type'))));
}

/** Reports whether KEDA takes the last pods away while no trigger is active: to `idleReplicaCount`, else to a minimum of 0. */
function scalesToZero(object: Manifest): boolean {
  const { idleReplicaCount, minReplicaCount } = getFieldsAt(object, 'spec');
  if (isPausedAutoscaler(object) || !hasEventTrigger(object) || (idleReplicaCount ?? minReplicaCount ?? 0) !== 0) return false;
  return !hasKedaAnnotation(object, 'paused-scale-in') && !hasKedaAnnotation(object, 'force-activation');
}

/** Returns the number of pods that KEDA asks for while a trigger fails. Undefined if it asks for none, or for the current number. */
function fallbackReplicasOf(object: Manifest): number | undefined {
  const { replicas, behavior = 'static' } = getFieldsAt(object, 'spec', 'fallback');
  const isFixed = behavior === 'static' || behavior === 'currentReplicasIfHigher' || behavior === 'currentReplicasIfLower';
  return typeof replicas === 'number' && isFixed && hasEventTrigger(object) && !isPausedAutoscaler(object) ? replicas : undefined;
}

/** Returns how many pods a paused or failing ScaledObject asks for, for the message. */
function describePods(object: Manifest): string {
  const paused = findPausedReplicas(object);
  if (paused !== undefined) return paused === 'as they are' ? 'the current number of' : String(paused);
  const behavior = getValueAt(object, 'spec', 'fallback', 'behavior');
  const replicas = String(fallbackReplicasOf(object));
  if (behavior === 'currentReplicasIfHigher') return `at least ${replicas}`;
  return behavior === 'currentReplicasIfLower' ? `at most ${replicas}` : replicas;
}

/**
 * Sources: OpenKruise Rollouts v0.6.2 pkg/webhook/workload; kubernetes/autoscaler vertical-pod-autoscaler; KEDA v2.20.2
 * pkg/scaling/executor/scale_scaledobjects.go and pkg/fallback/fallback.go.
 */
const OWNER_KINDS: readonly OwnerKind[] = [
  {
    kind: CONTEXT_KINDS.kruiseRollout,
    path: ['spec', 'workloadRef'],
    messageId: 'kruise',
    replacesPods: true,
    isActive: (object) => getValueAt(object, 'spec', 'disabled') !== true,
  },
  {
    kind: CONTEXT_KINDS.verticalPodAutoscaler,
    path: ['spec', 'targetRef'],
    messageId: 'vpa',
    replacesPods: false,
    isActive: (object) => ACTIVE_VPA_MODES.has(getValueAt(object, 'spec', 'updatePolicy', 'updateMode')),
  },
  {
    kind: CONTEXT_KINDS.scaledObject,
    path: ['spec', 'scaleTargetRef'],
    messageId: 'keda-zero',
    replacesPods: false,
    isActive: scalesToZero,
  },
  {
    kind: CONTEXT_KINDS.scaledObject,
    path: ['spec', 'scaleTargetRef'],
    messageId: 'keda-paused',
    replacesPods: false,
    isActive: isPausedAutoscaler,
  },
  {
    kind: CONTEXT_KINDS.scaledObject,
    path: ['spec', 'scaleTargetRef'],
    messageId: 'keda-fallback',
    replacesPods: false,
    isActive: (object) => fallbackReplicasOf(object) !== undefined,
  },
];

const getOwnersByWorkload = memoizePerPlan((context) => {
  const byWorkload = new Map<string, OtherOwner[]>();
  for (const { kind, path, messageId, replacesPods, isActive } of OWNER_KINDS) {
    for (const owner of context.all(kind)) {
      const key = isActive(owner) ? referenceKeyOf(owner, ...path) : undefined;
      if (key !== undefined) addToGroup(byWorkload, key, { messageId, owner, replacesPods });
    }
  }
  return byWorkload;
});

function listOwners(object: Manifest, context: PlanContext): readonly OtherOwner[] {
  const byWorkload = getOwnersByWorkload(context);
  return byWorkload.size === 0 ? [] : (byWorkload.get(keyOf(namespaceOf(object), groupOf(object), object.kind, nameOf(object))) ?? []);
}

/** Reports whether another controller replaces the pods of a workload, so that its strategy does not decide. */
export function isReplacedByOther(object: Manifest, context: PlanContext): boolean {
  return listOwners(object, context).some(({ replacesPods }) => replacesPods);
}

/** Reports the controllers that also decide about the pods of a workload. */
export function checkOtherOwners(object: Manifest, context: PlanContext): Finding[] {
  return listOwners(object, context).map(({ messageId, owner }) =>
    otherOwner.createFinding(messageId, {
      path: toFieldPath`spec.template`,
      data: { owner: `${owner.kind} "${nameOf(owner)}"`, kind: object.kind, pods: describePods(owner) },
    }),
  );
}
