import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { getFieldsAt, groupOf, getListAt, namespaceOf, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { sortByNamespaceAndName } from '../../core/collections/sort-by';
import { memoizePerPlan } from '../context/context';
import type { PlanContext } from '../context/context';
import { POD_KINDS } from '../kinds/context-kinds';
import type { ContextKind } from '../kinds/context-kinds';
import { findCreatingOwner } from '../kinds/created-kinds';
import type { PodSet } from '../rollout/pod-set';
import { admitPods } from './admission/admission';

function readCount(object: unknown, fields: readonly string[], fallback: number): number {
  const value = getValueAt(object, ...fields);
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : fallback;
}

/** Reports whether an object has a controller. Its pods then count as those of the controller. */
function hasController(object: Manifest): boolean {
  return findCreatingOwner(object) !== undefined;
}

function countPodsOfPod(pod: Manifest): number {
  const phase = getValueAt(pod, 'status', 'phase');
  return hasController(pod) || phase === 'Succeeded' || phase === 'Failed' ? 0 : 1;
}

function countPodsOfReplicaSet(replicaSet: Manifest): number {
  return hasController(replicaSet) ? 0 : readCount(replicaSet, ['spec', 'replicas'], 1);
}

/**
 * Returns the number of pods that a Job runs at once: its parallelism, but at most its remaining completions.
 *
 * Source: k/k pkg/controller/job/job_controller.go, `manageJob`.
 */
export function countPodsOfJob(job: Fields): number {
  const isOver = getListAt(job, 'status', 'conditions').some(
    (condition) => ['Complete', 'Failed'].includes(getValueAt(condition, 'type') as string) && getValueAt(condition, 'status') === 'True',
  );
  if (isOver || getValueAt(job, 'spec', 'suspend') === true) return 0;
  const remaining = readCount(job, ['spec', 'completions'], Infinity) - readCount(job, ['status', 'succeeded'], 0);
  return Math.max(0, Math.min(readCount(job, ['spec', 'parallelism'], 1), remaining));
}

function templateOf(object: Manifest): Fields {
  return getFieldsAt(object, 'spec', 'template');
}

/** A kind of object, other than rollouts, that runs pods of a template. */
interface PodOwner extends ContextKind {
  readonly countPods: (object: Manifest) => number;
  readonly templateOf: (object: Manifest) => Fields;
  readonly sizePath: FieldPath;
  /** Whether its pods run to completion and free their capacity. @default false */
  readonly runsToCompletion?: boolean;
}

const POD_OWNERS: readonly PodOwner[] = [
  { ...POD_KINDS.pod, countPods: countPodsOfPod, templateOf: (pod) => pod, sizePath: toFieldPath`spec.containers` },
  { ...POD_KINDS.replicaSet, countPods: countPodsOfReplicaSet, templateOf, sizePath: toFieldPath`spec.replicas` },
  { ...POD_KINDS.job, countPods: countPodsOfJob, templateOf, sizePath: toFieldPath`spec.parallelism`, runsToCompletion: true },
];

/** The pods of an object that is not a rollout. */
export interface OtherPods {
  readonly object: Manifest;
  /** Path of the number of pods, or of the containers of a Pod. */
  readonly sizePath: FieldPath;
  /** Whether its pods run to completion. */
  readonly runsToCompletion: boolean;
  readonly podSet: PodSet;
}

function buildPodSet(object: Manifest, { countPods, templateOf: template }: PodOwner, { changedPods }: PlanContext): PodSet {
  const namespace = namespaceOf(object);
  const { running, oldTemplates: [kept] = [], addsNewPods } = changedPods?.(object) ?? {};
  return {
    ...(namespace !== undefined && { namespace }),
    replicas: countPods(object),
    ...(running && { running: running[0] ?? 0 }),
    template: template(object),
    ...(kept && { kept: { template: kept, ...(addsNewPods && { addsNewPods }) } }),
  };
}

/**
 * Returns the number of pods of an object that is not a rollout: a bare Pod, a standalone ReplicaSet or a Job. Returns undefined for any
 * other object.
 */
export function countPodsWithoutRollout(object: Manifest): number | undefined {
  return POD_OWNERS.find(({ group, kind }) => groupOf(object) === group && object.kind === kind)?.countPods(object);
}

/** Reports whether the tool runs an object in a phase of its own, so that its pods do not run next to a rollout. */
function isHook(object: Manifest, { applierOf }: PlanContext): boolean {
  return applierOf?.(object)?.applier.hookOf?.(object) !== undefined;
}

/**
 * Returns the pods of the input that no rollout replaces, except those of DaemonSets and hooks: bare Pods, standalone ReplicaSets and unfinished
 * Jobs.
 */
export const listOtherPods = memoizePerPlan((context): readonly OtherPods[] =>
  POD_OWNERS.flatMap((owner) =>
    // Sorted by name like rollouts, so that the result does not depend on the order of files or units.
    sortByNamespaceAndName(context.all(owner).filter((object) => !isHook(object, context)))
      .map((object) => ({
        object,
        sizePath: owner.sizePath,
        runsToCompletion: owner.runsToCompletion ?? false,
        podSet: admitPods(buildPodSet(object, owner, context), context),
      }))
      .filter(({ podSet: { replicas, running = replicas } }) => replicas > 0 || running > 0),
  ),
);
