import { isFields, getListAt, getValueAt, getOwnValue } from '../../../core/manifest/manifest';
import {
  requireAbove,
  requireAtLeast,
  requireAtMost,
  allowValues,
  requireOneOf,
  requireFormat,
  checkFormatIfSet,
  formatInvalidValue,
  isSet,
  toNumberOrZero,
  checkPathSegment,
  checkPositive,
  requireValue,
  toTextOrEmpty,
  checkWhen,
} from './checks';
import { checkField } from './rule';
import type { Check, ValueLocation, ValueRule } from './rule';

/* HorizontalPodAutoscalers. Source: k/k pkg/apis/autoscaling/validation/validation.go. */

const MAX_PERIOD_SECONDS = 1800;
const MAX_WINDOW_SECONDS = 3600;

const checkMaxReplicas: Check = (value, { holder }) =>
  toNumberOrZero(value) < toNumberOrZero(holder.minReplicas)
    ? formatInvalidValue(toNumberOrZero(value), 'must be greater than or equal to `minReplicas`')
    : undefined;

/** Creates a check of an API version. A scale target must name a group; the object of a metric may be in the core group. */
function createApiVersionCheck(mayBeCore: boolean): Check {
  return (value) => {
    const text = toTextOrEmpty(value);
    if (text.split('/').length > 2) return formatInvalidValue(text, `unexpected GroupVersion string: ${text}`);
    const group = text.includes('/') ? text.slice(0, text.indexOf('/')) : '';
    return mayBeCore || group !== '' ? undefined : formatInvalidValue(text, 'apiVersion must specify API group');
  };
}

function buildReferenceRules(at: string, mayBeCore = false): ValueRule[] {
  return [
    checkField(`${at}.kind`, requireValue(), checkPathSegment),
    checkField(`${at}.name`, requireValue(), checkPathSegment),
    checkField(`${at}.apiVersion`, createApiVersionCheck(mayBeCore)),
  ];
}

/** The metric types with the field of each, in the order of validation. */
const METRIC_SOURCES = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
} as const;
type MetricSource = (typeof METRIC_SOURCES)[keyof typeof METRIC_SOURCES];

const METRIC_TYPES = Object.keys(METRIC_SOURCES).toSorted();

function sourceOf({ holder }: ValueLocation): MetricSource | undefined {
  return getOwnValue<MetricSource>(METRIC_SOURCES, toTextOrEmpty(holder.type));
}

/** Reports whether a source is the first of a metric: only that one is validated. */
function isFirstSource(location: ValueLocation, source: MetricSource): boolean {
  const metric = location.list[location.index];
  return isFields(metric) && Object.values(METRIC_SOURCES).find((name) => isSet(metric[name])) === source;
}

const TARGET_TYPES = ['Utilization', 'Value', 'AverageValue'];

const checkTargetType: Check = (value) =>
  TARGET_TYPES.includes(toTextOrEmpty(value))
    ? undefined
    : formatInvalidValue(toTextOrEmpty(value), 'must be either Utilization, Value, or AverageValue');

function buildTargetRules(source: MetricSource): ValueRule[] {
  const first = (...checks: readonly Check[]) => checkWhen((location) => isFirstSource(location, source), ...checks);
  const at = `spec.metrics[].${source}.target`;
  return [
    checkField(`${at}.type`, first(requireValue('must specify a metric target type'), checkTargetType)),
    checkField(`${at}.value`, first(checkPositive)),
    checkField(`${at}.averageValue`, first(checkPositive)),
    checkField(`${at}.averageUtilization`, first(requireAtLeast(1, 'must be greater than 0'))),
  ];
}

function buildMetricNameRule(source: MetricSource): ValueRule {
  return checkField(
    `spec.metrics[].${source}.metric.name`,
    checkWhen((location) => isFirstSource(location, source), requireValue('must specify a metric name'), checkPathSegment),
  );
}

/** Requires one of several fields of a target. */
function requireOneTarget(source: MetricSource, named: string, fields: readonly string[], why: string): ValueRule {
  const hasNone = (location: ValueLocation) => isFirstSource(location, source) && fields.every((field) => !isSet(location.holder[field]));
  return checkField(
    `spec.metrics[].${source}.target.${named}`,
    checkWhen(hasNone, () => `Required value: ${why}`),
  );
}

function rejectBothTargets(source: MetricSource, named: string, other: string, why: string): ValueRule {
  const hasBoth = (location: ValueLocation) =>
    isFirstSource(location, source) && isSet(location.holder[named]) && isSet(location.holder[other]);
  return checkField(
    `spec.metrics[].${source}.target.${named}`,
    checkWhen(hasBoth, () => `Forbidden: ${why}`),
  );
}

const UTILIZATION_MESSAGE = 'must set either a target raw value or a target utilization';
const BOTH_UTILIZATIONS_MESSAGE = 'may not set both a target raw value and a target utilization';

