import { toFieldPath, appendToPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isInt32 } from '../../../core/values/int-or-percent';
import { isFields, getListAt, getValueAt, getOwnValue } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { parseQuantityNanos } from '../../../core/values/quantity';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { joinWords } from '../../../core/text/text-format';
import { KNATIVE_CLASS_ANNOTATION, KNATIVE_HPA_CLASS } from '../../../workloads/revision/scale';
import { resolveAdmittedAnnotation } from '../mode';
import type { ModeSources } from '../mode';
import { AUTOSCALER_CLASS_ANNOTATION } from '../service';
import type { KserveService, ServiceComponent } from '../service';
import { kserveBehaviourOf } from '../versions';
import { invalidService, formatWebhookRefusal } from './invalid-service';
import { toSafeText } from '../../../core/text/value-text';

interface MetricData {
  readonly value: DisplayValue;
  /** The metrics that the autoscaler supports. */
  readonly choices: readonly string[];
}

/** The webhook's messages for the targets and metric fields that it refuses. */
const REASONS = {
  keda: 'ScaleMetric is not supported for KEDA',
  utilization: 'the target utilization percentage should be a [1-100] integer',
  memory: 'the target memory should be greater than 1 MiB',
  rps: 'the target for rps should be greater than 1',
  resource: 'metricSpec.Resource is not set for resource metric source type',
  external: 'metricSpec.External is not set for external metric source type',
  podmetric: 'metricSpec.PodMetric is not set for pod metric source type',
  cpuTarget: 'the cpu target value type should be Utilization',
  memoryTarget: 'the memory target value type should be AverageValue or Utilization',
  memoryAmount: 'the memory target value should be greater than 1 MiB',
  query: 'the query should not be empty',
  threshold: 'the target threshold value should not be empty',
  averageUtilization: 'the AverageUtilization type should be set',
  averageValue: 'the AverageValue type should be set',
} as const;

type Reason = keyof typeof REASONS;

/** Reports why the webhook refuses the metrics of an autoscaler. */
export const invalidAutoscaling = extendRule(invalidService, {
  metric: defineMessage<MetricData>({
    text: ({ value }) => formatWebhookRefusal(`${formatDisplayValue(value)} is not a metric that the autoscaler supports`),
    help: ({ choices }) => `Write ${joinWords(choices, 'or')}.`,
    sample: { value: 'memory', choices: ['concurrency', 'rps'] },
  }),
  scaling: defineMessage<{ readonly reason: Reason }>({
    text: ({ reason }) => formatWebhookRefusal(REASONS[reason]),
    help: () => 'Correct the field or delete it.',
    sample: { reason: 'utilization' },
  }),
});

const HPA_METRICS = ['cpu', 'memory'];
const KPA_METRICS = ['concurrency', 'rps'];
const HPA_SOURCES = ['Resource'];
const KEDA_SOURCES = ['Resource', 'External', 'PodMetric'];

function reportReason(reason: Reason, path: FieldPath): Finding[] {
  return [invalidAutoscaling.createFinding('scaling', { path, data: { reason } })];
}

function checkKnownMetric(value: unknown, choices: readonly string[], path: FieldPath): Finding[] {
  return choices.some((choice) => choice === value)
    ? []
    : [invalidAutoscaling.createFinding('metric', { path, data: { value: toDisplayValue(value), choices } })];
}

/** Checks the target of the autoscaler's metric. */
function checkTarget({ scaleTarget }: Fields, metric: unknown, path: FieldPath): Finding[] {
  if (!isInt32(scaleTarget)) return [];
  const location = appendToPath(path, 'scaleTarget');
  if (scaleTarget > 100 || (metric === 'cpu' && scaleTarget < 1)) return reportReason('utilization', location);
  return metric === 'memory' && scaleTarget < 1 ? reportReason('memory', location) : [];
}

function listMetrics(spec: Fields, path: FieldPath): [metric: Fields, path: FieldPath][] {
  return getListAt(spec, 'autoScaling', 'metrics').flatMap((metric, index) => {
    return isFields(metric) ? [[metric, toFieldPath`${path}.autoScaling.metrics[${index}]`] as [Fields, FieldPath]] : [];
  });
}

function checkHpa(spec: Fields, path: FieldPath): Finding[] {
  const metric = spec.scaleMetric ?? 'cpu';
  const sources = listMetrics(spec, path).flatMap(([{ type, resource }, location]) => {
    const unknown = checkKnownMetric(type, HPA_SOURCES, appendToPath(location, 'type'));
    return unknown.length > 0 || isFields(resource) ? unknown : reportReason('resource', location);
  });
  return [...checkKnownMetric(metric, HPA_METRICS, appendToPath(path, 'scaleMetric')), ...checkTarget(spec, metric, path), ...sources];
}

