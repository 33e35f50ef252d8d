import { at, childPath } from '../../../core/field-path';
import { message, partOf } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { isInt32 } from '../../../core/int-or-percent';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { DEPLOYMENT_MODE_ANNOTATION, DEPLOYMENT_MODE_PATH } from '../mode';
import { modelOf } from '../service';
import type { Canary, Service } from '../service';
import { invalidService, refused } from './invalid-service';

interface ValueData {
  readonly value: Seen;
}

interface ModeData {
  /** The annotation; undefined where there is none, which is Knative to the webhook. */
  readonly mode?: string;
}

interface FieldData {
  readonly field: string;
}

interface CanaryReplicasData {
  readonly minReplicas: number;
  /** Of the stable predictor. */
  readonly stable: number;
}

const CANARY_NAME_HELP = 'Give each canary a name of its own.';

/** Why KServe refuses the canaries of a service. */
export const invalidCanary = partOf(invalidService, {
  canaryMode: message<ModeData>({
    text: ({ mode = 'Knative' }) => refused(`spec.canary is only supported in Standard deployment mode, not in ${mode}`),
    help: () => `Annotate the service with ${DEPLOYMENT_MODE_ANNOTATION}: Standard.`,
    sample: { mode: 'ModelMesh' },
    variants: [{}],
  }),
  canaryWithoutModel: message<object>({
    text: () => refused('spec.canary requires a stable predictor with a model, not a custom container'),
    help: () => 'Give spec.predictor a model, or delete spec.canary.',
    sample: {},
  }),
  canaryField: message<FieldData>({
    text: ({ field }) => refused(`a canary must not set ${field}`),
    help: ({ field }) => `Delete ${field}.`,
    sample: { field: 'maxReplicas' },
  }),
  canaryUnnamed: message<object>({
    text: () => refused('predictor.name is required for a canary'),
    help: () => CANARY_NAME_HELP,
    sample: {},
  }),
  canaryNamedAsStable: message<ValueData>({
    text: ({ value }) => refused(`the canary name ${show(value)} conflicts with stable predictor.name`),
    help: () => CANARY_NAME_HELP,
    sample: { value: 'v2' },
  }),
  canaryNameTwice: message<ValueData>({
    text: ({ value }) => refused(`the canary name ${show(value)} is duplicated`),
    help: () => CANARY_NAME_HELP,
    sample: { value: 'v2' },
  }),
  canaryReplicas: message<CanaryReplicasData>({
    text: ({ minReplicas, stable }) => refused(`minReplicas ${minReplicas} of the canary must not exceed stable minReplicas ${stable}`),
    help: ({ stable }) => `Write minReplicas: ${stable} or less, or raise it at spec.predictor.`,
    sample: { minReplicas: 5, stable: 4 },
  }),
  canaryTraffic: message<{ readonly percent: number }>({
    text: ({ percent }) => refused(`trafficPercent is ${percent}, which must be from 0 to 100`),
    help: () => 'Write a whole number from 0 to 100.',
    sample: { percent: 101 },
  }),
  canaryTrafficSum: message<{ readonly sum: number }>({
    text: ({ sum }) => refused(`the sum of trafficPercent is ${sum} and must be <= 100`),
    help: () => 'Lower the percentages.',
    sample: { sum: 110 },
  }),
});

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
    return [invalidCanary.finding('canaryMode', { path: DEPLOYMENT_MODE_PATH, data })];
  }
  if (modelOf(predictor) === undefined) {
    return [invalidCanary.finding('canaryWithoutModel', { path: at`spec.predictor`, data: {} })];
  }
  return [...canaries.flatMap((canary) => oneCanaryFindings(canary, service)), ...trafficFindings(canaries)];
}

function oneCanaryFindings(canary: Canary, { canaries, predictor: stable }: Service): Finding[] {
  const forbidden = NOT_FOR_CANARIES.filter((field) => canary.predictor[field] !== undefined && canary.predictor[field] !== 0);
  return [
    ...nameFindings(canary, canaries, stable.name),
    ...forbidden.map((field) => invalidCanary.finding('canaryField', { path: childPath(canary.path, field), data: { field } })),
    ...replicaFindings(canary, stable.minReplicas ?? 1),
  ];
}

function nameFindings({ name, path: holder }: Canary, canaries: readonly Canary[], stable: unknown): Finding[] {
  const path = childPath(holder, 'name');
  if (name === undefined) return [invalidCanary.finding('canaryUnnamed', { path, data: {} })];
  const data = { value: seen(name) };
  if (name === stable) return [invalidCanary.finding('canaryNamedAsStable', { path, data })];
  const first = canaries.find((canary) => canary.name === name);
  return first?.path === holder ? [] : [invalidCanary.finding('canaryNameTwice', { path, data })];
}

function replicaFindings({ predictor, path }: Canary, stable: unknown): Finding[] {
  const { minReplicas } = predictor;
  if (!isInt32(minReplicas) || !isInt32(stable) || minReplicas <= stable) return [];
  return [invalidCanary.finding('canaryReplicas', { path: childPath(path, 'minReplicas'), data: { minReplicas, stable } })];
}

function trafficFindings(canaries: readonly Canary[]): Finding[] {
  const percents = canaries.map((canary) => (isInt32(canary.trafficPercent) ? canary.trafficPercent : 0));
  const outside = percents.findIndex((percent) => percent < 0 || percent > 100);
  if (outside >= 0) {
    const data = { percent: percents[outside]! };
    return [invalidCanary.finding('canaryTraffic', { path: at`spec.canary[${outside}].trafficPercent`, data })];
  }
  const sum = percents.reduce((total, percent) => total + percent, 0);
  return sum <= 100 ? [] : [invalidCanary.finding('canaryTrafficSum', { path: at`spec.canary`, data: { sum } })];
}
