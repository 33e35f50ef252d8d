import { at, childPath } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { message, partOf } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { isInt32 } from '../../../core/int-or-percent';
import { isFields, listAt, valueAt, ownValue } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { nanosOf } from '../../../core/quantity';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { listed } from '../../../core/words';
import { admittedAnnotation, KNATIVE_CLASS_ANNOTATION, KNATIVE_HPA_CLASS } from '../mode';
import type { ModeSources } from '../mode';
import { AUTOSCALER_CLASS_ANNOTATION } from '../service';
import type { Service, ServiceComponent } from '../service';
import { behaviourOf } from '../versions';
import { invalidService, refused } from './invalid-service';

interface MetricData {
  readonly value: Seen;
  /** The metrics that the autoscaler knows. */
  readonly choices: readonly string[];
}

/** The webhook's words for what it refuses of a target or of a metric's fields. */
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

/** Why the webhook refuses the metrics of an autoscaler. */
export const invalidAutoscaling = partOf(invalidService, {
  metric: message<MetricData>({
    text: ({ value }) => refused(`${show(value)} is not a metric that the autoscaler supports`),
    help: ({ choices }) => `Write ${listed(choices, 'or')}.`,
    sample: { value: 'memory', choices: ['concurrency', 'rps'] },
  }),
  scaling: message<{ readonly reason: Reason }>({
    text: ({ reason }) => refused(REASONS[reason]),
    help: () => 'Correct it, or leave it out.',
    sample: { reason: 'utilization' },
  }),
});

const HPA_METRICS = ['cpu', 'memory'];
const KPA_METRICS = ['concurrency', 'rps'];
const HPA_SOURCES = ['Resource'];
const KEDA_SOURCES = ['Resource', 'External', 'PodMetric'];

function because(reason: Reason, path: FieldPath): Finding[] {
  return [invalidAutoscaling.finding('scaling', { path, data: { reason } })];
}

function unlessKnown(value: unknown, choices: readonly string[], path: FieldPath): Finding[] {
  return choices.some((choice) => choice === value)
    ? []
    : [invalidAutoscaling.finding('metric', { path, data: { value: seen(value), choices } })];
}

/** The metric that the autoscaler goes by, and what it is to be. */
function targetFindings({ scaleTarget }: Fields, metric: unknown, path: FieldPath): Finding[] {
  if (!isInt32(scaleTarget)) return [];
  const place = childPath(path, 'scaleTarget');
  if (scaleTarget > 100 || (metric === 'cpu' && scaleTarget < 1)) return because('utilization', place);
  return metric === 'memory' && scaleTarget < 1 ? because('memory', place) : [];
}

function metricsOf(spec: Fields, path: FieldPath): [metric: Fields, path: FieldPath][] {
  return listAt(spec, 'autoScaling', 'metrics').flatMap((metric, index) => {
    return isFields(metric) ? [[metric, at`${path}.autoScaling.metrics[${index}]`] as [Fields, FieldPath]] : [];
  });
}

function hpaFindings(spec: Fields, path: FieldPath): Finding[] {
  const metric = spec.scaleMetric ?? 'cpu';
  const sources = metricsOf(spec, path).flatMap(([{ type, resource }, place]) => {
    const unknown = unlessKnown(type, HPA_SOURCES, childPath(place, 'type'));
    return unknown.length > 0 || isFields(resource) ? unknown : because('resource', place);
  });
  return [...unlessKnown(metric, HPA_METRICS, childPath(path, 'scaleMetric')), ...targetFindings(spec, metric, path), ...sources];
}

function kpaFindings(spec: Fields, path: FieldPath): Finding[] {
  const metric = spec.scaleMetric ?? 'concurrency';
  const { scaleTarget } = spec;
  const tooLow = metric === 'rps' && isInt32(scaleTarget) && scaleTarget < 1;
  return [
    ...unlessKnown(metric, KPA_METRICS, childPath(path, 'scaleMetric')),
    ...(tooLow ? because('rps', childPath(path, 'scaleTarget')) : []),
  ];
}

