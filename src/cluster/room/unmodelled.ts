import { isFields, listAt, valueAt } from '../../core/manifest';
import type { PodSet, Workload } from '../workload';
import { isModelledAntiAffinity } from './scheduling';

/** Whether a pod has something that keeps it off nodes, and that no plan looks at. */
type Constraint = (podSet: PodSet) => boolean;

function requiredTerms({ template }: PodSet, affinity: 'podAffinity' | 'podAntiAffinity'): readonly unknown[] {
  return listAt(template.spec, 'affinity', affinity, 'requiredDuringSchedulingIgnoredDuringExecution');
}

/** ScheduleAnyway is a wish; DoNotSchedule is what is left out. */
function isHardSpread(constraint: unknown): boolean {
  return valueAt(constraint, 'whenUnsatisfiable') !== 'ScheduleAnyway';
}

/** Which of several LimitRanges fills in what a container leaves out. */
export const DIFFERENT_DEFAULTS = 'different defaults of LimitRanges';

/** By the field as its user knows it. */
const CONSTRAINTS: Readonly<Record<string, Constraint>> = {
  topologySpreadConstraints: ({ template }) => listAt(template.spec, 'topologySpreadConstraints').some(isHardSpread),
  podAffinity: (podSet) => requiredTerms(podSet, 'podAffinity').length > 0,
  podAntiAffinity: (podSet) => requiredTerms(podSet, 'podAntiAffinity').some((term) => !isModelledAntiAffinity(term, podSet)),
  resourceClaims: ({ template }) => listAt(template.spec, 'resourceClaims').length > 0,
  runtimeClassName: ({ template }) => typeof valueAt(template.spec, 'runtimeClassName') === 'string',
  schedulerName: ({ template }) => ![undefined, null, '', 'default-scheduler'].includes(valueAt(template.spec, 'schedulerName') as string),
  schedulingGates: ({ template }) => listAt(template.spec, 'schedulingGates').length > 0,
  [DIFFERENT_DEFAULTS]: ({ defaultsDiffer = false }) => defaultsDiffer,
};

/** Constraints of pods on their nodes that the room knows nothing of, sorted as above: where there are any, no plan says that the pods fit. */
export function unmodelledConstraints(podSets: readonly PodSet[]): string[] {
  return Object.entries(CONSTRAINTS).flatMap(([name, holds]) => (podSets.some(holds) ? [name] : []));
}

/** Does a pod of a workload come to another node than the one before it, where its volume may not follow? */
export function movesVolume({ template, claims = [], hasSurge }: Workload, surge: number): boolean {
  if (!hasSurge || surge === 0) return false;
  const ofTemplate = listAt(template.spec, 'volumes').filter((volume) => isFields(volume) && isFields(volume.persistentVolumeClaim));
  return ofTemplate.length > 0 || claims.length > 0;
}
