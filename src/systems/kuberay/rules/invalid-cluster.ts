import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { isLabelKey, isLabelValue } from '../../../core/label';
import { annotationOf, fieldsAt, isFields, listAt, valueAt } from '../../../core/manifest';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { capitalised } from '../../../core/words';
import type { ReadRayService } from '../ray-service';
import { CLUSTER_TEXT, INCREMENTAL_TEXT, serviceText, WHOLE_SERVICE } from './examples';
import { groupsOf, groupText, SAMPLE_GROUP } from './groups';
import type { Group, GroupData } from './groups';
import { operatorRefuses, refusalOf, SAMPLE_REFUSAL } from './refusal';
import type { Refusal } from './refusal';

const AUTOSCALER_V2 = 'RAY_enable_autoscaler_v2';
const START_COMMAND = 'KUBERAY_GEN_AUTOSCALER_START_CMD';
const FAULT_TOLERANT = 'ray.io/ft-enabled';
const STORAGE_NAMESPACE = 'ray.io/external-storage-namespace';

interface LabelData extends GroupData {
  readonly key: string;
  /** Absent where the key itself is refused. */
  readonly value?: Seen;
}

interface NumberData {
  readonly field: string;
  readonly value: Seen;
}

interface RestartData extends GroupData {
  readonly value: Seen;
}

interface VariableData {
  readonly variable: string;
}

/** Why a field wants another version of Ray. */
type RayVersionData =
  | { readonly problem: 'absent' | 'unreadable'; readonly wanted: string; readonly rayVersion?: Seen }
  | { readonly problem: 'older'; readonly wanted: string; readonly rayVersion: Seen };

interface FeatureData {
  readonly field: string;
}

interface GateData extends FeatureData {
  readonly gate: string;
}

interface BesideData {
  /** What stands beside gcsFaultToleranceOptions: an annotation, a start parameter, or a variable. */
  readonly kind: 'annotation' | 'start-parameter' | 'variable';
  readonly name: string;
}

const KINDS: Readonly<Record<BesideData['kind'], string>> = {
  annotation: 'the annotation',
  'start-parameter': 'rayStartParams',
  variable: 'the variable',
};

function rayVersionText({ problem, wanted, rayVersion }: RayVersionData): string {
  if (problem === 'absent') return `needs a rayVersion of ${wanted} or later, and there is none`;
  if (problem === 'unreadable') return `needs a rayVersion of ${wanted} or later, and ${show(rayVersion!)} is not a version`;
  return `needs Ray ${wanted} or later, and rayVersion is ${show(rayVersion!)}`;
}

/** The start of the text about whatever the operator refuses. */
function refused(what: string, refusal: Refusal): string {
  return `${what}. ${operatorRefuses({ version: refusal.version, onRefusal: refusal.onRefusal })}`;
}

