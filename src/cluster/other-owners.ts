import { getFieldsAt, getListAt, getValueAt, groupOf, nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { toFieldPath } from '../core/field-path';
import type { Finding } from '../core/finding';
import { isPausedAutoscaler } from './autoscaler';
import { memoizePerPlan } from './context';
import type { PlanContext } from './context';
import { CONTEXT_KINDS } from './context-kinds';
import type { ContextKind } from './context-kinds';
import { otherOwner } from './rules/other-owner';

/** A controller next to that of a workload that decides about its pods. */
interface OtherOwner {
  readonly messageId: 'kruise' | 'vpa' | 'keda-zero';
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
  return getListAt(object, 'spec', 'triggers').some((trigger) => !['cpu', 'memory'].includes(String(getValueAt(trigger, 'type'))));
}

/**
 * Sources: OpenKruise Rollouts v0.6.2 pkg/webhook/workload; kubernetes/autoscaler vertical-pod-autoscaler; KEDA v2.20.2.
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
    isActive: (object) =>
      (getValueAt(object, 'spec', 'minReplicaCount') ?? 0) === 0 && !isPausedAutoscaler(object) && hasEventTrigger(object),
  },
];

const getOwnersByWorkload = memoizePerPlan((context) => {
  const byWorkload = new Map<string, OtherOwner[]>();
  for (const { kind, path, messageId, replacesPods, isActive } of OWNER_KINDS) {
    for (const owner of context.all(kind)) {
      const key = isActive(owner) ? referenceKeyOf(owner, ...path) : undefined;
      if (key !== undefined) byWorkload.set(key, [...(byWorkload.get(key) ?? []), { messageId, owner, replacesPods }]);
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
      data: { owner: `${owner.kind} "${nameOf(owner)}"`, kind: object.kind },
    }),
  );
}
