import type { Health, RolloutStart } from '../core/rollout-start';
import { fieldsAt, listAt, valueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import type { Versions } from '../core/versions';
import type { StartingPoint } from '../cluster/starting-point';
import type { WorkloadName } from '../workloads/kinds';
import type { Owned } from './live';
import { storedForm } from './stored/stored-form';
import { templateEqual } from './stored/template-equal';

/** Where a workload of apps/v1 stands before the apply. */
export interface WorkloadStart {
  readonly start: RolloutStart;
  /** For the simulation; the template of NEW decides which pods are new already. */
  readonly point: Omit<StartingPoint, 'replicas'>;
  /** Pods that run of another template than NEW has; what a rollout has to replace. */
  readonly oldPods: number;
  /** Of a StatefulSet the ordinal of a pod that is perhaps not ready, by the status alone. */
  readonly waitsPerhapsFor?: number;
}

/** What is asked of a workload before the apply. */
export interface StartQuery {
  readonly name: WorkloadName;
  /** As it was read. */
  readonly given: Manifest;
  /** As the server holds it. */
  readonly stored: Manifest;
  /** The pod template after the apply. */
  readonly template: unknown;
  /** Is it to its controller the one that `stored` has? */
  readonly isSameTemplate: boolean;
  /** Pods that are wanted before the apply. */
  readonly replicas: number;
  readonly isLive: boolean;
  readonly owned: Owned;
  readonly versions: Versions;
}

export function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

export function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^[0-9]{1,10}$/.test(text) ? Number(text) : undefined;
}

export function conditionOf(object: Manifest, type: string): Fields {
  return fieldsAt({ found: listAt(object, 'status', 'conditions').find((condition) => valueAt(condition, 'type') === type) }, 'found');
}

export function healthOf(object: Manifest, isUnderWay: boolean): Health | undefined {
  if (conditionOf(object, 'Progressing').reason === 'ProgressDeadlineExceeded') return 'deadline-exceeded';
  if (valueAt(object, 'spec', 'paused') === true) return 'paused';
  if (isUnderWay) return 'progressing';
  return conditionOf(object, 'Available').status === 'False' ? 'unavailable' : undefined;
}

/** Has its controller not looked at what the object says yet? Its status is of an older one then. Source: kubectl pkg/polymorphichelpers/rollout_status.go. */
export function isUnseen({ metadata, status }: Manifest): boolean {
  const [written, seen] = [count(valueAt(metadata, 'generation')), count(valueAt(status, 'observedGeneration'))];
  return written !== undefined && seen !== undefined && seen < written;
}

const REVISION_LABEL = 'controller-revision-hash';

/** The ControllerRevision that a pod of a StatefulSet or DaemonSet is of. */
export function revisionLabelOf(pod: Manifest): unknown {
  return valueAt(pod, 'metadata', 'labels', REVISION_LABEL);
}

export function isReady(pod: Manifest): boolean {
  return conditionOf(pod, 'Ready').status === 'True';
}

/** The newest ControllerRevision whose template NEW has; undefined where none that is in view does. */
export function revisionOf({ name, given, template, owned, versions }: StartQuery): Manifest | undefined {
  const revisions = owned.of(given, 'ControllerRevision').toSorted((a, b) => Number(a.revision ?? 0) - Number(b.revision ?? 0));
  return revisions.findLast((revision) => {
    const { $patch: _, ...known } = fieldsAt(revision, 'data', 'spec', 'template');
    const whole = { ...given, status: undefined, spec: { ...fieldsAt(given, 'spec'), template: known } };
    return templateEqual(name, valueAt(storedForm(whole, versions), 'spec', 'template'), template, versions);
  });
}