/** A rayClusterConfig with something in it that the operator refuses. */
export const invalidCluster = rule({
  code: 'kuberay/invalid-cluster',
  since: '0.1.0',
  severity: 'error',
  fires:
    'rayClusterConfig holds fields that the operator does not take together: Redis variables without gcsFaultToleranceOptions or beside it, ' +
    'a restartPolicy beside autoscaler v2, token authentication or a priority without a Ray that has it, labels that are none.',
  why:
    'The API server takes all of it. The operator looks at every reconcile, and refuses the whole RayService: ' +
    'nothing of it is rolled out, and an upgrade under way stands still. Source: utils/validation.go, ValidateRayClusterSpec.',
  fix: 'Write what the message says.',
  example: serviceText(INCREMENTAL_TEXT, `${CLUSTER_TEXT}\n    autoscalerOptions:\n      idleTimeoutSeconds: -1`),
  fixed: WHOLE_SERVICE,
  messages: {
    startParamLabels: message<GroupData & Refusal>({
      text: ({ group, ...refusal }) => refused(`${capitalised(groupText(group))} has labels in rayStartParams`, refusal),
      help: () => 'Write them under labels of the group.',
      sample: { group: SAMPLE_GROUP, ...SAMPLE_REFUSAL },
    }),
    label: message<LabelData & Refusal>({
      text: ({ group, key, value, ...refusal }) =>
        refused(
          value === undefined
            ? `${capitalised(groupText(group))} has the label "${key}", which is not a key of a label`
            : `${capitalised(groupText(group))} has the label ${key} with ${show(value)}, which is not a value of a label`,
          refusal,
        ),
      help: () =>
        'Write up to 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends; a key may have a prefix as in example.com/name.',
      sample: { group: SAMPLE_GROUP, key: 'team', value: 'not ok!', ...SAMPLE_REFUSAL },
    }),
    negative: message<NumberData & Refusal>({
      text: ({ field, value, ...refusal }) => refused(`${field} is ${show(value)}`, refusal),
      help: () => 'Write 0 or more.',
      sample: { field: 'minReplicas', value: -1, ...SAMPLE_REFUSAL },
    }),
    idleTimeout: message<GroupData & Refusal>({
      text: ({ group, ...refusal }) =>
        refused(`${capitalised(groupText(group))} has idleTimeoutSeconds, which autoscaler v2 alone reads`, refusal),
      help: () => 'Write autoscalerOptions.version: v2, or idleTimeoutSeconds under autoscalerOptions.',
      sample: { group: SAMPLE_GROUP, ...SAMPLE_REFUSAL },
    }),
    priority: message<GroupData & Refusal>({
      text: ({ group, ...refusal }) => refused(`${capitalised(groupText(group))} has a priority, which autoscaler v2 alone reads`, refusal),
      help: () => 'Write autoscalerOptions.version: v2, or delete the priority.',
      sample: { group: SAMPLE_GROUP, ...SAMPLE_REFUSAL },
    }),
    rayVersion: message<FeatureData & RayVersionData & Refusal>({
      text: ({ field, version, onRefusal, ...data }) => refused(`${field} ${rayVersionText(data)}`, { version, onRefusal }),
      help: ({ field, wanted }) => `Write the version of Ray in the images as rayVersion, from ${wanted} on; or delete ${field}.`,
      sample: { field: 'authOptions.mode', problem: 'older', wanted: '2.52.0', rayVersion: '2.51.0', ...SAMPLE_REFUSAL },
    }),
    restartPolicy: message<RestartData & Refusal>({
      text: ({ group, value, ...refusal }) =>
        refused(`restartPolicy of ${groupText(group)} is ${show(value)}, and with autoscaler v2 it has to be Never`, refusal),
      help: () => 'Delete restartPolicy.',
      sample: { group: SAMPLE_GROUP, value: 'Always', ...SAMPLE_REFUSAL },
    }),
    versionTwice: message<object & Refusal>({
      text: (refusal) => refused(`autoscalerOptions.version and the variable ${AUTOSCALER_V2} of the head are both set`, refusal),
      help: () => 'Delete the variable.',
      sample: SAMPLE_REFUSAL,
    }),
    v2WithoutAutoscaling: message<object & Refusal>({
      text: (refusal) => refused(`The head has the variable ${AUTOSCALER_V2}, and enableInTreeAutoscaling is not true`, refusal),
      help: () => 'Write enableInTreeAutoscaling: true, or delete the variable.',
      sample: SAMPLE_REFUSAL,
    }),
    managedVariable: message<VariableData & Refusal>({
      text: ({ variable, ...refusal }) => refused(`autoscalerOptions.env holds ${variable}, which the operator sets itself`, refusal),
      help: () => 'Delete the variable.',
      sample: { variable: START_COMMAND, ...SAMPLE_REFUSAL },
    }),
    redisAddress: message<object & Refusal>({
      text: (refusal) => refused('The head has the variable RAY_REDIS_ADDRESS without gcsFaultToleranceOptions', refusal),
      help: () => 'Write the address as gcsFaultToleranceOptions.redisAddress instead.',
      sample: SAMPLE_REFUSAL,
    }),
    redisUsername: message<object & Refusal>({
      text: (refusal) => refused('The user name for Redis stands in rayStartParams or in a variable', refusal),
      help: () => 'Write it under gcsFaultToleranceOptions.redisUsername instead.',
      sample: SAMPLE_REFUSAL,
    }),
    besideFaultTolerance: message<BesideData & Refusal>({
      text: ({ kind, name, ...refusal }) => refused(`gcsFaultToleranceOptions stands beside ${KINDS[kind]} ${name}`, refusal),
      help: ({ name }) => `Delete ${name}; gcsFaultToleranceOptions has a field for each of them.`,
      sample: { kind: 'annotation', name: FAULT_TOLERANT, ...SAMPLE_REFUSAL },
    }),
    gate: message<GateData & Refusal>({
      text: ({ field, gate, ...refusal }) =>
        refused(`${field} needs the gate ${gate}, which is off unless the operator was installed with it`, refusal),
      help: ({ field, gate }) => `Install the operator with the gate ${gate}, or delete ${field}.`,
      sample: { field: 'networkPolicy', gate: 'RayClusterNetworkPolicy', ...SAMPLE_REFUSAL },
    }),
    suspended: message<GroupData & Refusal>({
      text: ({ group, ...refusal }) =>
        refused(`${capitalised(groupText(group))} is suspended, which needs the gate RayJobDeletionPolicy`, refusal),
      help: () => 'Delete suspend, or set maxReplicas to 0.',
      sample: { group: SAMPLE_GROUP, ...SAMPLE_REFUSAL },
    }),
  },
});

