import { at } from '../core/field-path';
import type { Finding } from '../core/finding';
import { isInt32 } from '../core/int-or-percent';
import { isFields } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { targetFindings } from './rules/hpa-without-target';
import { invalidStrategy } from './rules/invalid-strategy';
import { hpaScalesToZero, HPA_SCALES_TO_ZERO_SINCE } from './versions';

const MINIMUM_PATH = at`spec.minReplicas`;
const MAXIMUM_PATH = at`spec.maxReplicas`;

function minimumFindings(minimum: unknown, version: string): Finding[] {
  if (!isInt32(minimum) || minimum > 0) return [];
  if (minimum < 0) return [invalidStrategy.finding('minReplicas', { path: MINIMUM_PATH, data: { field: 'minReplicas', value: minimum } })];
  if (hpaScalesToZero(version)) return [];
  const data = { version, since: HPA_SCALES_TO_ZERO_SINCE };
  return [invalidStrategy.finding('gatedMinReplicas', { path: MINIMUM_PATH, severity: 'warning', data })];
}

function maximumFindings(maximum: unknown, minimum: unknown): Finding[] {
  const path = MAXIMUM_PATH;
  if (maximum === undefined || maximum === null) return [invalidStrategy.finding('noMaxReplicas', { path, data: {} })];
  if (!isInt32(maximum)) return [];
  if (maximum < 1) return [invalidStrategy.finding('maxReplicas', { path, data: { field: 'maxReplicas', value: maximum } })];
  if (!isInt32(minimum) || minimum <= maximum) return [];
  return [invalidStrategy.finding('emptyRange', { path, data: { minReplicas: minimum, maxReplicas: maximum } })];
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
