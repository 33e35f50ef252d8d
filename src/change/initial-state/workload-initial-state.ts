import type { RolloutHealth, InitialRolloutState } from '../../core/document/initial-state';
import { getFieldsAt, getListAt, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { Versions } from '../../core/values/versions';
import type { InitialState } from '../../cluster/rollout/initial-state';
import type { WorkloadName } from '../../workloads/kinds';
import type { OwnedObjects } from '../match/live-objects';
import { readStored } from '../apiserver/stored-form';
import { isTemplateEqual } from '../apiserver/template-equality';
import { toSafeNumber } from '../../core/text/value-text';

/** The state of a workload of apps/v1 before the apply. */
export interface WorkloadInitialState {
  readonly rolloutState: InitialRolloutState;
  /** The initial state of the simulation. NEW's template decides which pods are already new. */
  readonly startingPoint: Omit<InitialState, 'replicas'>;
  /** Running pods with another template than NEW's, which a rollout must replace. */
  readonly oldPods: number;
  /** The ordinal of a StatefulSet's pod that may not be ready, known only from the status. */
  readonly waitsPerhapsFor?: number;
  /** Pods of a StatefulSet that are not ready by its status, which does not show which ones. @default 0 */
  readonly unreadyPods?: number;
}

/** The input for resolving the state of a workload before the apply. */
export interface InitialStateQuery {
  readonly name: WorkloadName;
  /** The object as it was read. */
  readonly manifest: Manifest;
  /** The object as the server stores it. */
  readonly stored: Manifest;
  /** The pod template after the apply. */
  readonly template: unknown;
  /** Whether the controller considers `template` the same as that of `stored`. */
  readonly isSameTemplate: boolean;
  /** Desired pods before the apply. */
  readonly replicas: number;
  readonly isLive: boolean;
  readonly owned: OwnedObjects;
  readonly versions: Versions;
}

export function toCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

export function parseCount(text: string | undefined): number | undefined {
  return text !== undefined && /^[0-9]{1,10}$/.test(text) ? Number(text) : undefined;
}

export function conditionOf(object: Manifest, type: string): Fields {
  return getFieldsAt(
    { found: getListAt(object, 'status', 'conditions').find((condition) => getValueAt(condition, 'type') === type) },
    'found',
  );
}

export function resolveHealth(object: Manifest, isUnderWay: boolean): RolloutHealth | undefined {
  if (conditionOf(object, 'Progressing').reason === 'ProgressDeadlineExceeded') return 'deadline-exceeded';
  if (getValueAt(object, 'spec', 'paused') === true) return 'paused';
  if (isUnderWay) return 'progressing';
  return conditionOf(object, 'Available').status === 'False' ? 'unavailable' : undefined;
}

/** Reports whether the controller has not observed the latest generation, so that the status is outdated. Source: kubectl pkg/polymorphichelpers/rollout_status.go. */
export function hasUnobservedGeneration({ metadata, status }: Manifest): boolean {
  const [generation, observed] = [toCount(getValueAt(metadata, 'generation')), toCount(getValueAt(status, 'observedGeneration'))];
  return generation !== undefined && observed !== undefined && observed < generation;
}

const REVISION_LABEL = 'controller-revision-hash';

/** Returns the name or hash of the ControllerRevision of a pod of a StatefulSet or DaemonSet. */
export function revisionLabelOf(pod: Manifest): unknown {
  return getValueAt(pod, 'metadata', 'labels', REVISION_LABEL);
}

export function isPodReady(pod: Manifest): boolean {
  return conditionOf(pod, 'Ready').status === 'True';
}

/** Returns the newest ControllerRevision with NEW's template; undefined if none in the input has it. */
export function findMatchingRevision({ name, manifest, template, owned, versions }: InitialStateQuery): Manifest | undefined {
  const revisions = owned
    .ownedBy(manifest, 'ControllerRevision')
    .toSorted((a, b) => toSafeNumber(a.revision ?? 0) - toSafeNumber(b.revision ?? 0));
  return revisions.findLast((revision) => {
    const { $patch: _, ...known } = getFieldsAt(revision, 'data', 'spec', 'template');
    const workload = { ...manifest, status: undefined, spec: { ...getFieldsAt(manifest, 'spec'), template: known } };
    return isTemplateEqual(name, getValueAt(readStored(workload, versions).stored, 'spec', 'template'), template, versions);
  });
}