/** The value of a variable of the head's first container; undefined where it has none of that name. */
function headVariable({ cluster }: ReadRayService, name: string): unknown {
  const variables = listAt(cluster, 'headGroupSpec', 'template', 'spec', 'containers', 0, 'env');
  const found = variables.find((variable) => valueAt(variable, 'name') === name);
  return found && (valueAt(found, 'value') ?? '');
}

function headVariablesPath({ places }: ReadRayService) {
  return at`${places.cluster}.headGroupSpec.template.spec.containers[0].env`;
}

function saysV2(value: unknown): boolean {
  return value === '1' || value === 'true';
}

/** Does the operator take the cluster for one of autoscaler v2, as far as numbers of worker groups are concerned? */
function hasAutoscalerV2(service: ReadRayService): boolean {
  return valueAt(service.cluster, 'autoscalerOptions', 'version') === 'v2' || saysV2(headVariable(service, AUTOSCALER_V2));
}

/** The first numbers of a version as apimachinery's ParseGeneric reads it: two at least, and anything behind them. */
const GENERIC_VERSION = /^\s*v?([0-9]+)\.([0-9]+)(?:\.([0-9]+))?/;

/** What is wrong with the rayVersion for a field that came with a version of Ray. */
function rayVersionProblem({ cluster }: ReadRayService, wanted: readonly [number, number, number]): RayVersionData | undefined {
  const text = wanted.join('.');
  const { rayVersion } = cluster;
  if (rayVersion === undefined || rayVersion === null || rayVersion === '') return { problem: 'absent', wanted: text };
  const match = typeof rayVersion === 'string' ? GENERIC_VERSION.exec(rayVersion) : null;
  if (!match) return { problem: 'unreadable', wanted: text, rayVersion: seen(rayVersion) };
  const parts = match.slice(1).map((part) => Number(part ?? 0));
  const difference = wanted.map((part, index) => parts[index]! - part).find((part) => part !== 0) ?? 0;
  return difference < 0 ? { problem: 'older', wanted: text, rayVersion: seen(rayVersion) } : undefined;
}

function labelFindings(service: ReadRayService, { group, path, spec }: Group): Finding[] {
  const refusal = refusalOf(service);
  const inParams = 'labels' in fieldsAt(spec, 'rayStartParams');
  const labels = Object.entries(fieldsAt(spec, 'labels'));
  return [
    ...(inParams
      ? [invalidCluster.finding('startParamLabels', { path: at`${path}.rayStartParams.labels`, data: { group, ...refusal } })]
      : []),
    ...labels.flatMap(([key, value]) => {
      const place = { path: at`${path}.labels[${key}]` };
      if (!isLabelKey(key)) return invalidCluster.finding('label', { ...place, data: { group, key, ...refusal } });
      if (typeof value !== 'string' || isLabelValue(value)) return [];
      return invalidCluster.finding('label', { ...place, data: { group, key, value: seen(value), ...refusal } });
    }),
  ];
}

