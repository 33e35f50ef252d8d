import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isLabelKey, isLabelValue } from '../../../core/values/label';
import { annotationOf, getFieldsAt, isFields, getListAt, getValueAt } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { capitalize } from '../../../core/text/text-format';
import type { ParsedRayService } from '../ray-service';
import { RAY_CLUSTER_TEXT, INCREMENTAL_STRATEGY_TEXT, formatRayServiceExample, VALID_RAY_SERVICE_TEXT } from './examples';
import { buildHeadVariablesPath, getHeadVariable } from './head-variables';
import { listRayGroups, formatRayGroup, SAMPLE_RAY_GROUP } from './ray-groups';
import type { RayGroup, RayGroupData } from './ray-groups';
import { findRayVersionProblem, formatRayVersionProblem } from './ray-version';
import type { RayVersionData } from './ray-version';
import { formatOperatorRejection, operatorRejectionOf, SAMPLE_REJECTION } from './rejection';
import type { OperatorRejection } from './rejection';

const AUTOSCALER_V2_VARIABLE = 'RAY_enable_autoscaler_v2';
const START_COMMAND_VARIABLE = 'KUBERAY_GEN_AUTOSCALER_START_CMD';
const FAULT_TOLERANCE_ANNOTATION = 'ray.io/ft-enabled';
const STORAGE_NAMESPACE_ANNOTATION = 'ray.io/external-storage-namespace';

interface LabelData extends RayGroupData {
  readonly key: string;
  /** Label value; unset if the key itself is refused. */
  readonly value?: DisplayValue;
}

interface NumberData {
  readonly field: string;
  readonly value: DisplayValue;
}

interface RestartData extends RayGroupData {
  readonly value: DisplayValue;
}

interface VariableData {
  readonly variable: string;
}

interface FeatureData {
  readonly field: string;
}

interface GateData extends FeatureData {
  readonly gate: string;
}

interface ConflictingFieldData {
  /** The kind of setting that conflicts with gcsFaultToleranceOptions: an annotation, a start parameter, or a variable. */
  readonly kind: 'annotation' | 'start-parameter' | 'variable';
  readonly name: string;
}

const KIND_LABELS: Readonly<Record<ConflictingFieldData['kind'], string>> = {
  annotation: 'the annotation',
  'start-parameter': 'rayStartParams',
  variable: 'the variable',
};

/** Formats a message about something that the operator refuses. */
function formatRejection(what: string, rejection: OperatorRejection): string {
  return `${what}. ${formatOperatorRejection({ version: rejection.version, onRefusal: rejection.onRefusal })}`;
}

