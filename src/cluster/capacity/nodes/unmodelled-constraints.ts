import { isFields, getListAt, getValueAt } from '../../../core/manifest';
import type { PodSet } from '../../pod-set';
import type { Workload } from '../../workload';
import { DIFFERENT_DEFAULTS, SCHEDULING_GATES } from '../shortage';
import { listOwnAntiAffinities } from './scheduling';

/** Whether a pod has a constraint on nodes that plans do not model. */
type ConstraintTest = (podSet: PodSet) => boolean;

/** ScheduleAnyway is only a preference. The default is DoNotSchedule. */
function isHardSpread(constraint: unknown): boolean {
  return getValueAt(constraint, 'whenUnsatisfiable') !== 'ScheduleAnyway';
}

/** Tests by the name of the field. */
const UNMODELLED_CONSTRAINTS: readonly (readonly [name: string, hasConstraint: ConstraintTest])[] = Object.entries({
  topologySpreadConstraints: ({ template }) => getListAt(template.spec, 'topologySpreadConstraints').some(isHardSpread),
  podAffinity: (podSet) =>
    getListAt(podSet.template.spec, 'affinity', 'podAffinity', 'requiredDuringSchedulingIgnoredDuringExecution').length > 0,
  podAntiAffinity: (podSet) =>
    listOwnAntiAffinities(podSet).some(({ withinRevision, betweenRevisions }) => !withinRevision && !betweenRevisions),
  resourceClaims: ({ template }) => getListAt(template.spec, 'resourceClaims').length > 0,
  runtimeClassName: ({ template, hasKnownRuntimeClass = false }) =>
    typeof getValueAt(template.spec, 'runtimeClassName') === 'string' && !hasKnownRuntimeClass,
  schedulerName: ({ template }) =>
    ![undefined, null, '', 'default-scheduler'].includes(getValueAt(template.spec, 'schedulerName') as string),
  [SCHEDULING_GATES]: ({ template }) => getListAt(template.spec, 'schedulingGates').length > 0,
  [DIFFERENT_DEFAULTS]: ({ hasConflictingDefaults = false }) => hasConflictingDefaults,
} satisfies Readonly<Record<string, ConstraintTest>>);

/**
 * Returns the constraints of pods on nodes that are not modelled, in the order above. With any of them, a plan never says that the pods
 * fit.
 */
export function findUnmodelledConstraints(podSets: readonly PodSet[]): string[] {
  return UNMODELLED_CONSTRAINTS.filter(([, hasConstraint]) => podSets.some(hasConstraint)).map(([name]) => name);
}

/** Reports whether a new pod may run on another node than the old one, to which its volume may not be able to move. */
export function canMoveVolume({ template, claims = [], controller }: Workload, surge: number): boolean {
  if (!controller.traits.hasSurge || surge === 0) return false;
  const templateVolumes = getListAt(template.spec, 'volumes').filter(
    (volume) => isFields(volume) && isFields(volume.persistentVolumeClaim),
  );
  return templateVolumes.length > 0 || claims.length > 0;
}

/** Constraints that the model of a rollout decides. */
export const MODELLED: ReadonlySet<string> = new Set(['topologySpreadConstraints', 'podAffinity', 'podAntiAffinity', 'resourceClaims']);
