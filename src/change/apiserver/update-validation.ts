import { isDeepEqual } from '../../core/collections/deep-equal';
import { getFieldsAt, isFields, getListAt, getValueAt, omitFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { parseQuantityNanos } from '../../core/values/quantity';
import type { Versions } from '../../core/values/versions';
import { mapByApiVersionKind } from '../../workloads/kinds';
import type { WorkloadName } from '../../workloads/kinds';
import type { ApiField } from '../../workloads/pod/field';
import { POD_TEMPLATE_SPEC } from '../../workloads/pod/pod-spec';
import { VOLUME } from '../../workloads/pod/volume';
import { toGoJson } from './go-json';
import { checkImmutableFields } from './immutable-fields';
import { getStoredKind } from './kinds';
import { validateTemplateLabels, validateWorkloadSelector } from './selector-validation';
import type { SelectorOwner } from './selector-validation';
import { isSemanticallyEqual } from './template-equality';
import type { FieldChange, ApplyRejection, StoredObject } from './types';
import { areJobResourcesMutable, canRecoverVolumeExpansion, isRevisionLimitMutable } from './versions';

/* Immutable fields, with the messages and in the order of the server. Source: k/k pkg/apis/<group>/validation/validation.go at 1.34. */

/** The parts of an update request that its rejection depends on. */
export interface UpdateRequest {
  /** The old object as read from a cluster. @default - only its manifest is known */
  readonly live?: Manifest;
  /** The new object before it is decoded. */
  readonly sent: Fields;
}

type UpdateValidator = (
  before: StoredObject,
  after: StoredObject,
  version: string,
  request: UpdateRequest,
) => readonly (ApplyRejection | undefined)[];

function specOf(object: StoredObject): Fields {
  return getFieldsAt(object, 'spec');
}

function isSameValue(before: unknown, after: unknown, field: ApiField | undefined): boolean {
  return isSemanticallyEqual({ value: before }, { value: after }, { value: field ?? { type: 'any' } });
}

function fieldOf(object: StoredObject, name: string): ApiField | undefined {
  return getStoredKind(object)?.fields.spec?.fields?.[name];
}

/** Rejects a change of an immutable spec field, with the value as the server prints it. */
function checkImmutableField(before: StoredObject, after: StoredObject, name: string): ApplyRejection | undefined {
  const value = specOf(after)[name];
  if (isSameValue(specOf(before)[name], value, fieldOf(after, name))) return undefined;
  return { path: `spec.${name}`, message: `Invalid value: ${toGoJson(value)}: field is immutable` };
}

/** Returns a message without the value in it, from its first brace to its last. */
function stripValue(message: string): string {
  const [begin, end] = [message.indexOf('{'), message.lastIndexOf('}')];
  return begin < 0 || end < begin ? message : `${message.slice(0, begin)}…${message.slice(end + 1)}`;
}

/** Removes the value from a rejection whose value has types of the server, which differ from those of the manifest. */
function stripRejectedValue(refused: ApplyRejection | undefined): ApplyRejection | undefined {
  return refused && { ...refused, message: stripValue(refused.message) };
}

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'];

/** Validates probes: a merge can leave one two handlers, or none. */
function validateProbes(after: StoredObject): (ApplyRejection | undefined)[] {
  return getListAt(after, 'spec', 'template', 'spec', 'containers').flatMap((container, index) =>
    PROBES.map((name) => {
      const probe = isFields(container) ? container[name] : undefined;
      if (!isFields(probe)) return undefined;
      const path = `spec.template.spec.containers[${index}].${name}`;
      const handlers = HANDLERS.filter((handler) => isFields(probe[handler]));
      if (handlers.length === 0) return { path, message: 'Required value: must specify a handler type' };
      if (handlers.length === 1) return undefined;
      return { path: `${path}.${handlers[1]!}`, message: 'Forbidden: may not specify more than 1 handler type' };
    }),
  );
}

function validateRecreate(after: StoredObject): ApplyRejection | undefined {
  const strategy = getFieldsAt(specOf(after), 'strategy');
  if (strategy.type !== 'Recreate' || strategy.rollingUpdate === undefined) return undefined;
  return { path: 'spec.strategy.rollingUpdate', message: "Forbidden: may not be specified when strategy `type` is 'Recreate'" };
}

const VOLUME_SOURCE_MESSAGE = 'Forbidden: may not specify more than 1 volume type';

/** Validates volumes: a merge can leave one two sources. */
function validateVolumes(after: StoredObject): (ApplyRejection | undefined)[] {
  return getListAt(after, 'spec', 'template', 'spec', 'volumes').map((volume, index) => {
    const sources = isFields(volume) ? Object.keys(volume).filter((name) => name !== 'name') : [];
    const second = Object.keys(VOLUME).filter((name) => sources.includes(name))[1];
    return second === undefined ? undefined : { path: `spec.template.spec.volumes[${index}].${second}`, message: VOLUME_SOURCE_MESSAGE };
  });
}

/** Validates what a merge can break in any workload. */
function validateWorkload(after: StoredObject, owner: SelectorOwner, { sent }: UpdateRequest): (ApplyRejection | undefined)[] {
  return [validateWorkloadSelector(after, owner), validateTemplateLabels(after, sent), ...validateVolumes(after), ...validateProbes(after)];
}

const validateDeploymentUpdate: UpdateValidator = (before, after, _version, request) => [
  ...validateWorkload(after, 'deployment', request),
  validateRecreate(after),
  checkImmutableField(before, after, 'selector'),
];

const validateDaemonSetUpdate: UpdateValidator = (before, after, _version, request) => [
  checkImmutableField(before, after, 'selector'),
  ...validateWorkload(after, 'daemonset', request),
];

const validateReplicaSetUpdate: UpdateValidator = (before, after, _version, request) => [
  ...validateWorkload(after, 'deployment', request),
  checkImmutableField(before, after, 'selector'),
];

function listMutableStatefulSetFields(version: string): readonly string[] {
  const names = ['replicas', 'ordinals', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy', 'minReadySeconds'];
  return isRevisionLimitMutable(version) ? names.toSpliced(4, 0, 'revisionHistoryLimit') : names;
}

function checkStatefulSetSpec(before: StoredObject, after: StoredObject, version: string): ApplyRejection | undefined {
  const mutable = listMutableStatefulSetFields(version);
  const names = [...new Set([...Object.keys(specOf(before)), ...Object.keys(specOf(after))])].filter((name) => !mutable.includes(name));
  if (names.every((name) => isSameValue(specOf(before)[name], specOf(after)[name], fieldOf(after, name)))) return undefined;
  const listed = mutable.map((name) => `'${name}'`);
  return {
    path: 'spec',
    message: `Forbidden: updates to statefulset spec for fields other than ${listed.slice(0, -1).join(', ')} and ${listed.at(-1)!} are forbidden`,
  };
}

function isAtOrBelow(path: string, holder: string): boolean {
  return path === holder || path.startsWith(`${holder}.`) || path.startsWith(`${holder}[`);
}

/** Sorts the changes of a refused update so that those that are refused come first. For a StatefulSet the server names only the spec. */
export function sortRejectedFirst(
  { path }: ApplyRejection,
  requested: readonly FieldChange[],
  { kind }: StoredObject,
  versions: Versions,
): FieldChange[] {
  const allowed = kind === 'StatefulSet' && path === 'spec' ? listMutableStatefulSetFields(versions.kubernetes) : [];
  const isWhy = (field: FieldChange) => isAtOrBelow(field.path, path) && !allowed.some((name) => isAtOrBelow(field.path, `spec.${name}`));
  return requested.toSorted((a, b) => Number(isWhy(b)) - Number(isWhy(a)));
}

function validateOnDelete(after: StoredObject): ApplyRejection | undefined {
  const { type, rollingUpdate } = getFieldsAt(specOf(after), 'updateStrategy');
  if (type !== 'OnDelete' || !isFields(rollingUpdate)) return undefined;
  const { partition, maxUnavailable = null } = rollingUpdate;
  const display = JSON.stringify({ Partition: partition ?? 0, MaxUnavailable: maxUnavailable });
  return {
    path: 'spec.updateStrategy.rollingUpdate',
    message: `Invalid value: ${display}: only allowed for updateStrategy 'RollingUpdate'`,
  };
}

const validateStatefulSetUpdate: UpdateValidator = (before, after, version, request) => [
  validateOnDelete(after),
  ...validateWorkload(after, 'statefulset', request),
  checkStatefulSetSpec(before, after, version),
];

/** Fields of a Job's template that may change while it is suspended and has never started. */
const SCHEDULING_FIELDS = ['nodeSelector', 'tolerations', 'affinity', 'schedulingGates'];

function stripResources(containers: unknown): unknown {
  return Array.isArray(containers) ? containers.map((each) => (isFields(each) ? omitFields(each, ['resources']) : each)) : containers;
}

/** Returns a template without what may change while its Job is suspended. */
function stripMutableFields(template: unknown, version: string): Fields {
  const { metadata: _, spec, ...rest } = isFields(template) ? template : {};
  const remaining = omitFields(isFields(spec) ? spec : {}, SCHEDULING_FIELDS);
  if (!areJobResourcesMutable(version)) return { ...rest, spec: remaining };
  const { containers, initContainers } = remaining;
  return { ...rest, spec: { ...remaining, containers: stripResources(containers), initContainers: stripResources(initContainers) } };
}

function checkJobTemplate(before: StoredObject, after: StoredObject, version: string): ApplyRejection | undefined {
  const isSuspended = specOf(before).suspend === true;
  const templates = [specOf(before).template, specOf(after).template].map((template) =>
    isSuspended ? stripMutableFields(template, version) : template,
  );
  if (isSemanticallyEqual(templates[0], templates[1], POD_TEMPLATE_SPEC)) return undefined;
  // The server prints the full template.
  return { path: 'spec.template', message: 'Invalid value: …: field is immutable' };
}

function checkCompletions(before: StoredObject, after: StoredObject): ApplyRejection | undefined {
  const [was, is] = [specOf(before), specOf(after)];
  if (was.completions === is.completions) return undefined;
  if (is.completionMode !== 'Indexed') return checkImmutableField(before, after, 'completions');
  if (is.completions === is.parallelism && was.completions === was.parallelism) return undefined;
  return {
    path: 'spec.completions',
    message: `Invalid value: ${toGoJson(is.completions)}: can only be modified in tandem with spec.parallelism`,
  };
}

const validateJobUpdate: UpdateValidator = (before, after, version) => [
  checkCompletions(before, after),
  specOf(after).selector === undefined && specOf(before).selector !== undefined
    ? { path: 'spec.selector', message: 'Required value' }
    : undefined,
  checkImmutableField(before, after, 'selector'),
  checkJobTemplate(before, after, version),
  ...['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'].map((name) =>
    stripRejectedValue(checkImmutableField(before, after, name)),
  ),
];

function checkClusterIP(before: StoredObject, after: StoredObject): ApplyRejection | undefined {
  const [was, is] = [specOf(before), specOf(after)];
  if (was.type === 'ExternalName' || is.type === 'ExternalName' || is.clusterIP === undefined || was.clusterIP === is.clusterIP)
    return undefined;
  return { path: 'spec.clusterIPs[0]', message: `Invalid value: ${toGoJson([is.clusterIP])}: may not change once set` };
}

function checkHeadless(after: StoredObject): ApplyRejection | undefined {
  const { type, clusterIP } = specOf(after);
  if (clusterIP !== 'None' || (type !== 'NodePort' && type !== 'LoadBalancer')) return undefined;
  return { path: 'spec.clusterIPs[0]', message: `Invalid value: "None": may not be set to 'None' for ${type} services` };
}

function checkLoadBalancerClass(before: StoredObject, after: StoredObject): ApplyRejection | undefined {
  const [was, is] = [specOf(before), specOf(after)];
  if (was.type !== 'LoadBalancer' || is.type !== 'LoadBalancer' || was.loadBalancerClass === is.loadBalancerClass) return undefined;
  return { path: 'spec.loadBalancerClass', message: `Invalid value: ${toGoJson(is.loadBalancerClass)}: may not change once set` };
}

function checkHealthCheckPort(before: StoredObject, after: StoredObject): ApplyRejection | undefined {
  const [was, is] = [specOf(before), specOf(after)];
  const isNeeded = [was, is].every((spec) => spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local');
  if (!isNeeded || is.healthCheckNodePort === undefined || was.healthCheckNodePort === is.healthCheckNodePort) return undefined;
  return { path: 'spec.healthCheckNodePort', message: 'Forbidden: field is immutable' };
}

const validateServiceUpdate: UpdateValidator = (before, after) => [
  checkHeadless(after),
  checkClusterIP(before, after),
  checkLoadBalancerClass(before, after),
  checkHealthCheckPort(before, after),
];

const IMMUTABLE_MESSAGE = 'Forbidden: field is immutable when `immutable` is set';

function checkImmutableObject(before: StoredObject, after: StoredObject, names: readonly string[]): (ApplyRejection | undefined)[] {
  if (before.immutable !== true) return [];
  return [
    after.immutable === true ? undefined : { path: 'immutable', message: IMMUTABLE_MESSAGE },
    ...names.map((name) => (isDeepEqual(before[name] ?? {}, after[name] ?? {}) ? undefined : { path: name, message: IMMUTABLE_MESSAGE })),
  ];
}

const validateConfigMapUpdate: UpdateValidator = (before, after) => checkImmutableObject(before, after, ['data', 'binaryData']);

const validateSecretUpdate: UpdateValidator = (before, after) => [
  before.type === after.type ? undefined : { path: 'type', message: `Invalid value: ${toGoJson(after.type)}: field is immutable` },
  ...checkImmutableObject(before, after, ['data']),
];

function claimSizeOf(object: unknown, ...path: readonly string[]): bigint | undefined {
  return parseQuantityNanos(getValueAt(object, ...path, 'storage'));
}

/**
 * Rejects a claim that shrinks too far. Versions that support recovery allow a request that is smaller than before but above the current capacity.
 * For a manifest the capacity is the requested size.
 */
function checkClaimShrink(before: StoredObject, after: StoredObject, version: string, { live }: UpdateRequest): ApplyRejection | undefined {
  const [was, is] = [before, after].map((object) => claimSizeOf(object, 'spec', 'resources', 'requests'));
  if (was === undefined || is === undefined || is >= was) return undefined;
  const path = 'spec.resources.requests.storage';
  if (!canRecoverVolumeExpansion(version)) return { path, message: 'Forbidden: field can not be less than previous value' };
  const has = live ? (claimSizeOf(live, 'status', 'capacity') ?? 0n) : was;
  return is <= has ? { path, message: 'Forbidden: field can not be less than status.capacity' } : undefined;
}

/** Validates a claim: only its size and class may change, and only after it is bound. A claim that is a manifest counts as bound. */
const validateClaimUpdate: UpdateValidator = (before, after, version, request) => {
  // The server sets volumeName when the claim is bound.
  const hasVolume = specOf(before).volumeName !== undefined;
  const mayGrow = request.live === undefined || hasVolume;
  const rest = ({ spec }: StoredObject) => ({
    ...(isFields(spec) ? spec : {}),
    ...(mayGrow && { resources: undefined, volumeAttributesClassName: undefined }),
    ...(!hasVolume && { volumeName: undefined }),
  });
  return [
    isSameValue(rest(before), rest(after), getStoredKind(after)?.fields.spec)
      ? undefined
      : {
          path: 'spec',
          message: 'Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
        },
    checkClaimShrink(before, after, version, request),
  ];
};

/** Returns the scopes as a set: their order and duplicates do not matter. */
function scopesOf(object: StoredObject): ReadonlySet<unknown> {
  return new Set(getListAt(object, 'spec', 'scopes'));
}

const validateQuotaUpdate: UpdateValidator = (before, after) => {
  const [was, is] = [scopesOf(before), scopesOf(after)];
  if (was.size === is.size && [...was].every((scope) => is.has(scope))) return [];
  return [{ path: 'spec.scopes', message: `Invalid value: ${toGoJson(specOf(after).scopes)}: field is immutable` }];
};

function formatRoleRef({ apiGroup, kind = '', name = '' }: Fields): string {
  return JSON.stringify({ APIGroup: apiGroup, Kind: kind, Name: name });
}

const validateRoleBindingUpdate: UpdateValidator = (before, after) => [
  isDeepEqual(before.roleRef, after.roleRef)
    ? undefined
    : { path: 'roleRef', message: `Invalid value: ${formatRoleRef(getFieldsAt(after, 'roleRef'))}: cannot change roleRef` },
];

/** Fields of a pod's spec that may change, in addition to images: a shorter deadline, more tolerations. */
const MUTABLE_POD_FIELDS = ['activeDeadlineSeconds', 'tolerations', 'schedulingGates'];

function stripMutablePodFields(spec: Fields): Fields {
  const entries = Object.entries(spec).filter(([name]) => !MUTABLE_POD_FIELDS.includes(name));
  const imageless = (list: unknown) =>
    Array.isArray(list) ? list.map((item: unknown) => (isFields(item) ? { ...item, image: undefined } : item)) : list;
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name === 'containers' || name === 'initContainers' ? imageless(value) : value]),
  );
}

