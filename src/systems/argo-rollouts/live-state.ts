import type { ObjectInContext, TemplateEquality } from '../../cluster/context/context';
import type { CanaryState, VersionPods } from '../../cluster/rollout/initial-state';
import { isInt32 } from '../../core/values/int-or-percent';
import { getFieldsAt, isFields, getListAt, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { RolloutHealth, InitialRolloutState, InitialRevision } from '../../core/document/initial-state';
import { computePodsForWeight } from './canary-pod-counts';
import { NO_PODS, mergePodGroups } from './state';
import type { CanaryStrategy } from './strategy';

/** The label by which the controller distinguishes the ReplicaSets of a Rollout. */
const POD_TEMPLATE_HASH_LABEL = 'rollouts-pod-template-hash';

function replicaSetsOf({ object, live }: ObjectInContext): readonly Manifest[] {
  return live?.ownedBy(object, 'ReplicaSet') ?? [];
}

/** Returns the pods of a live Rollout that are in the input. */
export function listLivePods(rollout: ObjectInContext): readonly Manifest[] {
  return replicaSetsOf(rollout).flatMap((set) => rollout.live!.ownedBy(set, 'Pod'));
}

function readCount(object: unknown, ...path: readonly string[]): number {
  const value = getValueAt(object, ...path);
  return isInt32(value) && value >= 0 ? value : 0;
}

function hashOf(set: Manifest): unknown {
  return getValueAt(set, 'metadata', 'labels', POD_TEMPLATE_HASH_LABEL);
}

/** Counts the pods of a ReplicaSet. Pods beyond its replicas are about to be deleted and not counted, available or not. */
function countPods(set: Manifest): VersionPods {
  const size = readCount(set, 'spec', 'replicas');
  return { size, ready: Math.min(size, readCount(set, 'status', 'availableReplicas')) };
}

/** Returns the ReplicaSets that have pods, with the ReplicaSet of the newest template last. */
function listRevisions(rollout: ObjectInContext, current: unknown): InitialRevision[] {
  const sets = replicaSetsOf(rollout).map((set) => {
    const { size, ready } = countPods(set);
    return { revision: hashOf(set), replicas: size, available: ready };
  });
  return sets
    .filter(({ replicas }) => replicas > 0)
    .toSorted((a, b) => Number(a.revision === current) - Number(b.revision === current))
    .map(({ revision, ...pods }) => ({ ...(typeof revision === 'string' && { revision }), ...pods }));
}

function buildRevisionsFromStatus({ object }: ObjectInContext): InitialRevision[] {
  const [replicas, updated, available] = ['replicas', 'updatedReplicas', 'availableReplicas'].map((field) =>
    readCount(object, 'status', field),
  ) as [number, number, number];
  const oldAvailable = Math.min(replicas - updated, available);
  const revisions = [
    { replicas: replicas - updated, available: oldAvailable },
    { replicas: updated, available: available - oldAvailable },
  ];
  return revisions.filter((revision) => revision.replicas > 0);
}

function readHealth(object: Manifest): RolloutHealth | undefined {
  const isLate = getListAt(object, 'status', 'conditions').some(
    (condition) => getValueAt(condition, 'reason') === 'ProgressDeadlineExceeded',
  );
  if (isLate) return 'deadline-exceeded';
  const phase = getValueAt(object, 'status', 'phase');
  return phase === 'Paused' ? 'paused' : phase === 'Progressing' ? 'progressing' : undefined;
}

/**
 * Returns the state of a live Rollout; undefined if it was not read from a cluster.
 *
 * Source: Argo Rollouts v1.9.1, utils/rollout/rolloututil.go, `IsFullyPromoted`.
 */
export function readLiveRollout(rollout: ObjectInContext, replicas: number): InitialRolloutState | undefined {
  if (!rollout.live) return undefined;
  const revisions = listRevisions(rollout, getFieldsAt(rollout.object, 'status').currentPodHash);
  const underWay = isRolloutInProgress(rollout);
  const health = underWay ? readHealth(rollout.object) : undefined;
  return {
    replicas,
    revisions: revisions.length > 0 ? revisions : buildRevisionsFromStatus(rollout),
    underWay,
    ...(health && { health }),
  };
}

/** The annotation with the time at which the controller deletes the pods of a ReplicaSet. */
const SCALE_DOWN_DEADLINE_ANNOTATION = 'scale-down-deadline';

/**
 * The fields that the controller adds to the templates of ReplicaSets. With them, a ReplicaSet cannot be matched to the applied template.
 */
const FIELDS_ADDED_TO_TEMPLATES = ['antiAffinity', 'canaryMetadata', 'stableMetadata'] as const;

/** Returns the template of a ReplicaSet without the label that the controller adds. */
function readReplicaSetTemplate(set: Manifest): Fields | undefined {
  const template = getValueAt(set, 'spec', 'template');
  if (!isFields(template)) return undefined;
  const metadata = getFieldsAt(template, 'metadata');
  const { [POD_TEMPLATE_HASH_LABEL]: _, ...labels } = getFieldsAt(metadata, 'labels');
  return { ...template, metadata: { ...metadata, labels } };
}

/** Reports whether the newest version of a live Rollout is not the stable one yet. */
export function isRolloutInProgress({ live, object }: ObjectInContext): boolean {
  const { stableRS, currentPodHash } = getFieldsAt(object, 'status');
  return live !== undefined && typeof stableRS === 'string' && stableRS !== currentPodHash;
}

/** Reports whether the status of a live Rollout at rest shows pods and none that is available. The controller omits a count of 0. */
export function areLivePodsDown(rollout: ObjectInContext): boolean {
  const { status } = rollout.object;
  const isKnown = rollout.live !== undefined && !isRolloutInProgress(rollout);
  return isKnown && readCount(status, 'replicas') > 0 && readCount(status, 'availableReplicas') === 0;
}

/**
 * Returns the pods of the stable version of an unfinished canary with dynamicStableScale, if it has fewer than all: those that are ready, or,
 * without its ReplicaSet in the input, those for its share of the requests. Undefined otherwise, or if the share is not known.
 */
export function findReducedStable(rollout: ObjectInContext, replicas: number): number | undefined {
  const canary = getFieldsAt(rollout.object, 'spec', 'strategy', 'canary');
  if (canary.dynamicStableScale !== true || !isRolloutInProgress(rollout)) return undefined;
  const { stableRS, canary: status } = getFieldsAt(rollout.object, 'status');
  const stableSet = replicaSetsOf(rollout).find((set) => hashOf(set) === stableRS);
  const weight = getValueAt(status, 'weights', 'canary', 'weight');
  const maxWeight = readCount(canary, 'trafficRouting', 'maxTrafficWeight') || 100;
  const stable = stableSet
    ? countPods(stableSet).ready
    : isInt32(weight)
      ? computePodsForWeight(replicas, maxWeight - weight, maxWeight)
      : replicas;
  return stable < replicas ? stable : undefined;
}

/**
 * Returns the state of an unfinished canary that gets a new template or new steps. Undefined if it is unknown, or if `simulateArgoRollout`
 * does not support it as an initial state: a running timer or dynamicStableScale.
 */
export function findCanaryPoint(
  rollout: ObjectInContext,
  next: {
    readonly object: Manifest;
    readonly strategy: CanaryStrategy;
    readonly template: Fields;
    readonly isNewTemplate: boolean;
    readonly isSameTemplate: TemplateEquality;
  },
): CanaryState | undefined {
  const { strategy, template, isNewTemplate, isSameTemplate } = next;
  const status = getFieldsAt(rollout.object, 'status');
  const [old, written] = [rollout.object, next.object].map((object) => getFieldsAt(object, 'spec', 'strategy', 'canary')) as [
    Fields,
    Fields,
  ];
  const isWritten = FIELDS_ADDED_TO_TEMPLATES.some((field) => old[field] !== undefined || written[field] !== undefined);
  const isRouted = isFields(old.trafficRouting);
  const { rollbackWindow } = getFieldsAt(next.object, 'spec');
  if (isWritten || strategy.dynamicStableScale || isRouted !== strategy.isRouted || rollbackWindow !== undefined) return undefined;
  const sets = replicaSetsOf(rollout);
  const stableSet = sets.find((set) => hashOf(set) === status.stableRS);
  const stableTemplate = stableSet && readReplicaSetTemplate(stableSet);
  if (!stableSet || !stableTemplate || !isRolloutInProgress(rollout)) return undefined;
  const others = sets.filter((set) => set !== stableSet && countPods(set).size > 0);
  const isTimed = others.some((set) => getValueAt(set, 'metadata', 'annotations', SCALE_DOWN_DEADLINE_ANNOTATION) !== undefined);
  const applied = isSameTemplate(stableTemplate, template) ? 'stable' : isNewTemplate ? 'another' : 'same';
  // If another version runs next to the newest one, the order in which their pods are deleted is unknown.
  const isKnown =
    applied === 'same'
      ? others.every((set) => hashOf(set) === status.currentPodHash)
      : !others.some((set) => isSameTemplate(readReplicaSetTemplate(set) ?? template, template));
  const stable = countPods(stableSet);
  if (isTimed || !isKnown || (isRouted && (stable.ready < stable.size || status.abort === true))) return undefined;
  const weight = getValueAt(status, 'canary', 'weights', 'canary', 'weight');
  const step = readCount(rollout.object, 'status', 'currentStepIndex');
  return {
    stable,
    canary: others.map(countPods).reduce(mergePodGroups, NO_PODS),
    applied,
    ...(step > 0 && { step }),
    ...(status.abort === true && { isAborted: true }),
    ...(isRouted && isInt32(weight) && { weight }),
  };
}