const TARGETS: Readonly<Record<string, readonly [field: string, reason: Reason]>> = {
  Utilization: ['averageUtilization', 'averageUtilization'],
  AverageValue: ['averageValue', 'averageValue'],
};

/** What a metric is to be. */
function amountFindings(target: unknown, path: FieldPath): Finding[] {
  const [field, reason] = ownValue(TARGETS, String(valueAt(target, 'type'))) ?? [];
  if (field === undefined) return [];
  const amount = valueAt(target, field);
  if (amount === undefined || amount === null) return because(reason!, path);
  return field === 'averageUtilization' && isInt32(amount) && (amount < 1 || amount > 100)
    ? because('utilization', childPath(path, field))
    : [];
}

const MEBIBYTE = nanosOf('1Mi')!;

function kedaResourceFindings(resource: Fields, path: FieldPath): Finding[] {
  const target = childPath(path, 'target');
  const type = valueAt(resource, 'target', 'type');
  if (resource.name === 'cpu' && type !== 'Utilization') return because('cpuTarget', target);
  if (resource.name === 'memory') {
    if (type !== 'AverageValue' && type !== 'Utilization') return because('memoryTarget', target);
    const amount = nanosOf(valueAt(resource, 'target', 'averageValue'));
    if (type === 'AverageValue' && amount !== undefined && amount < MEBIBYTE) return because('memoryAmount', target);
  }
  return [...unlessKnown(resource.name, HPA_METRICS, childPath(path, 'name')), ...amountFindings(resource.target, target)];
}

function kedaSourceFindings(metric: Fields, path: FieldPath): Finding[] {
  const { type } = metric;
  const unknown = unlessKnown(type, KEDA_SOURCES, childPath(path, 'type'));
  if (unknown.length > 0) return unknown;
  const field = String(type).toLowerCase() as 'resource' | 'external' | 'podmetric';
  const source = metric[field];
  const place = childPath(path, field);
  if (!isFields(source)) return because(field, path);
  if (field === 'resource') return kedaResourceFindings(source, place);
  if (!valueAt(source, 'metric', 'query')) return because('query', place);
  const threshold = valueAt(source, 'target', 'value');
  return threshold === undefined || threshold === null
    ? because('threshold', place)
    : amountFindings(source.target, childPath(place, 'target'));
}

function kedaFindings(spec: Fields, path: FieldPath): Finding[] {
  const metric = spec.scaleMetric === undefined ? [] : because('keda', childPath(path, 'scaleMetric'));
  return [...metric, ...metricsOf(spec, path).flatMap(([one, place]) => kedaSourceFindings(one, place))];
}

/** Which checks a service gets; none where nobody says in which mode it is to run, nor before 0.16, which was not read. */
function checksOf({ annotations, version }: Service, sources: ModeSources): ((spec: Fields, path: FieldPath) => Finding[]) | undefined {
  if (behaviourOf(version).recordsOldModes) return undefined;
  const mode = admittedAnnotation(sources);
  if (mode === 'Standard') {
    const autoscaler = annotations[AUTOSCALER_CLASS_ANNOTATION];
    return autoscaler === 'hpa' ? hpaFindings : autoscaler === 'keda' ? kedaFindings : undefined;
  }
  if (mode === undefined && sources.isDefaultAssumed) return undefined;
  return annotations[KNATIVE_CLASS_ANNOTATION] === KNATIVE_HPA_CLASS ? hpaFindings : kpaFindings;
}

/** What the webhook refuses of the metrics that a component is scaled by. Source: KServe 0.17, inference_service_validation.go, `validateAutoScalingCompExtension`. */
export function autoscalingFindings(service: Service, sources: ModeSources): Finding[] {
  const checks = checksOf(service, sources);
  return checks === undefined ? [] : service.components.flatMap(({ spec, path }: ServiceComponent) => checks(spec, path));
}