function numberFindings(service: ReadRayService, { group, path, spec }: Group): Finding[] {
  if (!service.behaviour.judgesNumbers || group.kind === 'head') return [];
  const refusal = refusalOf(service);
  const negative = ['minReplicas', 'maxReplicas', 'idleTimeoutSeconds'].flatMap((field) => {
    const value = spec[field];
    if (typeof value !== 'number' || value >= 0) return [];
    return invalidCluster.finding('negative', { path: at`${path}.${field}`, data: { field, value: seen(value), ...refusal } });
  });
  const { idleTimeoutSeconds } = spec;
  if (typeof idleTimeoutSeconds !== 'number' || idleTimeoutSeconds < 0 || hasAutoscalerV2(service)) return negative;
  return [...negative, invalidCluster.finding('idleTimeout', { path: at`${path}.idleTimeoutSeconds`, data: { group, ...refusal } })];
}

const PRIORITY_SINCE = [2, 56, 0] as const;

function priorityFindings(service: ReadRayService, { group, path, spec }: Group): Finding[] {
  const { priority } = spec;
  if (!service.behaviour.judgesGatedFields || typeof priority !== 'number' || priority === 0) return [];
  const refusal = refusalOf(service);
  const place = { path: at`${path}.priority` };
  const problem = rayVersionProblem(service, PRIORITY_SINCE);
  if (problem) return [invalidCluster.finding('rayVersion', { ...place, data: { field: 'priority', ...problem, ...refusal } })];
  return hasAutoscalerV2(service) ? [] : [invalidCluster.finding('priority', { ...place, data: { group, ...refusal } })];
}

function autoscalerFindings(service: ReadRayService): Finding[] {
  const { cluster, places, behaviour } = service;
  const refusal = refusalOf(service);
  const path = at`${places.cluster}.autoscalerOptions`;
  const options = fieldsAt(cluster, 'autoscalerOptions');
  const variable = headVariable(service, AUTOSCALER_V2);
  const isOn = cluster.enableInTreeAutoscaling === true;
  const { idleTimeoutSeconds: idle } = options;
  const setsCommand = listAt(options, 'env').findIndex((entry) => valueAt(entry, 'name') === START_COMMAND);
  return [
    ...(!isOn && saysV2(variable)
      ? [invalidCluster.finding('v2WithoutAutoscaling', { path: headVariablesPath(service), data: refusal })]
      : []),
    ...(isOn && (options.version ?? undefined) !== undefined && variable !== undefined
      ? [invalidCluster.finding('versionTwice', { path: headVariablesPath(service), data: refusal })]
      : []),
    ...(isOn && options.version === 'v2' ? groupsOf(service).flatMap((group) => restartFindings(service, group)) : []),
    ...(behaviour.judgesNumbers && typeof idle === 'number' && idle < 0
      ? [
          invalidCluster.finding('negative', {
            path: at`${path}.idleTimeoutSeconds`,
            data: { field: 'idleTimeoutSeconds', value: seen(idle), ...refusal },
          }),
        ]
      : []),
    ...(behaviour.judgesGatedFields && setsCommand >= 0
      ? [
          invalidCluster.finding('managedVariable', {
            path: at`${path}.env[${setsCommand}]`,
            data: { variable: START_COMMAND, ...refusal },
          }),
        ]
      : []),
  ];
}

function restartFindings(service: ReadRayService, { group, path, spec }: Group): Finding[] {
  const value = valueAt(spec, 'template', 'spec', 'restartPolicy') ?? '';
  if (value === '' || value === 'Never') return [];
  const place = { path: at`${path}.template.spec.restartPolicy` };
  return [invalidCluster.finding('restartPolicy', { ...place, data: { group, value: seen(value), ...refusalOf(service) } })];
}

