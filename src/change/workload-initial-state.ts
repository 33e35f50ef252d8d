import type { RolloutHealth, InitialRolloutState } from '../core/initial-state';
import { getFieldsAt, getListAt, getValueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import type { Versions } from '../core/versions';
import type { InitialState } from '../cluster/initial-state';
import type { WorkloadName } from '../workloads/kinds';
import type { OwnedObjects } from './live-objects';
import { toStoredForm } from './apiserver/stored-form';
import { isTemplateEqual } from './apiserver/template-equality';

/** Where a workload of apps/v1 stands before the apply. */
export interface WorkloadInitialState {
  readonly rolloutState: InitialRolloutState;
  /** For the simulation; the template of NEW decides which pods are new already. */
  readonly startingPoint: Omit<InitialState, 'replicas'>;
  /** Pods that run of another template than NEW has; what a rollout has to replace. */
  readonly oldPods: number;
  /** Of a StatefulSet the ordinal of a pod that is perhaps not ready, by the status alone. */
  readonly waitsPerhapsFor?: number;
}

/** What is asked of a workload before the apply. */
export interface InitialStateQuery {
  readonly name: WorkloadName;
  /** As it was read. */
  readonly manifest: Manifest;
  /** As the server holds it. */
  readonly stored: Manifest;
  /** The pod template after the apply. */
  readonly template: unknown;
  /** Is it to its controller the one that `stored` has? */
  readonly isSameTemplate: boolean;
  /** Pods that are wanted before the apply. */
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

/** Has its controller not looked at what the object says yet? Its status is of an older one then. Source: kubectl pkg/polymorphichelpers/rollout_status.go. */
export function hasUnobservedGeneration({ metadata, status }: Manifest): boolean {
  const [generation, observed] = [toCount(getValueAt(metadata, 'generation')), toCount(getValueAt(status, 'observedGeneration'))];
  return generation !== undefined && observed !== undefined && observed < generation;
}

const REVISION_LABEL = 'controller-revision-hash';

/** The ControllerRevision that a pod of a StatefulSet or DaemonSet is of. */
export function revisionLabelOf(pod: Manifest): unknown {
  return getValueAt(pod, 'metadata', 'labels', REVISION_LABEL);
}

export function isPodReady(pod: Manifest): boolean {
  return conditionOf(pod, 'Ready').status === 'True';
}

/** The newest ControllerRevision whose template NEW has; undefined where none that is in view does. */
export function findMatchingRevision({ name, manifest, template, owned, versions }: InitialStateQuery): Manifest | undefined {
  const revisions = owned.ownedBy(manifest, 'ControllerRevision').toSorted((a, b) => Number(a.revision ?? 0) - Number(b.revision ?? 0));
  return revisions.findLast((revision) => {
    const { $patch: _, ...known } = getFieldsAt(revision, 'data', 'spec', 'template');
    const workload = { ...manifest, status: undefined, spec: { ...getFieldsAt(manifest, 'spec'), template: known } };
    return isTemplateEqual(name, getValueAt(toStoredForm(workload, versions), 'spec', 'template'), template, versions);
  });
}
