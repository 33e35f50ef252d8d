import { isFields, getListAt, getValueAt } from '../../core/manifest';
import type { PodSet, Workload } from '../workload';
import { isModelledAntiAffinity } from './scheduling';

/** Whether a pod has something that keeps it off nodes, and that no plan looks at. */
type ConstraintTest = (podSet: PodSet) => boolean;

function listRequiredTerms({ template }: PodSet, affinity: 'podAffinity' | 'podAntiAffinity'): readonly unknown[] {
  return getListAt(template.spec, 'affinity', affinity, 'requiredDuringSchedulingIgnoredDuringExecution');
}

/** ScheduleAnyway is a wish; DoNotSchedule is what is left out. */
function isHardSpread(constraint: unknown): boolean {
  return getValueAt(constraint, 'whenUnsatisfiable') !== 'ScheduleAnyway';
}

/** Which of several LimitRanges fills in what a container leaves out. */
export const DIFFERENT_DEFAULTS = 'different defaults of LimitRanges';

/** By the field as its user knows it. */
const UNMODELLED_CONSTRAINTS: Readonly<Record<string, ConstraintTest>> = {
  topologySpreadConstraints: ({ template }) => getListAt(template.spec, 'topologySpreadConstraints').some(isHardSpread),
  podAffinity: (podSet) => listRequiredTerms(podSet, 'podAffinity').length > 0,
  podAntiAffinity: (podSet) => listRequiredTerms(podSet, 'podAntiAffinity').some((term) => !isModelledAntiAffinity(term, podSet)),
  resourceClaims: ({ template }) => getListAt(template.spec, 'resourceClaims').length > 0,
  runtimeClassName: ({ template }) => typeof getValueAt(template.spec, 'runtimeClassName') === 'string',
  schedulerName: ({ template }) =>
    ![undefined, null, '', 'default-scheduler'].includes(getValueAt(template.spec, 'schedulerName') as string),
  schedulingGates: ({ template }) => getListAt(template.spec, 'schedulingGates').length > 0,
  [DIFFERENT_DEFAULTS]: ({ hasConflictingDefaults = false }) => hasConflictingDefaults,
};

/** Constraints of pods on their nodes that the room knows nothing of, sorted as above: where there are any, no plan says that the pods fit. */
export function findUnmodelledConstraints(podSets: readonly PodSet[]): string[] {
  return Object.entries(UNMODELLED_CONSTRAINTS).flatMap(([name, hasConstraint]) => (podSets.some(hasConstraint) ? [name] : []));
}

/** Does a pod of a workload come to another node than the one before it, where its volume may not follow? */
export function canMoveVolume({ template, claims = [], hasSurge }: Workload, surge: number): boolean {
  if (!hasSurge || surge === 0) return false;
  const templateVolumes = getListAt(template.spec, 'volumes').filter(
    (volume) => isFields(volume) && isFields(volume.persistentVolumeClaim),
  );
  return templateVolumes.length > 0 || claims.length > 0;
}