/** Rule about values in rayClusterConfig that the operator refuses. */
export const invalidCluster = defineRule({
  code: 'kuberay/invalid-cluster',
  since: '0.1.0',
  severity: 'error',
  fires:
    'rayClusterConfig has fields that the operator refuses, such as Redis variables that conflict with gcsFaultToleranceOptions or need it, ' +
    'a restartPolicy with autoscaler v2, token authentication or a priority without a Ray version that supports it, or invalid labels.',
  why:
    'The API server accepts all of these fields. The operator validates them at every reconcile and refuses the entire RayService: ' +
    'nothing is rolled out, and an upgrade in progress stops. Source: utils/validation.go, ValidateRayClusterSpec.',
  fix: 'Change the fields that the message names.',
  example: formatRayServiceExample(INCREMENTAL_STRATEGY_TEXT, `${RAY_CLUSTER_TEXT}\n    autoscalerOptions:\n      idleTimeoutSeconds: -1`),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    startParamLabels: defineMessage<RayGroupData & OperatorRejection>({
      text: ({ group, ...rejection }) => formatRejection(`${capitalize(formatRayGroup(group))} has labels in rayStartParams`, rejection),
      help: () => "Move them to the group's labels field.",
      sample: { group: SAMPLE_RAY_GROUP, ...SAMPLE_REJECTION },
    }),
    label: defineMessage<LabelData & OperatorRejection>({
      text: ({ group, key, value, ...rejection }) =>
        formatRejection(
          value === undefined
            ? `${capitalize(formatRayGroup(group))} has the label "${key}", which is not a valid label key`
            : `${capitalize(formatRayGroup(group))} has the label ${key} with ${formatDisplayValue(value)}, which is not a valid label value`,
          rejection,
        ),
      help: () =>
        'Use up to 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends; a key may have a prefix, such as example.com/name.',
      sample: { group: SAMPLE_RAY_GROUP, key: 'team', value: 'not ok!', ...SAMPLE_REJECTION },
    }),
    negative: defineMessage<NumberData & OperatorRejection>({
      text: ({ field, value, ...rejection }) => formatRejection(`${field} is ${formatDisplayValue(value)}`, rejection),
      help: () => 'Set it to 0 or more.',
      sample: { field: 'minReplicas', value: -1, ...SAMPLE_REJECTION },
    }),
    idleTimeout: defineMessage<RayGroupData & OperatorRejection>({
      text: ({ group, ...rejection }) =>
        formatRejection(`${capitalize(formatRayGroup(group))} has idleTimeoutSeconds, which only autoscaler v2 reads`, rejection),
      help: () => 'Set autoscalerOptions.version: v2, or move idleTimeoutSeconds under autoscalerOptions.',
      sample: { group: SAMPLE_RAY_GROUP, ...SAMPLE_REJECTION },
    }),
    priority: defineMessage<RayGroupData & OperatorRejection>({
      text: ({ group, ...rejection }) =>
        formatRejection(`${capitalize(formatRayGroup(group))} has a priority, which only autoscaler v2 reads`, rejection),
      help: () => 'Set autoscalerOptions.version: v2, or delete the priority.',
      sample: { group: SAMPLE_RAY_GROUP, ...SAMPLE_REJECTION },
    }),
    rayVersion: defineMessage<FeatureData & RayVersionData & OperatorRejection>({
      text: ({ field, version, onRefusal, ...data }) =>
        formatRejection(`${field} ${formatRayVersionProblem(data)}`, { version, onRefusal }),
      help: ({ field, required }) => `Use images with Ray ${required} or later and set rayVersion to their version, or delete ${field}.`,
      sample: { field: 'authOptions.mode', problem: 'older', required: '2.52.0', rayVersion: '2.51.0', ...SAMPLE_REJECTION },
    }),
    restartPolicy: defineMessage<RestartData & OperatorRejection>({
      text: ({ group, value, ...rejection }) =>
        formatRejection(
          `restartPolicy of ${formatRayGroup(group)} is ${formatDisplayValue(value)}, but with autoscaler v2 it must be Never`,
          rejection,
        ),
      help: () => 'Delete restartPolicy.',
      sample: { group: SAMPLE_RAY_GROUP, value: 'Always', ...SAMPLE_REJECTION },
    }),
    duplicateAutoscalerVersion: defineMessage<object & OperatorRejection>({
      text: (rejection) =>
        formatRejection(`autoscalerOptions.version and the variable ${AUTOSCALER_V2_VARIABLE} of the head are both set`, rejection),
      help: () => 'Delete the variable.',
      sample: SAMPLE_REJECTION,
    }),
    v2WithoutAutoscaling: defineMessage<object & OperatorRejection>({
      text: (rejection) =>
        formatRejection(`The head has the variable ${AUTOSCALER_V2_VARIABLE}, but enableInTreeAutoscaling is not true`, rejection),
      help: () => 'Set enableInTreeAutoscaling: true, or delete the variable.',
      sample: SAMPLE_REJECTION,
    }),
    managedVariable: defineMessage<VariableData & OperatorRejection>({
      text: ({ variable, ...rejection }) =>
        formatRejection(`autoscalerOptions.env contains ${variable}, which the operator sets itself`, rejection),
      help: () => 'Delete the variable.',
      sample: { variable: START_COMMAND_VARIABLE, ...SAMPLE_REJECTION },
    }),
    redisAddress: defineMessage<object & OperatorRejection>({
      text: (rejection) => formatRejection('The head has the variable RAY_REDIS_ADDRESS without gcsFaultToleranceOptions', rejection),
      help: () => 'Set gcsFaultToleranceOptions.redisAddress instead.',
      sample: SAMPLE_REJECTION,
    }),
    redisUsername: defineMessage<object & OperatorRejection>({
      text: (rejection) => formatRejection('The Redis user name is set in rayStartParams or in a variable', rejection),
      help: () => 'Set gcsFaultToleranceOptions.redisUsername instead.',
      sample: SAMPLE_REJECTION,
    }),
    conflictsWithFaultTolerance: defineMessage<ConflictingFieldData & OperatorRejection>({
      text: ({ kind, name, ...rejection }) =>
        formatRejection(`gcsFaultToleranceOptions conflicts with ${KIND_LABELS[kind]} ${name}`, rejection),
      help: ({ name }) => `Delete ${name} and use the field of gcsFaultToleranceOptions that replaces it.`,
      sample: { kind: 'annotation', name: FAULT_TOLERANCE_ANNOTATION, ...SAMPLE_REJECTION },
    }),
    gate: defineMessage<GateData & OperatorRejection>({
      text: ({ field, gate, ...rejection }) =>
        formatRejection(`${field} needs the gate ${gate}, which is off unless the operator was installed with it`, rejection),
      help: ({ field, gate }) => `Install the operator with the gate ${gate}, or delete ${field}.`,
      sample: { field: 'networkPolicy', gate: 'RayClusterNetworkPolicy', ...SAMPLE_REJECTION },
    }),
    suspended: defineMessage<RayGroupData & OperatorRejection>({
      text: ({ group, ...rejection }) =>
        formatRejection(`${capitalize(formatRayGroup(group))} is suspended, which needs the gate RayJobDeletionPolicy`, rejection),
      help: () => 'Delete suspend, or set maxReplicas to 0.',
      sample: { group: SAMPLE_RAY_GROUP, ...SAMPLE_REJECTION },
    }),
  },
});