/** Redis, and what stands beside the options for it. */
function redisFindings(service: ReadRayService): Finding[] {
  const { object, cluster, places } = service;
  const refusal = refusalOf(service);
  const has = (variable: string) => headVariable(service, variable) !== undefined;
  const params = fieldsAt(cluster, 'headGroupSpec', 'rayStartParams');
  const annotation = (name: string) => annotationOf(object, name) ?? '';
  const paramsPath = at`${places.cluster}.headGroupSpec.rayStartParams`;
  const variables = headVariablesPath(service);
  const isTolerant = isFields(cluster.gcsFaultToleranceOptions);
  const beside: (BesideData & { readonly is: boolean; readonly path: typeof variables })[] = [
    ...[FAULT_TOLERANT, STORAGE_NAMESPACE].map((name) => {
      return { kind: 'annotation', name, is: annotation(name) !== '', path: at`${places.metadata}.annotations[${name}]` } as const;
    }),
    { kind: 'start-parameter', name: 'redis-password', is: isSet(params['redis-password']), path: at`${paramsPath}[${'redis-password'}]` },
    ...['REDIS_PASSWORD', 'RAY_REDIS_ADDRESS'].map((name) => ({ kind: 'variable', name, is: has(name), path: variables }) as const),
  ];
  return [
    ...(isTolerant ? beside : [])
      .filter(({ is }) => is)
      .map(({ kind, name, path }) => invalidCluster.finding('besideFaultTolerance', { path, data: { kind, name, ...refusal } })),
    ...(!isTolerant && annotation(FAULT_TOLERANT).toLowerCase() !== 'true' && has('RAY_REDIS_ADDRESS')
      ? [invalidCluster.finding('redisAddress', { path: variables, data: refusal })]
      : []),
    ...(isSet(params['redis-username']) || has('REDIS_USERNAME')
      ? [invalidCluster.finding('redisUsername', { path: has('REDIS_USERNAME') ? variables : paramsPath, data: refusal })]
      : []),
  ];
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

const TOKENS_SINCE = [2, 52, 0] as const;

function authFindings(service: ReadRayService): Finding[] {
  const { cluster, places } = service;
  if (valueAt(cluster, 'authOptions', 'mode') !== 'token') return [];
  const problem = rayVersionProblem(service, TOKENS_SINCE);
  if (!problem) return [];
  const path = at`${places.cluster}.authOptions.mode`;
  return [invalidCluster.finding('rayVersion', { path, data: { field: 'authOptions.mode', ...problem, ...refusalOf(service) } })];
}

/** Fields behind gates that are off as released. Source: KubeRay v1.7.0 pkg/features/features.go. */
const GATES = {
  networkPolicy: 'RayClusterNetworkPolicy',
  tlsOptions: 'RayClusterMTLS',
  historyServerOptions: 'RayClusterHistoryServer',
} as const;

function gateFindings(service: ReadRayService): Finding[] {
  const { cluster, places, behaviour } = service;
  if (!behaviour.judgesGatedFields) return [];
  return Object.entries(GATES)
    .filter(([field]) => isFields(cluster[field]))
    .map(([field, gate]) =>
      invalidCluster.finding('gate', { path: at`${places.cluster}.${field}`, data: { field, gate, ...refusalOf(service) } }),
    );
}

function suspendFindings(service: ReadRayService): Finding[] {
  if (service.behaviour.suspendsGroups || service.cluster.enableInTreeAutoscaling === true) return [];
  return groupsOf(service)
    .filter(({ group, spec }) => group.kind === 'worker' && spec.suspend === true)
    .map(({ group, path }) => invalidCluster.finding('suspended', { path: at`${path}.suspend`, data: { group, ...refusalOf(service) } }));
}

/**
 * What else the operator refuses in a rayClusterConfig, group by group and then as a whole.
 *
 * Source: KubeRay v1.5.1, v1.6.2 and v1.7.0 `utils/validation.go`, ValidateRayClusterSpec.
 */
export function invalidClusterFindings(service: ReadRayService): Finding[] {
  return [
    ...groupsOf(service).flatMap((group) => [
      ...labelFindings(service, group),
      ...numberFindings(service, group),
      ...priorityFindings(service, group),
    ]),
    ...redisFindings(service),
    ...suspendFindings(service),
    ...autoscalerFindings(service),
    ...authFindings(service),
    ...gateFindings(service),
  ];
}
