import { isFields, listAt, valueAt, ownValue } from '../../../core/manifest';
import {
  above,
  atLeast,
  atMost,
  choice,
  choiceNeeded,
  formatted,
  formattedIfAny,
  invalid,
  isGiven,
  numberOf,
  pathSegment,
  positive,
  required,
  textOf,
  when,
} from './checks';
import { on } from './rule';
import type { Check, Place, ValueRule } from './rule';

/* HorizontalPodAutoscalers. Source: k/k pkg/apis/autoscaling/validation/validation.go. */

const MOST_PERIOD_SECONDS = 1800;
const MOST_WINDOW_SECONDS = 3600;

const notBelowLeast: Check = (value, { holder }) =>
  numberOf(value) < numberOf(holder.minReplicas) ? invalid(numberOf(value), 'must be greater than or equal to `minReplicas`') : undefined;

/** The group of what is scaled has to be named; that of an object that a metric is of may be the core one. */
function apiVersion(mayBeCore: boolean): Check {
  return (value) => {
    const text = textOf(value);
    if (text.split('/').length > 2) return invalid(text, `unexpected GroupVersion string: ${text}`);
    const group = text.includes('/') ? text.slice(0, text.indexOf('/')) : '';
    return mayBeCore || group !== '' ? undefined : invalid(text, 'apiVersion must specify API group');
  };
}

function referenceRules(at: string, mayBeCore = false): ValueRule[] {
  return [
    on(`${at}.kind`, required(), pathSegment),
    on(`${at}.name`, required(), pathSegment),
    on(`${at}.apiVersion`, apiVersion(mayBeCore)),
  ];
}

/** The types of metrics with the field of each, in the order in which they are looked at. */
const SOURCES = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
} as const;
type Source = (typeof SOURCES)[keyof typeof SOURCES];

const TYPES = Object.keys(SOURCES).toSorted();

function sourceOf({ holder }: Place): Source | undefined {
  return ownValue<Source>(SOURCES, textOf(holder.type));
}

/** Of several sources of one metric the first alone is judged. */
function isFirst(place: Place, source: Source): boolean {
  const metric = place.list[place.index];
  return isFields(metric) && Object.values(SOURCES).find((name) => isGiven(metric[name])) === source;
}

const TARGET_TYPES = ['Utilization', 'Value', 'AverageValue'];

const targetType: Check = (value) =>
  TARGET_TYPES.includes(textOf(value)) ? undefined : invalid(textOf(value), 'must be either Utilization, Value, or AverageValue');

function targetRules(source: Source): ValueRule[] {
  const first = (...checks: readonly Check[]) => when((place) => isFirst(place, source), ...checks);
  const at = `spec.metrics[].${source}.target`;
  return [
    on(`${at}.type`, first(required('must specify a metric target type'), targetType)),
    on(`${at}.value`, first(positive)),
    on(`${at}.averageValue`, first(positive)),
    on(`${at}.averageUtilization`, first(atLeast(1, 'must be greater than 0'))),
  ];
}

function metricName(source: Source): ValueRule {
  return on(
    `spec.metrics[].${source}.metric.name`,
    when((place) => isFirst(place, source), required('must specify a metric name'), pathSegment),
  );
}

/** A target has to have one of some fields. */
function oneOf(source: Source, named: string, fields: readonly string[], why: string): ValueRule {
  const hasNone = (place: Place) => isFirst(place, source) && fields.every((field) => !isGiven(place.holder[field]));
  return on(
    `spec.metrics[].${source}.target.${named}`,
    when(hasNone, () => `Required value: ${why}`),
  );
}

function notBoth(source: Source, named: string, other: string, why: string): ValueRule {
  const hasBoth = (place: Place) => isFirst(place, source) && isGiven(place.holder[named]) && isGiven(place.holder[other]);
  return on(
    `spec.metrics[].${source}.target.${named}`,
    when(hasBoth, () => `Forbidden: ${why}`),
  );
}

const UTILIZATION = 'must set either a target raw value or a target utilization';
const NOT_BOTH_UTILIZATIONS = 'may not set both a target raw value and a target utilization';