function checkKpa(spec: Fields, path: FieldPath): Finding[] {
  const metric = spec.scaleMetric ?? 'concurrency';
  const { scaleTarget } = spec;
  const tooLow = metric === 'rps' && isInt32(scaleTarget) && scaleTarget < 1;
  return [
    ...checkKnownMetric(metric, KPA_METRICS, appendToPath(path, 'scaleMetric')),
    ...(tooLow ? reportReason('rps', appendToPath(path, 'scaleTarget')) : []),
  ];
}

const TARGETS: Readonly<Record<string, readonly [field: string, reason: Reason]>> = {
  Utilization: ['averageUtilization', 'averageUtilization'],
  AverageValue: ['averageValue', 'averageValue'],
};

/** Checks the target amount of a metric. */
function checkAmount(target: unknown, path: FieldPath): Finding[] {
  const [field, reason] = getOwnValue(TARGETS, toSafeText(getValueAt(target, 'type'))) ?? [];
  if (field === undefined) return [];
  const amount = getValueAt(target, field);
  if (amount === undefined || amount === null) return reportReason(reason!, path);
  return field === 'averageUtilization' && isInt32(amount) && (amount < 1 || amount > 100)
    ? reportReason('utilization', appendToPath(path, field))
    : [];
}

const MEBIBYTE = parseQuantityNanos('1Mi')!;

function checkKedaResource(resource: Fields, path: FieldPath): Finding[] {
  const target = appendToPath(path, 'target');
  const type = getValueAt(resource, 'target', 'type');
  if (resource.name === 'cpu' && type !== 'Utilization') return reportReason('cpuTarget', target);
  if (resource.name === 'memory') {
    if (type !== 'AverageValue' && type !== 'Utilization') return reportReason('memoryTarget', target);
    const amount = parseQuantityNanos(getValueAt(resource, 'target', 'averageValue'));
    if (type === 'AverageValue' && amount !== undefined && amount < MEBIBYTE) return reportReason('memoryAmount', target);
  }
  return [...checkKnownMetric(resource.name, HPA_METRICS, appendToPath(path, 'name')), ...checkAmount(resource.target, target)];
}

function checkKedaSource(metric: Fields, path: FieldPath): Finding[] {
  const { type } = metric;
  const unknown = checkKnownMetric(type, KEDA_SOURCES, appendToPath(path, 'type'));
  if (unknown.length > 0) return unknown;
  const field = toSafeText(type).toLowerCase() as 'resource' | 'external' | 'podmetric';
  const source = metric[field];
  const location = appendToPath(path, field);
  if (!isFields(source)) return reportReason(field, path);
  if (field === 'resource') return checkKedaResource(source, location);
  if (!getValueAt(source, 'metric', 'query')) return reportReason('query', location);
  const threshold = getValueAt(source, 'target', 'value');
  return threshold === undefined || threshold === null
    ? reportReason('threshold', location)
    : checkAmount(source.target, appendToPath(location, 'target'));
}

function checkKeda(spec: Fields, path: FieldPath): Finding[] {
  const scaleMetricFindings = spec.scaleMetric === undefined ? [] : reportReason('keda', appendToPath(path, 'scaleMetric'));
  return [...scaleMetricFindings, ...listMetrics(spec, path).flatMap(([metric, location]) => checkKedaSource(metric, location))];
}

/** Returns the checks for a service; undefined if its mode is unknown, or before 0.16, whose source was not read. */
function selectCheck(
  { annotations, version }: KserveService,
  sources: ModeSources,
): ((spec: Fields, path: FieldPath) => Finding[]) | undefined {
  if (kserveBehaviourOf(version).recordsOldModes) return undefined;
  const mode = resolveAdmittedAnnotation(sources);
  if (mode === 'Standard') {
    const autoscaler = annotations[AUTOSCALER_CLASS_ANNOTATION];
    return autoscaler === 'hpa' ? checkHpa : autoscaler === 'keda' ? checkKeda : undefined;
  }
  if (mode === undefined && sources.isDefaultAssumed) return undefined;
  return annotations[KNATIVE_CLASS_ANNOTATION] === KNATIVE_HPA_CLASS ? checkHpa : checkKpa;
}

/**
 * Reports what the webhook refuses in the metrics that a component is scaled by. Source: KServe 0.17, inference_service_validation.go,
 * `validateAutoScalingCompExtension`.
 */
export function checkInvalidAutoscaling(service: KserveService, sources: ModeSources): Finding[] {
  const checks = selectCheck(service, sources);
  return checks === undefined ? [] : service.components.flatMap(({ spec, path }: ServiceComponent) => checks(spec, path));
}
