import type { Finding } from '../../core/finding';
import { isInt32 } from '../../core/int-or-percent';
import { listAt, valueAt } from '../../core/manifest';
import { describeValue } from '../../core/shape';
import { kserveFinding } from './catalogue';
import { DEPLOYMENT_MODE_ANNOTATION, DEPLOYMENT_MODE_PATH } from './mode';
import { modelOf } from './service';
import type { Canary, Service } from './service';

/** What the webhook wants the stable predictor to decide for its canaries too. */
const NOT_FOR_CANARIES = ['workerSpec', 'maxReplicas', 'scaleTarget', 'scaleMetric', 'autoScaling'] as const;

function refused(path: string, message: string, help: string): Finding {
  return kserveFinding('kserve/invalid-service', { path, message: `The webhook refuses the service: ${message}.`, help });
}

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
    const help = `Annotate the service with ${DEPLOYMENT_MODE_ANNOTATION}: Standard.`;
    const message = `spec.canary is only supported in Standard deployment mode, not in ${annotation ?? 'Knative'}`;
    return [refused(DEPLOYMENT_MODE_PATH, message, help)];
  }
  if (modelOf(predictor) === undefined) {
    const help = 'Give spec.predictor a model, or delete spec.canary.';
    return [refused('spec.predictor', 'spec.canary requires a stable predictor with a model, not a custom container', help)];
  }
  return [...canaries.flatMap((canary) => oneCanaryFindings(canary, service)), ...trafficFindings(canaries)];
}

function oneCanaryFindings(canary: Canary, { canaries, predictor: stable }: Service): Finding[] {
  const forbidden = NOT_FOR_CANARIES.filter((field) => canary.predictor[field] !== undefined && canary.predictor[field] !== 0);
  return [
    ...nameFindings(canary, canaries, stable.name),
    ...forbidden.map((field) => refused(`${canary.path}.${field}`, `a canary must not set ${field}`, `Delete ${field}.`)),
    ...replicaFindings(canary, stable.minReplicas ?? 1),
  ];
}

function nameFindings({ name, path }: Canary, canaries: readonly Canary[], stable: unknown): Finding[] {
  const namePath = `${path}.name`;
  const help = 'Give each canary a name of its own.';
  if (name === undefined) return [refused(namePath, 'predictor.name is required for a canary', help)];
  if (name === stable) return [refused(namePath, `the canary name ${describeValue(name)} conflicts with stable predictor.name`, help)];
  const first = canaries.find((canary) => canary.name === name);
  return first?.path === path ? [] : [refused(namePath, `the canary name ${describeValue(name)} is duplicated`, help)];
}

function replicaFindings({ predictor, path }: Canary, stable: unknown): Finding[] {
  const { minReplicas } = predictor;
  if (!isInt32(minReplicas) || !isInt32(stable) || minReplicas <= stable) return [];
  const message = `minReplicas ${minReplicas} of the canary must not exceed stable minReplicas ${stable}`;
  return [refused(`${path}.minReplicas`, message, `Write minReplicas: ${stable} or less, or raise it at spec.predictor.`)];
}

function trafficFindings(canaries: readonly Canary[]): Finding[] {
  const percents = canaries.map((canary) => (isInt32(canary.trafficPercent) ? canary.trafficPercent : 0));
  const outside = percents.findIndex((percent) => percent < 0 || percent > 100);
  if (outside >= 0) {
    const message = `trafficPercent is ${percents[outside]}, which must be from 0 to 100`;
    return [refused(`spec.canary[${outside}].trafficPercent`, message, 'Write a whole number from 0 to 100.')];
  }
  const sum = percents.reduce((total, percent) => total + percent, 0);
  return sum <= 100 ? [] : [refused('spec.canary', `the sum of trafficPercent is ${sum} and must be <= 100`, 'Lower the percentages.')];
}

/**
 * The replicas of a canary: its minReplicas, else its share of the stable ones, rounded up.
 *
 * 10 stable replicas and 25 percent: 3. Source: KServe 0.20, components/predictor.go, `canaryReplicaCount`.
 */
export function canaryReplicas({ predictor, trafficPercent }: Canary, stableMinReplicas: unknown): number {
  if (isInt32(predictor.minReplicas)) return predictor.minReplicas;
  const stable = isInt32(stableMinReplicas) ? stableMinReplicas : 1;
  return Math.ceil((stable * (isInt32(trafficPercent) ? trafficPercent : 0)) / 100);
}

/**
 * The stable predictor's minReplicas while canaries run: less by the replicas of those that are ready in the status, at least 1.
 *
 * 10 stable replicas, one ready canary with 20 percent: 8.
 *
 * Source: KServe, components/predictor.go, `adjustStableMinReplicasForCanaries`.
 */
export function remainingMinReplicas({ object, predictor, canaries }: Service): number | undefined {
  const { minReplicas } = predictor;
  if (!isInt32(minReplicas)) return undefined;
  const statuses = listAt(object, 'status', 'canaryStatuses');
  const isReady = ({ name }: Canary) => statuses.some((status) => valueAt(status, 'name') === name && valueAt(status, 'ready') === true);
  const ready = canaries.filter(isReady);
  const replaced = ready.reduce((total, canary) => total + canaryReplicas(canary, minReplicas), 0);
  return replaced === 0 ? minReplicas : Math.max(1, minReplicas - replaced);
}