function utilizationRules(source: Source): ValueRule[] {
  return [
    oneOf(source, 'averageUtilization', ['averageUtilization', 'averageValue'], UTILIZATION),
    notBoth(source, 'averageValue', 'averageUtilization', NOT_BOTH_UTILIZATIONS),
  ];
}

const CONTAINER_RESOURCES = ['cpu', 'memory', 'ephemeral-storage'];

const containerResource: Check = (value, place) => {
  const name = textOf(value);
  const words = formatted('qualified-name')(name, place);
  if (words !== undefined || name.includes('/') || CONTAINER_RESOURCES.includes(name) || name.startsWith('hugepages-')) return words;
  return invalid(name, 'must be a standard resource for containers');
};

const whenFirst = (source: Source, ...checks: readonly Check[]) => when((place) => isFirst(place, source), ...checks);

/** The field of its type has to be there, and no other. */
const SOURCE_FIELDS = Object.values(SOURCES).map((source) =>
  on(
    `spec.metrics[].${source}`,
    (value, place) =>
      sourceOf(place) === source && !isGiven(value) ? 'Required value: must populate information for the given metric source' : undefined,
    (value, place) => {
      const present = Object.values(SOURCES).filter((name) => isGiven(place.holder[name]));
      return isGiven(value) && present.length > 1 && sourceOf(place) !== source
        ? 'Forbidden: must populate the given metric source only'
        : undefined;
    },
  ),
);

const fromZero: Check = (_value, { object }) => {
  const isNeeded = valueAt(object, 'spec', 'minReplicas') === 0;
  const hasOne = listAt(object, 'spec', 'metrics').some((metric) => ['Object', 'External'].includes(textOf(valueAt(metric, 'type'))));
  return isNeeded && !hasOne
    ? 'Forbidden: must specify at least one Object or External metric to support scaling to zero replicas'
    : undefined;
};

function scalingRules(at: string): ValueRule[] {
  return [
    on(`${at}.stabilizationWindowSeconds`, atLeast(0, 'must be greater than or equal to zero'), atMost(MOST_WINDOW_SECONDS)),
    on(`${at}.selectPolicy`, choice('Disabled', 'Max', 'Min')),
    on(`${at}.policies`, required('must specify at least one Policy')),
    on(`${at}.policies[].type`, choiceNeeded('Percent', 'Pods')),
    on(`${at}.policies[].value`, above(0, 'must be greater than zero')),
    on(`${at}.policies[].periodSeconds`, above(0, 'must be greater than zero'), atMost(MOST_PERIOD_SECONDS)),
  ];
}

export const AUTOSCALER_VALUES: readonly ValueRule[] = [
  on('spec.minReplicas', atLeast(1)),
  on('spec.maxReplicas', above(0, 'must be greater than 0'), notBelowLeast),
  ...referenceRules('spec.scaleTargetRef'),
  on('spec.metrics[].type', required('must specify a metric source type'), choice(...TYPES)),
  ...referenceRules('spec.metrics[].object.describedObject', true),
  metricName('object'),
  ...targetRules('object'),
  oneOf('object', 'averageValue', ['value', 'averageValue'], 'must set either a target value or averageValue'),
  metricName('external'),
  ...targetRules('external'),
  oneOf('external', 'averageValue', ['value', 'averageValue'], 'must set either a target value for metric or a per-pod target'),
  notBoth('external', 'value', 'averageValue', 'may not set both a target value for metric and a per-pod target'),
  metricName('pods'),
  ...targetRules('pods'),
  oneOf('pods', 'averageValue', ['averageValue'], 'must specify a positive target averageValue'),
  on('spec.metrics[].resource.name', whenFirst('resource', required('must specify a resource name'))),
  ...targetRules('resource'),
  ...utilizationRules('resource'),
  on('spec.metrics[].containerResource.name', whenFirst('containerResource', required('must specify a resource name'), containerResource)),
  on(
    'spec.metrics[].containerResource.container',
    whenFirst('containerResource', required('must specify a container'), formattedIfAny('dns-label')),
  ),
  ...targetRules('containerResource'),
  ...utilizationRules('containerResource'),
  ...SOURCE_FIELDS,
  on('spec.metrics', fromZero),
  ...scalingRules('spec.behavior.scaleUp'),
  ...scalingRules('spec.behavior.scaleDown'),
];