function isV2Value(value: unknown): boolean {
  return value === '1' || value === 'true';
}

/** Reports whether the operator applies the rules of autoscaler v2 when it validates the numbers of worker groups. */
function hasAutoscalerV2(service: ParsedRayService): boolean {
  return (
    getValueAt(service.cluster, 'autoscalerOptions', 'version') === 'v2' || isV2Value(getHeadVariable(service, AUTOSCALER_V2_VARIABLE))
  );
}

function checkGroupLabels(service: ParsedRayService, { group, path, spec }: RayGroup): Finding[] {
  const rejection = operatorRejectionOf(service);
  const inParams = 'labels' in getFieldsAt(spec, 'rayStartParams');
  const labels = Object.entries(getFieldsAt(spec, 'labels'));
  return [
    ...(inParams
      ? [
          invalidCluster.createFinding('startParamLabels', {
            path: toFieldPath`${path}.rayStartParams.labels`,
            data: { group, ...rejection },
          }),
        ]
      : []),
    ...labels.flatMap(([key, value]) => {
      const location = { path: toFieldPath`${path}.labels[${key}]` };
      if (!isLabelKey(key)) return invalidCluster.createFinding('label', { ...location, data: { group, key, ...rejection } });
      if (typeof value !== 'string' || isLabelValue(value)) return [];
      return invalidCluster.createFinding('label', { ...location, data: { group, key, value: toDisplayValue(value), ...rejection } });
    }),
  ];
}

function checkGroupNumbers(service: ParsedRayService, { group, path, spec }: RayGroup): Finding[] {
  if (!service.behaviour.validatesNumbers || group.kind === 'head') return [];
  const rejection = operatorRejectionOf(service);
  const negative = ['minReplicas', 'maxReplicas', 'idleTimeoutSeconds'].flatMap((field) => {
    const value = spec[field];
    if (typeof value !== 'number' || value >= 0) return [];
    return invalidCluster.createFinding('negative', {
      path: toFieldPath`${path}.${field}`,
      data: { field, value: toDisplayValue(value), ...rejection },
    });
  });
  const { idleTimeoutSeconds } = spec;
  if (typeof idleTimeoutSeconds !== 'number' || idleTimeoutSeconds < 0 || hasAutoscalerV2(service)) return negative;
  return [
    ...negative,
    invalidCluster.createFinding('idleTimeout', { path: toFieldPath`${path}.idleTimeoutSeconds`, data: { group, ...rejection } }),
  ];
}

