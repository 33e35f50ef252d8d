import type { InContext, TemplateEquality } from '../../cluster/context';
import type { CanaryPoint, VersionPods } from '../../cluster/starting-point';
import { isInt32 } from '../../core/int-or-percent';
import { fieldsAt, isFields, listAt, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { Health, RolloutStart, StartingRevision } from '../../core/rollout-start';
import { NO_PODS, together } from './state';
import type { Canary } from './strategy';

/** The label by which the controller tells the ReplicaSets of a Rollout. */
const HASH_LABEL = 'rollouts-pod-template-hash';

function replicaSetsOf({ object, live }: InContext): readonly Manifest[] {
  return live?.of(object, 'ReplicaSet') ?? [];
}

/** The pods of a live Rollout, as far as they are in view. */
export function livePods(rollout: InContext): readonly Manifest[] {
  return replicaSetsOf(rollout).flatMap((set) => rollout.live!.of(set, 'Pod'));
}

function countAt(object: Manifest, ...path: readonly string[]): number {
  const value = valueAt(object, ...path);
  return isInt32(value) && value >= 0 ? value : 0;
}

function hashOf(set: Manifest): unknown {
  return valueAt(set, 'metadata', 'labels', HASH_LABEL);
}

/** The pods of a ReplicaSet; of one that is made smaller those beyond its number are as good as gone, available or not. */
function podsIn(set: Manifest): VersionPods {
  const size = countAt(set, 'spec', 'replicas');
  return { size, ready: Math.min(size, countAt(set, 'status', 'availableReplicas')) };
}

/** The ReplicaSets that have pods, that of the newest template last. */
function revisionsOf(rollout: InContext, current: unknown): StartingRevision[] {
  const sets = replicaSetsOf(rollout).map((set) => {
    const { size, ready } = podsIn(set);
    return { revision: hashOf(set), replicas: size, available: ready };
  });
  return sets
    .filter(({ replicas }) => replicas > 0)
    .toSorted((a, b) => Number(a.revision === current) - Number(b.revision === current))
    .map(({ revision, ...pods }) => ({ ...(typeof revision === 'string' && { revision }), ...pods }));
}

function revisionsByStatus({ object }: InContext): StartingRevision[] {
  const [replicas, updated, available] = ['replicas', 'updatedReplicas', 'availableReplicas'].map((field) =>
    countAt(object, 'status', field),
  ) as [number, number, number];
  const oldAvailable = Math.min(replicas - updated, available);
  const revisions = [
    { replicas: replicas - updated, available: oldAvailable },
    { replicas: updated, available: available - oldAvailable },
  ];
  return revisions.filter((revision) => revision.replicas > 0);
}

function healthOf(object: Manifest): Health | undefined {
  const isLate = listAt(object, 'status', 'conditions').some((condition) => valueAt(condition, 'reason') === 'ProgressDeadlineExceeded');
  if (isLate) return 'deadline-exceeded';
  const phase = valueAt(object, 'status', 'phase');
  return phase === 'Paused' ? 'paused' : phase === 'Progressing' ? 'progressing' : undefined;
}

/**
 * Where a live Rollout stands; undefined where it was not read from a cluster.
 *
 * Source: Argo Rollouts v1.9.1, utils/rollout/rolloututil.go, `IsFullyPromoted`.
 */
export function liveStart(rollout: InContext, replicas: number): RolloutStart | undefined {
  if (!rollout.live) return undefined;
  const revisions = revisionsOf(rollout, fieldsAt(rollout.object, 'status').currentPodHash);
  const underWay = isOnItsWay(rollout);
  const health = underWay ? healthOf(rollout.object) : undefined;
  return {
    replicas,
    revisions: revisions.length > 0 ? revisions : revisionsByStatus(rollout),
    underWay,
    ...(health && { health }),
  };
}

/** The time at which the controller takes the pods of a ReplicaSet away. */
const DEADLINE_ANNOTATION = 'scale-down-deadline';

/** What the controller writes into the templates of ReplicaSets, so that they don't tell any more which one is applied. */
const WRITTEN_INTO_TEMPLATES = ['antiAffinity', 'canaryMetadata', 'stableMetadata'] as const;

/** The template of a ReplicaSet without the label that the controller adds. */
function templateOfSet(set: Manifest): Fields | undefined {
  const template = valueAt(set, 'spec', 'template');
  if (!isFields(template)) return undefined;
  const metadata = fieldsAt(template, 'metadata');
  const { [HASH_LABEL]: _, ...labels } = fieldsAt(metadata, 'labels');
  return { ...template, metadata: { ...metadata, labels } };
}

/** Is the last version of a live Rollout not the stable one yet? */
export function isOnItsWay({ live, object }: InContext): boolean {
  const { stableRS, currentPodHash } = fieldsAt(object, 'status');
  return live !== undefined && typeof stableRS === 'string' && stableRS !== currentPodHash;
}

/**
 * Where the canary of a live Rollout stands that gets another template, or other steps, before its last one is the stable one; undefined where that is not known,
 * or where `simulateArgoRollout` does not begin: what goes by the clock that runs already, and dynamicStableScale.
 */
export function canaryPoint(
  rollout: InContext,
  next: {
    readonly object: Manifest;
    readonly strategy: Canary;
    readonly template: Fields;
    readonly isNewTemplate: boolean;
    readonly isSameTemplate: TemplateEquality;
  },
): CanaryPoint | undefined {
  const { strategy, template, isNewTemplate, isSameTemplate } = next;
  const status = fieldsAt(rollout.object, 'status');
  const [old, written] = [rollout.object, next.object].map((object) => fieldsAt(object, 'spec', 'strategy', 'canary')) as [Fields, Fields];
  const isWritten = WRITTEN_INTO_TEMPLATES.some((field) => old[field] !== undefined || written[field] !== undefined);
  const isRouted = isFields(old.trafficRouting);
  const { rollbackWindow } = fieldsAt(next.object, 'spec');
  if (isWritten || strategy.dynamicStableScale || isRouted !== strategy.isRouted || rollbackWindow !== undefined) return undefined;
  const sets = replicaSetsOf(rollout);
  const stableSet = sets.find((set) => hashOf(set) === status.stableRS);
  const stableTemplate = stableSet && templateOfSet(stableSet);
  if (!stableSet || !stableTemplate || !isOnItsWay(rollout)) return undefined;
  const others = sets.filter((set) => set !== stableSet && podsIn(set).size > 0);
  const isTimed = others.some((set) => valueAt(set, 'metadata', 'annotations', DEADLINE_ANNOTATION) !== undefined);
  const applied = isSameTemplate(stableTemplate, template) ? 'stable' : isNewTemplate ? 'another' : 'same';
  // Of one that runs beside the last one nobody knows whose pods go first.
  const isKnown =
    applied === 'same'
      ? others.every((set) => hashOf(set) === status.currentPodHash)
      : !others.some((set) => isSameTemplate(templateOfSet(set) ?? template, template));
  const stable = podsIn(stableSet);
  if (isTimed || !isKnown || (isRouted && (stable.ready < stable.size || status.abort === true))) return undefined;
  const weight = valueAt(status, 'canary', 'weights', 'canary', 'weight');
  const step = countAt(rollout.object, 'status', 'currentStepIndex');
  return {
    stable,
    canary: others.map(podsIn).reduce(together, NO_PODS),
    applied,
    ...(step > 0 && { step }),
    ...(status.abort === true && { isAborted: true }),
    ...(isRouted && isInt32(weight) && { weight }),
  };
}
