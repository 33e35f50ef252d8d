import { toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { isInt32 } from '../../core/values/int-or-percent';
import { isFields } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { canHpaScaleToZero, HPA_SCALES_TO_ZERO_SINCE } from '../kinds/versions';
import { invalidStrategy, defineRejectedValueMessage } from './invalid-strategy';

interface GatedMinimumData {
  readonly version: string;
  /** The first version with the gate enabled by default. */
  readonly since: string;
}

interface RangeData {
  readonly minReplicas: number;
  readonly maxReplicas: number;
}

/** The messages for what the API server refuses in the replica range of a HorizontalPodAutoscaler. */
export const invalidAutoscaler = extendRule(invalidStrategy, {
  minReplicas: defineRejectedValueMessage('must be greater than or equal to 1', 'Write a whole number of at least 1.', {
    field: 'minReplicas',
    value: -1,
  }),
  gatedMinReplicas: defineMessage<GatedMinimumData>({
    text: ({ version }) =>
      `minReplicas is 0, which the API server of Kubernetes ${version} refuses unless its alpha gate HPAScaleToZero is enabled: ` +
      'must be greater than or equal to 1.',
    help: ({ since }) =>
      `Write minReplicas: 1 or more, or plan for a version that enables the gate by default: --versions kubernetes=${since}.`,
    sample: { version: '1.34', since: '1.37' },
  }),
  noMaxReplicas: defineMessage<object>({
    text: () => 'maxReplicas is missing, which the API server refuses: it is required.',
    help: () => 'Write maxReplicas, the maximum number of pods.',
    sample: {},
  }),
  maxReplicas: defineRejectedValueMessage('must be greater than 0', 'Write a whole number of at least 1.', {
    field: 'maxReplicas',
    value: 0,
  }),
  emptyRange: defineMessage<RangeData>({
    text: ({ minReplicas, maxReplicas }) =>
      `maxReplicas is ${maxReplicas} and minReplicas is ${minReplicas}, which the API server refuses: maxReplicas must be greater than or equal to minReplicas.`,
    help: ({ minReplicas, maxReplicas }) => `Write maxReplicas: ${minReplicas} or more, or minReplicas: ${maxReplicas} or less.`,
    sample: { minReplicas: 5, maxReplicas: 3 },
  }),
});

const MINIMUM_PATH = toFieldPath`spec.minReplicas`;
const MAXIMUM_PATH = toFieldPath`spec.maxReplicas`;

function checkMinReplicas(minimum: unknown, version: string): Finding[] {
  if (!isInt32(minimum) || minimum > 0) return [];
  if (minimum < 0)
    return [invalidAutoscaler.createFinding('minReplicas', { path: MINIMUM_PATH, data: { field: 'minReplicas', value: minimum } })];
  if (canHpaScaleToZero(version)) return [];
  const data = { version, since: HPA_SCALES_TO_ZERO_SINCE };
  return [invalidAutoscaler.createFinding('gatedMinReplicas', { path: MINIMUM_PATH, severity: 'warning', data })];
}

function checkMaxReplicas(maximum: unknown, minimum: unknown): Finding[] {
  const path = MAXIMUM_PATH;
  if (maximum === undefined || maximum === null) return [invalidAutoscaler.createFinding('noMaxReplicas', { path, data: {} })];
  if (!isInt32(maximum)) return [];
  if (maximum < 1) return [invalidAutoscaler.createFinding('maxReplicas', { path, data: { field: 'maxReplicas', value: maximum } })];
  if (!isInt32(minimum) || minimum <= maximum) return [];
  return [invalidAutoscaler.createFinding('emptyRange', { path, data: { minReplicas: minimum, maxReplicas: maximum } })];
}

/**
 * Reports what the API server refuses in the replica range of a HorizontalPodAutoscaler. Metrics and behavior are not checked.
 *
 * Source: k/k pkg/apis/autoscaling/validation/validation.go, `validateHorizontalPodAutoscalerSpec`.
 */
export function checkInvalidAutoscaler({ spec }: Manifest, version: string): Finding[] {
  if (!isFields(spec)) return [];
  const { minReplicas, maxReplicas } = spec;
  return [...checkMinReplicas(minReplicas, version), ...checkMaxReplicas(maxReplicas, minReplicas)];
}