const PRIORITY_SINCE = [2, 56, 0] as const;

function checkGroupPriority(service: ParsedRayService, { group, path, spec }: RayGroup): Finding[] {
  const { priority } = spec;
  if (!service.behaviour.validatesGatedFields || typeof priority !== 'number' || priority === 0) return [];
  const rejection = operatorRejectionOf(service);
  const location = { path: toFieldPath`${path}.priority` };
  const problem = findRayVersionProblem(service, PRIORITY_SINCE);
  if (problem) return [invalidCluster.createFinding('rayVersion', { ...location, data: { field: 'priority', ...problem, ...rejection } })];
  return hasAutoscalerV2(service) ? [] : [invalidCluster.createFinding('priority', { ...location, data: { group, ...rejection } })];
}

function checkAutoscaler(service: ParsedRayService): Finding[] {
  const { cluster, paths, behaviour } = service;
  const rejection = operatorRejectionOf(service);
  const path = toFieldPath`${paths.cluster}.autoscalerOptions`;
  const options = getFieldsAt(cluster, 'autoscalerOptions');
  const variable = getHeadVariable(service, AUTOSCALER_V2_VARIABLE);
  const isOn = cluster.enableInTreeAutoscaling === true;
  const { idleTimeoutSeconds: idle } = options;
  const setsCommand = getListAt(options, 'env').findIndex((entry) => getValueAt(entry, 'name') === START_COMMAND_VARIABLE);
  return [
    ...(!isOn && isV2Value(variable)
      ? [invalidCluster.createFinding('v2WithoutAutoscaling', { path: buildHeadVariablesPath(service), data: rejection })]
      : []),
    ...(isOn && (options.version ?? undefined) !== undefined && variable !== undefined
      ? [invalidCluster.createFinding('duplicateAutoscalerVersion', { path: buildHeadVariablesPath(service), data: rejection })]
      : []),
    ...(isOn && options.version === 'v2' ? listRayGroups(service).flatMap((group) => checkRestartPolicy(service, group)) : []),
    ...(behaviour.validatesNumbers && typeof idle === 'number' && idle < 0
      ? [
          invalidCluster.createFinding('negative', {
            path: toFieldPath`${path}.idleTimeoutSeconds`,
            data: { field: 'idleTimeoutSeconds', value: toDisplayValue(idle), ...rejection },
          }),
        ]
      : []),
    ...(behaviour.validatesGatedFields && setsCommand >= 0
      ? [
          invalidCluster.createFinding('managedVariable', {
            path: toFieldPath`${path}.env[${setsCommand}]`,
            data: { variable: START_COMMAND_VARIABLE, ...rejection },
          }),
        ]
      : []),
  ];
}

function checkRestartPolicy(service: ParsedRayService, { group, path, spec }: RayGroup): Finding[] {
  const value = getValueAt(spec, 'template', 'spec', 'restartPolicy') ?? '';
  if (value === '' || value === 'Never') return [];
  const location = { path: toFieldPath`${path}.template.spec.restartPolicy` };
  return [
    invalidCluster.createFinding('restartPolicy', {
      ...location,
      data: { group, value: toDisplayValue(value), ...operatorRejectionOf(service) },
    }),
  ];
}

