import type { Finding } from '../core/finding';
import { isInt32 } from '../core/int-or-percent';
import { groupOf, isFields, nameOf, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { describeValue } from '../core/shape';
import { isAtLeast } from '../core/versions';
import { kubernetesFinding } from './catalogue';
import { refused, seen } from './numbers';
import { surroundingsFinding } from './surroundings-catalogue';

/** The gate HPAScaleToZero, alpha since 1.16, is on from this version on. Source: k/k#139648. */
const SCALES_TO_ZERO_SINCE = '1.37';

const MINIMUM_PATH = 'spec.minReplicas';
const MAXIMUM_PATH = 'spec.maxReplicas';

function minimumFindings(minimum: unknown, version: string): Finding[] {
  if (!isInt32(minimum) || minimum > 0) return [];
  const reason = 'must be greater than or equal to 1';
  if (minimum < 0) return [refused(MINIMUM_PATH, seen(MINIMUM_PATH, minimum), reason, 'Write a whole number of at least 1.')];
  if (isAtLeast(version, SCALES_TO_ZERO_SINCE)) return [];
  return [
    kubernetesFinding('kubernetes/invalid-strategy', {
      path: MINIMUM_PATH,
      severity: 'warning',
      message:
        `minReplicas is 0, which the API server of Kubernetes ${version} refuses unless its alpha gate HPAScaleToZero is on: ` +
        `${reason}.`,
      help: `Write minReplicas: 1 or more, or plan for a version that has the gate on: --versions kubernetes=${SCALES_TO_ZERO_SINCE}.`,
    }),
  ];
}

function maximumFindings(maximum: unknown, minimum: unknown): Finding[] {
  if (maximum === undefined || maximum === null) {
    return [refused(MAXIMUM_PATH, 'maxReplicas is missing', 'it is required', 'Write maxReplicas: the most pods that there may be.')];
  }
  if (!isInt32(maximum)) return [];
  if (maximum < 1) {
    return [refused(MAXIMUM_PATH, seen(MAXIMUM_PATH, maximum), 'must be greater than 0', 'Write a whole number of at least 1.')];
  }
  if (!isInt32(minimum) || minimum <= maximum) return [];
  const what = `maxReplicas is ${maximum} and minReplicas ${minimum}`;
  const help = `Write maxReplicas: ${minimum} or more, or minReplicas: ${maximum} or less.`;
  return [refused(MAXIMUM_PATH, what, 'maxReplicas must be greater than or equal to minReplicas', help)];
}

/** Where Deployments and StatefulSets are not: the core group, which an apiVersion that is left out means, and the one they have left. */
const GROUPS_WITHOUT_WORKLOADS = new Set(['', 'extensions']);
const WORKLOAD_KINDS: readonly unknown[] = ['Deployment', 'StatefulSet'];

/** Source: k/k pkg/controller/podautoscaler/horizontal.go, `reconcileAutoscaler`: the kind is looked up in the group alone. */
function targetFindings(autoscaler: Manifest): Finding[] {
  const target = valueAt(autoscaler, 'spec', 'scaleTargetRef');
  const apiVersion = valueAt(target, 'apiVersion') ?? '';
  const kind = valueAt(target, 'kind');
  if (typeof apiVersion !== 'string' || !WORKLOAD_KINDS.includes(kind) || !GROUPS_WITHOUT_WORKLOADS.has(groupOf({ apiVersion }))) return [];
  const named = apiVersion === '' ? 'names no apiVersion' : `names apiVersion ${describeValue(apiVersion)}`;
  return [
    surroundingsFinding('kubernetes/hpa-without-target', {
      path: 'spec.scaleTargetRef.apiVersion',
      message:
        `The scaleTargetRef of HorizontalPodAutoscaler "${nameOf(autoscaler)}" ${named} for its ${kind as string}: there is no such kind ` +
        'in that group, so the autoscaler never scales anything (FailedGetScale).',
      help: 'Write apiVersion: apps/v1.',
    }),
  ];
}

/**
 * Why the API server refuses a HorizontalPodAutoscaler, or why it does nothing.
 *
 * Source: k/k pkg/apis/autoscaling/validation/validation.go, `validateHorizontalPodAutoscalerSpec`. Metrics and behavior are not looked at.
 */
export function horizontalAutoscalerFindings(autoscaler: Manifest, version: string): Finding[] {
  const { spec } = autoscaler;
  if (!isFields(spec)) return [];
  const { minReplicas, maxReplicas } = spec;
  return [...minimumFindings(minReplicas, version), ...maximumFindings(maxReplicas, minReplicas), ...targetFindings(autoscaler)];
}