const validatePodUpdate: UpdateValidator = (before, after) => {
  const [was, is] = [specOf(before), specOf(after)];
  if (getListAt(was, 'containers').length !== getListAt(is, 'containers').length) {
    return [{ path: 'spec.containers', message: 'Forbidden: pod updates may not add or remove containers' }];
  }
  if (isDeepEqual(stripMutablePodFields(was), stripMutablePodFields(is))) return [];
  const fields = [
    'spec.containers[*].image',
    'spec.initContainers[*].image',
    'spec.activeDeadlineSeconds',
    'spec.tolerations',
    'spec.terminationGracePeriodSeconds',
  ].map((name) => `\`${name}\``);
  const [last, ...first] = fields.toReversed();
  return [
    {
      path: 'spec',
      message: `Forbidden: pod updates may not change fields other than ${first.toReversed().join(',')} (only additions to existing tolerations),${last!} (allow it to be set to 1 if it was previously negative)`,
    },
  ];
};

const WORKLOAD_UPDATE_VALIDATORS: Readonly<Record<WorkloadName, UpdateValidator>> = {
  Deployment: validateDeploymentUpdate,
  StatefulSet: validateStatefulSetUpdate,
  DaemonSet: validateDaemonSetUpdate,
};

const UPDATE_VALIDATORS: Readonly<Record<string, UpdateValidator>> = {
  ...mapByApiVersionKind(WORKLOAD_UPDATE_VALIDATORS),
  'apps/v1/ReplicaSet': validateReplicaSetUpdate,
  'v1/Pod': validatePodUpdate,
  'batch/v1/Job': validateJobUpdate,
  'v1/Service': validateServiceUpdate,
  'v1/ConfigMap': validateConfigMapUpdate,
  'v1/Secret': validateSecretUpdate,
  'v1/PersistentVolumeClaim': validateClaimUpdate,
  'v1/ResourceQuota': validateQuotaUpdate,
  'rbac.authorization.k8s.io/v1/RoleBinding': validateRoleBindingUpdate,
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': validateRoleBindingUpdate,
};

/** Returns the first reason why the server refuses an update; undefined if it accepts the update. */
export function validateUpdate(
  before: StoredObject,
  after: StoredObject,
  versions: Versions,
  request: UpdateRequest,
): ApplyRejection | undefined {
  const update = UPDATE_VALIDATORS[`${after.apiVersion}/${after.kind}`] ?? checkImmutableFields;
  return update(before, after, versions.kubernetes, request).find((found) => found !== undefined);
}