/** Checks the Redis settings and their conflicts with gcsFaultToleranceOptions. */
function checkRedis(service: ParsedRayService): Finding[] {
  const { object, cluster, paths } = service;
  const rejection = operatorRejectionOf(service);
  const has = (variable: string) => getHeadVariable(service, variable) !== undefined;
  const params = getFieldsAt(cluster, 'headGroupSpec', 'rayStartParams');
  const annotation = (name: string) => annotationOf(object, name) ?? '';
  const paramsPath = toFieldPath`${paths.cluster}.headGroupSpec.rayStartParams`;
  const variables = buildHeadVariablesPath(service);
  const isTolerant = isFields(cluster.gcsFaultToleranceOptions);
  const conflicting: (ConflictingFieldData & { readonly is: boolean; readonly path: typeof variables })[] = [
    ...[FAULT_TOLERANCE_ANNOTATION, STORAGE_NAMESPACE_ANNOTATION].map((name) => {
      return { kind: 'annotation', name, is: annotation(name) !== '', path: toFieldPath`${paths.metadata}.annotations[${name}]` } as const;
    }),
    {
      kind: 'start-parameter',
      name: 'redis-password',
      is: isSet(params['redis-password']),
      path: toFieldPath`${paramsPath}[${'redis-password'}]`,
    },
    ...['REDIS_PASSWORD', 'RAY_REDIS_ADDRESS'].map((name) => ({ kind: 'variable', name, is: has(name), path: variables }) as const),
  ];
  return [
    ...(isTolerant ? conflicting : [])
      .filter(({ is: isPresent }) => isPresent)
      .map(({ kind, name, path }) =>
        invalidCluster.createFinding('conflictsWithFaultTolerance', { path, data: { kind, name, ...rejection } }),
      ),
    ...(!isTolerant && annotation(FAULT_TOLERANCE_ANNOTATION).toLowerCase() !== 'true' && has('RAY_REDIS_ADDRESS')
      ? [invalidCluster.createFinding('redisAddress', { path: variables, data: rejection })]
      : []),
    ...(isSet(params['redis-username']) || has('REDIS_USERNAME')
      ? [invalidCluster.createFinding('redisUsername', { path: has('REDIS_USERNAME') ? variables : paramsPath, data: rejection })]
      : []),
  ];
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

const TOKENS_SINCE = [2, 52, 0] as const;

function checkAuthOptions(service: ParsedRayService): Finding[] {
  const { cluster, paths } = service;
  if (getValueAt(cluster, 'authOptions', 'mode') !== 'token') return [];
  const problem = findRayVersionProblem(service, TOKENS_SINCE);
  if (!problem) return [];
  const path = toFieldPath`${paths.cluster}.authOptions.mode`;
  return [
    invalidCluster.createFinding('rayVersion', { path, data: { field: 'authOptions.mode', ...problem, ...operatorRejectionOf(service) } }),
  ];
}

/** Fields that need feature gates that are off by default. Source: KubeRay v1.7.0 pkg/features/features.go. */
const GATES = {
  networkPolicy: 'RayClusterNetworkPolicy',
  tlsOptions: 'RayClusterMTLS',
  historyServerOptions: 'RayClusterHistoryServer',
} as const;

function checkGatedFields(service: ParsedRayService): Finding[] {
  const { cluster, paths, behaviour } = service;
  if (!behaviour.validatesGatedFields) return [];
  return Object.entries(GATES)
    .filter(([field]) => isFields(cluster[field]))
    .map(([field, gate]) =>
      invalidCluster.createFinding('gate', {
        path: toFieldPath`${paths.cluster}.${field}`,
        data: { field, gate, ...operatorRejectionOf(service) },
      }),
    );
}

function checkSuspendedGroups(service: ParsedRayService): Finding[] {
  if (service.behaviour.allowsGroupSuspend || service.cluster.enableInTreeAutoscaling === true) return [];
  return listRayGroups(service)
    .filter(({ group, spec }) => group.kind === 'worker' && spec.suspend === true)
    .map(({ group, path }) =>
      invalidCluster.createFinding('suspended', { path: toFieldPath`${path}.suspend`, data: { group, ...operatorRejectionOf(service) } }),
    );
}

/**
 * Reports everything else that the operator refuses in a rayClusterConfig: first group by group, then for the cluster.
 *
 * Source: KubeRay v1.5.1, v1.6.2 and v1.7.0 `utils/validation.go`, ValidateRayClusterSpec.
 */
export function checkInvalidCluster(service: ParsedRayService): Finding[] {
  return [
    ...listRayGroups(service).flatMap((group) => [
      ...checkGroupLabels(service, group),
      ...checkGroupNumbers(service, group),
      ...checkGroupPriority(service, group),
    ]),
    ...checkRedis(service),
    ...checkSuspendedGroups(service),
    ...checkAutoscaler(service),
    ...checkAuthOptions(service),
    ...checkGatedFields(service),
  ];
}
