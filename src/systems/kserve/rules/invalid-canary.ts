import { toFieldPath, appendToPath } from '../../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isInt32 } from '../../../core/values/int-or-percent';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { DEPLOYMENT_MODE_ANNOTATION, DEPLOYMENT_MODE_PATH } from '../mode';
import { modelOf } from '../service';
import type { ServiceCanary, KserveService } from '../service';
import { invalidService, formatWebhookRefusal } from './invalid-service';

interface ValueData {
  readonly value: DisplayValue;
}

interface ModeData {
  /** The annotation; undefined if there is none, which the webhook treats as Knative. */
  readonly mode?: string;
}

interface FieldData {
  readonly field: string;
}

interface CanaryReplicasData {
  readonly minReplicas: number;
  /** The minReplicas of the stable predictor. */
  readonly stable: number;
}

const CANARY_NAME_HELP = 'Give each canary a distinct name.';

/** Reports why KServe refuses the canaries of a service. */
export const invalidCanary = extendRule(invalidService, {
  canaryMode: defineMessage<ModeData>({
    text: ({ mode = 'Knative' }) => formatWebhookRefusal(`spec.canary is only supported in Standard deployment mode, not in ${mode}`),
    help: () => `Annotate the service with ${DEPLOYMENT_MODE_ANNOTATION}: Standard.`,
    sample: { mode: 'ModelMesh' },
    variants: [{}],
  }),
  canaryWithoutModel: defineMessage<object>({
    text: () => formatWebhookRefusal('spec.canary requires a stable predictor with a model, not a custom container'),
    help: () => 'Give spec.predictor a model, or delete spec.canary.',
    sample: {},
  }),
  canaryField: defineMessage<FieldData>({
    text: ({ field }) => formatWebhookRefusal(`a canary must not set ${field}`),
    help: ({ field }) => `Delete ${field}.`,
    sample: { field: 'maxReplicas' },
  }),
  missingCanaryName: defineMessage<object>({
    text: () => formatWebhookRefusal('predictor.name is required for a canary'),
    help: () => CANARY_NAME_HELP,
    sample: {},
  }),
  canaryNamedAsStable: defineMessage<ValueData>({
    text: ({ value }) => formatWebhookRefusal(`the canary name ${formatDisplayValue(value)} conflicts with stable predictor.name`),
    help: () => CANARY_NAME_HELP,
    sample: { value: 'v2' },
  }),
  duplicateCanaryName: defineMessage<ValueData>({
    text: ({ value }) => formatWebhookRefusal(`the canary name ${formatDisplayValue(value)} is duplicated`),
    help: () => CANARY_NAME_HELP,
    sample: { value: 'v2' },
  }),
  canaryReplicas: defineMessage<CanaryReplicasData>({
    text: ({ minReplicas, stable }) =>
      formatWebhookRefusal(`minReplicas ${minReplicas} of the canary must not exceed stable minReplicas ${stable}`),
    help: ({ stable }) => `Write minReplicas: ${stable} or less, or raise it in spec.predictor.`,
    sample: { minReplicas: 5, stable: 4 },
  }),
  canaryTraffic: defineMessage<{ readonly percent: number }>({
    text: ({ percent }) => formatWebhookRefusal(`trafficPercent is ${percent}, which must be between 0 and 100`),
    help: () => 'Write a whole number from 0 to 100.',
    sample: { percent: 101 },
  }),
  canaryTrafficSum: defineMessage<{ readonly sum: number }>({
    text: ({ sum }) => formatWebhookRefusal(`the sum of trafficPercent is ${sum} and must be <= 100`),
    help: () => 'Lower the percentages.',
    sample: { sum: 110 },
  }),
});

/** The fields that only the stable predictor may set, for its canaries as well. */
const STABLE_ONLY_FIELDS = ['workerSpec', 'maxReplicas', 'scaleTarget', 'scaleMetric', 'autoScaling'] as const;

/**
 * Reports what the webhook refuses in `spec.canary`.
 * Source: KServe 0.20, inference_service_validation.go, `validateCanarySpecs`.
 *
 * @param annotation - `serving.kserve.io/deploymentMode` after the defaulting webhook
 */
export function checkInvalidCanary(service: KserveService, annotation: string | undefined): Finding[] {
  const { canaries, predictor } = service;
  if (canaries.length === 0) return [];
  if (annotation !== 'Standard') {
    const data = annotation === undefined ? {} : { mode: annotation };
    return [invalidCanary.createFinding('canaryMode', { path: DEPLOYMENT_MODE_PATH, data })];
  }
  if (modelOf(predictor) === undefined) {
    return [invalidCanary.createFinding('canaryWithoutModel', { path: toFieldPath`spec.predictor`, data: {} })];
  }
  return [...canaries.flatMap((canary) => checkOneCanary(canary, service)), ...checkTraffic(canaries)];
}

function checkOneCanary(canary: ServiceCanary, { canaries, predictor: stable }: KserveService): Finding[] {
  const forbidden = STABLE_ONLY_FIELDS.filter((field) => canary.predictor[field] !== undefined && canary.predictor[field] !== 0);
  return [
    ...checkName(canary, canaries, stable.name),
    ...forbidden.map((field) => invalidCanary.createFinding('canaryField', { path: appendToPath(canary.path, field), data: { field } })),
    ...checkReplicas(canary, stable.minReplicas ?? 1),
  ];
}

function checkName({ name, path: canaryPath }: ServiceCanary, canaries: readonly ServiceCanary[], stable: unknown): Finding[] {
  const path = appendToPath(canaryPath, 'name');
  if (name === undefined) return [invalidCanary.createFinding('missingCanaryName', { path, data: {} })];
  const data = { value: toDisplayValue(name) };
  if (name === stable) return [invalidCanary.createFinding('canaryNamedAsStable', { path, data })];
  const first = canaries.find((canary) => canary.name === name);
  return first?.path === canaryPath ? [] : [invalidCanary.createFinding('duplicateCanaryName', { path, data })];
}

function checkReplicas({ predictor, path }: ServiceCanary, stable: unknown): Finding[] {
  const { minReplicas } = predictor;
  if (!isInt32(minReplicas) || !isInt32(stable) || minReplicas <= stable) return [];
  return [invalidCanary.createFinding('canaryReplicas', { path: appendToPath(path, 'minReplicas'), data: { minReplicas, stable } })];
}

function checkTraffic(canaries: readonly ServiceCanary[]): Finding[] {
  const percents = canaries.map((canary) => (isInt32(canary.trafficPercent) ? canary.trafficPercent : 0));
  const outside = percents.findIndex((percent) => percent < 0 || percent > 100);
  if (outside >= 0) {
    const data = { percent: percents[outside]! };
    return [invalidCanary.createFinding('canaryTraffic', { path: toFieldPath`spec.canary[${outside}].trafficPercent`, data })];
  }
  const sum = percents.reduce((total, percent) => total + percent, 0);
  return sum <= 100 ? [] : [invalidCanary.createFinding('canaryTrafficSum', { path: toFieldPath`spec.canary`, data: { sum } })];
}
