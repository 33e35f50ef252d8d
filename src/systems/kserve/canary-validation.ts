import { at, childPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { isInt32 } from '../../core/int-or-percent';
import { seen } from '../../core/seen';
import { DEPLOYMENT_MODE_PATH } from './mode';
import { invalidService } from './rules/invalid-service';
import { modelOf } from './service';
import type { Canary, Service } from './service';

/** What the webhook wants the stable predictor to decide for its canaries too. */
const NOT_FOR_CANARIES = ['workerSpec', 'maxReplicas', 'scaleTarget', 'scaleMetric', 'autoScaling'] as const;

/**
 * What the webhook refuses in `spec.canary`.
 * Source: KServe 0.20, inference_service_validation.go, `validateCanarySpecs`.
 *
 * @param annotation `serving.kserve.io/deploymentMode` as the defaulting webhook leaves it
 */
export function canaryFindings(service: Service, annotation: string | undefined): Finding[] {
  const { canaries, predictor } = service;
  if (canaries.length === 0) return [];
  if (annotation !== 'Standard') {
    const data = annotation === undefined ? {} : { mode: annotation };
    return [invalidService.finding('canaryMode', { path: DEPLOYMENT_MODE_PATH, data })];
  }
  if (modelOf(predictor) === undefined) {
    return [invalidService.finding('canaryWithoutModel', { path: at`spec.predictor`, data: {} })];
  }
  return [...canaries.flatMap((canary) => oneCanaryFindings(canary, service)), ...trafficFindings(canaries)];
}

function oneCanaryFindings(canary: Canary, { canaries, predictor: stable }: Service): Finding[] {
  const forbidden = NOT_FOR_CANARIES.filter((field) => canary.predictor[field] !== undefined && canary.predictor[field] !== 0);
  return [
    ...nameFindings(canary, canaries, stable.name),
    ...forbidden.map((field) => invalidService.finding('canaryField', { path: childPath(canary.path, field), data: { field } })),
    ...replicaFindings(canary, stable.minReplicas ?? 1),
  ];
}

function nameFindings({ name, path: holder }: Canary, canaries: readonly Canary[], stable: unknown): Finding[] {
  const path = childPath(holder, 'name');
  if (name === undefined) return [invalidService.finding('canaryUnnamed', { path, data: {} })];
  const data = { value: seen(name) };
  if (name === stable) return [invalidService.finding('canaryNamedAsStable', { path, data })];
  const first = canaries.find((canary) => canary.name === name);
  return first?.path === holder ? [] : [invalidService.finding('canaryNameTwice', { path, data })];
}

function replicaFindings({ predictor, path }: Canary, stable: unknown): Finding[] {
  const { minReplicas } = predictor;
  if (!isInt32(minReplicas) || !isInt32(stable) || minReplicas <= stable) return [];
  return [invalidService.finding('canaryReplicas', { path: childPath(path, 'minReplicas'), data: { minReplicas, stable } })];
}

function trafficFindings(canaries: readonly Canary[]): Finding[] {
  const percents = canaries.map((canary) => (isInt32(canary.trafficPercent) ? canary.trafficPercent : 0));
  const outside = percents.findIndex((percent) => percent < 0 || percent > 100);
  if (outside >= 0) {
    const data = { percent: percents[outside]! };
    return [invalidService.finding('canaryTraffic', { path: at`spec.canary[${outside}].trafficPercent`, data })];
  }
  const sum = percents.reduce((total, percent) => total + percent, 0);
  return sum <= 100 ? [] : [invalidService.finding('canaryTrafficSum', { path: at`spec.canary`, data: { sum } })];
}