function buildUtilizationRules(source: MetricSource): ValueRule[] {
  return [
    requireOneTarget(source, 'averageUtilization', ['averageUtilization', 'averageValue'], UTILIZATION_MESSAGE),
    rejectBothTargets(source, 'averageValue', 'averageUtilization', BOTH_UTILIZATIONS_MESSAGE),
  ];
}

const CONTAINER_RESOURCES = ['cpu', 'memory', 'ephemeral-storage'];

const checkContainerResource: Check = (value, location) => {
  const name = toTextOrEmpty(value);
  const message = requireFormat('qualified-name')(name, location);
  if (message !== undefined || name.includes('/') || CONTAINER_RESOURCES.includes(name) || name.startsWith('hugepages-')) return message;
  return formatInvalidValue(name, 'must be a standard resource for containers');
};

const checkFirstSource = (source: MetricSource, ...checks: readonly Check[]) =>
  checkWhen((location) => isFirstSource(location, source), ...checks);

/** Rules that require the field of a metric's type, and no other. */
const SOURCE_FIELD_RULES = Object.values(METRIC_SOURCES).map((source) =>
  checkField(
    `spec.metrics[].${source}`,
    (value, location) =>
      sourceOf(location) === source && !isSet(value) ? 'Required value: must populate information for the given metric source' : undefined,
    (value, location) => {
      const present = Object.values(METRIC_SOURCES).filter((name) => isSet(location.holder[name]));
      return isSet(value) && present.length > 1 && sourceOf(location) !== source
        ? 'Forbidden: must populate the given metric source only'
        : undefined;
    },
  ),
);

const checkScaleFromZero: Check = (_value, { object }) => {
  const isNeeded = getValueAt(object, 'spec', 'minReplicas') === 0;
  const hasOne = getListAt(object, 'spec', 'metrics').some((metric) =>
    ['Object', 'External'].includes(toTextOrEmpty(getValueAt(metric, 'type'))),
  );
  return isNeeded && !hasOne
    ? 'Forbidden: must specify at least one Object or External metric to support scaling to zero replicas'
    : undefined;
};

function buildScalingRules(at: string): ValueRule[] {
  return [
    checkField(
      `${at}.stabilizationWindowSeconds`,
      requireAtLeast(0, 'must be greater than or equal to zero'),
      requireAtMost(MAX_WINDOW_SECONDS),
    ),
    checkField(`${at}.selectPolicy`, allowValues('Disabled', 'Max', 'Min')),
    checkField(`${at}.policies`, requireValue('must specify at least one Policy')),
    checkField(`${at}.policies[].type`, requireOneOf('Percent', 'Pods')),
    checkField(`${at}.policies[].value`, requireAbove(0, 'must be greater than zero')),
    checkField(`${at}.policies[].periodSeconds`, requireAbove(0, 'must be greater than zero'), requireAtMost(MAX_PERIOD_SECONDS)),
  ];
}

export const AUTOSCALER_VALUES: readonly ValueRule[] = [
  checkField('spec.minReplicas', requireAtLeast(1)),
  checkField('spec.maxReplicas', requireAbove(0, 'must be greater than 0'), checkMaxReplicas),
  ...buildReferenceRules('spec.scaleTargetRef'),
  checkField('spec.metrics[].type', requireValue('must specify a metric source type'), allowValues(...METRIC_TYPES)),
  ...buildReferenceRules('spec.metrics[].object.describedObject', true),
  buildMetricNameRule('object'),
  ...buildTargetRules('object'),
  requireOneTarget('object', 'averageValue', ['value', 'averageValue'], 'must set either a target value or averageValue'),
  buildMetricNameRule('external'),
  ...buildTargetRules('external'),
  requireOneTarget('external', 'averageValue', ['value', 'averageValue'], 'must set either a target value for metric or a per-pod target'),
  rejectBothTargets('external', 'value', 'averageValue', 'may not set both a target value for metric and a per-pod target'),
  buildMetricNameRule('pods'),
  ...buildTargetRules('pods'),
  requireOneTarget('pods', 'averageValue', ['averageValue'], 'must specify a positive target averageValue'),
  checkField('spec.metrics[].resource.name', checkFirstSource('resource', requireValue('must specify a resource name'))),
  ...buildTargetRules('resource'),
  ...buildUtilizationRules('resource'),
  checkField(
    'spec.metrics[].containerResource.name',
    checkFirstSource('containerResource', requireValue('must specify a resource name'), checkContainerResource),
  ),
  checkField(
    'spec.metrics[].containerResource.container',
    checkFirstSource('containerResource', requireValue('must specify a container'), checkFormatIfSet('dns-label')),
  ),
  ...buildTargetRules('containerResource'),
  ...buildUtilizationRules('containerResource'),
  ...SOURCE_FIELD_RULES,
  checkField('spec.metrics', checkScaleFromZero),
  ...buildScalingRules('spec.behavior.scaleUp'),
  ...buildScalingRules('spec.behavior.scaleDown'),
];
