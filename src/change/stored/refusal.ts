import { deepEqual } from '../../core/deep-equal';
import { fieldsAt, isFields, listAt, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { nanosOf } from '../../core/quantity';
import type { Versions } from '../../core/versions';
import { byApi } from '../../workloads/kinds';
import type { WorkloadName } from '../../workloads/kinds';
import type { ApiField } from '../../workloads/pod/field';
import { POD_TEMPLATE_SPEC } from '../../workloads/pod/pod-spec';
import { VOLUME } from '../../workloads/pod/volume';
import { goJson } from './go-json';
import { storedKindOf } from './kinds';
import { labelRefusal, selectorRefusal } from './selection';
import type { SelectorOwner } from './selection';
import { sameMeaning } from './template-equal';
import type { FieldChange, Refusal, StoredObject } from './types';
import { claimsRecoverFromGrowth, revisionLimitIsMutable } from './versions';

/* What an update may not change, in the server's words and order. Source: k/k pkg/apis/<group>/validation/validation.go at 1.34. */

/** How an update is written, as far as its refusal depends on that. */
export interface Writing {
  /** The object before, as a cluster shows it. @default - it is known as a manifest alone */
  readonly live?: Manifest;
  /** The object before it is decoded. */
  readonly sent: Fields;
}

type Update = (before: StoredObject, after: StoredObject, version: string, writing: Writing) => readonly (Refusal | undefined)[];

function specOf(object: StoredObject): Fields {
  return fieldsAt(object, 'spec');
}

function same(before: unknown, after: unknown, field: ApiField | undefined): boolean {
  return sameMeaning({ value: before }, { value: after }, { value: field ?? { type: 'any' } });
}

function fieldOf(object: StoredObject, name: string): ApiField | undefined {
  return storedKindOf(object)?.fields.spec?.fields?.[name];
}

/** A field of the spec that is immutable, with the value as the server prints it. */
function immutable(before: StoredObject, after: StoredObject, name: string): Refusal | undefined {
  const value = specOf(after)[name];
  if (same(specOf(before)[name], value, fieldOf(after, name))) return undefined;
  return { path: `spec.${name}`, message: `Invalid value: ${goJson(value)}: field is immutable` };
}

/** A message without the value that it holds, from its first brace to its last. */
function withoutValue(message: string): string {
  const [begin, end] = [message.indexOf('{'), message.lastIndexOf('}')];
  return begin < 0 || end < begin ? message : `${message.slice(0, begin)}…${message.slice(end + 1)}`;
}

/** The server prints its own types there, which are not those of the manifest. */
function elided(refused: Refusal | undefined): Refusal | undefined {
  return refused && { ...refused, message: withoutValue(refused.message) };
}

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'];

/** A merge can leave a probe two handlers, or none. */
function probeRefusals(after: StoredObject): (Refusal | undefined)[] {
  return listAt(after, 'spec', 'template', 'spec', 'containers').flatMap((container, index) =>
    PROBES.map((name) => {
      const probe = isFields(container) ? container[name] : undefined;
      if (!isFields(probe)) return undefined;
      const path = `spec.template.spec.containers[${index}].${name}`;
      const named = HANDLERS.filter((handler) => isFields(probe[handler]));
      if (named.length === 0) return { path, message: 'Required value: must specify a handler type' };
      if (named.length === 1) return undefined;
      return { path: `${path}.${named[1]!}`, message: 'Forbidden: may not specify more than 1 handler type' };
    }),
  );
}

function recreateRefusal(after: StoredObject): Refusal | undefined {
  const strategy = fieldsAt(specOf(after), 'strategy');
  if (strategy.type !== 'Recreate' || strategy.rollingUpdate === undefined) return undefined;
  return { path: 'spec.strategy.rollingUpdate', message: "Forbidden: may not be specified when strategy `type` is 'Recreate'" };
}

const VOLUME_SOURCE_LIMIT = 'Forbidden: may not specify more than 1 volume type';

/** So can it leave a volume two sources. */
function volumeRefusals(after: StoredObject): (Refusal | undefined)[] {
  return listAt(after, 'spec', 'template', 'spec', 'volumes').map((volume, index) => {
    const sources = isFields(volume) ? Object.keys(volume).filter((name) => name !== 'name') : [];
    const second = Object.keys(VOLUME).filter((name) => sources.includes(name))[1];
    return second === undefined ? undefined : { path: `spec.template.spec.volumes[${index}].${second}`, message: VOLUME_SOURCE_LIMIT };
  });
}

/** What every write of a workload has to keep to, as far as a merge can break it. */
function workloadRefusals(after: StoredObject, owner: SelectorOwner, { sent }: Writing): (Refusal | undefined)[] {
  return [selectorRefusal(after, owner), labelRefusal(after, sent), ...volumeRefusals(after), ...probeRefusals(after)];
}

const deployment: Update = (before, after, _version, writing) => [
  ...workloadRefusals(after, 'deployment', writing),
  recreateRefusal(after),
  immutable(before, after, 'selector'),
];

const daemonSet: Update = (before, after, _version, writing) => [
  immutable(before, after, 'selector'),
  ...workloadRefusals(after, 'daemonset', writing),
];

const replicaSet: Update = (before, after, _version, writing) => [
  ...workloadRefusals(after, 'deployment', writing),
  immutable(before, after, 'selector'),
];

function mutableOfStatefulSet(version: string): readonly string[] {
  const names = ['replicas', 'ordinals', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy', 'minReadySeconds'];
  return revisionLimitIsMutable(version) ? names.toSpliced(4, 0, 'revisionHistoryLimit') : names;
}

function statefulSetRefusal(before: StoredObject, after: StoredObject, version: string): Refusal | undefined {
  const mutable = mutableOfStatefulSet(version);
  const names = [...new Set([...Object.keys(specOf(before)), ...Object.keys(specOf(after))])].filter((name) => !mutable.includes(name));
  if (names.every((name) => same(specOf(before)[name], specOf(after)[name], fieldOf(after, name)))) return undefined;
  const listed = mutable.map((name) => `'${name}'`);
  return {
    path: 'spec',
    message: `Forbidden: updates to statefulset spec for fields other than ${listed.slice(0, -1).join(', ')} and ${listed.at(-1)!} are forbidden`,
  };
}

function isAtOrBelow(path: string, holder: string): boolean {
  return path === holder || path.startsWith(`${holder}.`) || path.startsWith(`${holder}[`);
}

/** What a refused update asks for, ahead of the rest what it is refused for: of a StatefulSet the server names the whole spec. */
export function refusedFirst({ path }: Refusal, asked: readonly FieldChange[], { kind }: StoredObject, versions: Versions): FieldChange[] {
  const allowed = kind === 'StatefulSet' && path === 'spec' ? mutableOfStatefulSet(versions.kubernetes) : [];
  const isWhy = (field: FieldChange) => isAtOrBelow(field.path, path) && !allowed.some((name) => isAtOrBelow(field.path, `spec.${name}`));
  return asked.toSorted((a, b) => Number(isWhy(b)) - Number(isWhy(a)));
}

function onDeleteRefusal(after: StoredObject): Refusal | undefined {
  const { type, rollingUpdate } = fieldsAt(specOf(after), 'updateStrategy');
  if (type !== 'OnDelete' || !isFields(rollingUpdate)) return undefined;
  const { partition, maxUnavailable = null } = rollingUpdate;
  const shown = JSON.stringify({ Partition: partition ?? 0, MaxUnavailable: maxUnavailable });
  return { path: 'spec.updateStrategy.rollingUpdate', message: `Invalid value: ${shown}: only allowed for updateStrategy 'RollingUpdate'` };
}

const statefulSet: Update = (before, after, version, writing) => [
  onDeleteRefusal(after),
  ...workloadRefusals(after, 'statefulset', writing),
  statefulSetRefusal(before, after, version),
];

/** Fields of a Job's template that may change while it is suspended and has never started. */
const SCHEDULING_FIELDS = ['nodeSelector', 'tolerations', 'affinity', 'schedulingGates'];

function withoutScheduling(template: unknown): Fields {
  const { metadata: _, spec, ...rest } = isFields(template) ? template : {};
  const kept = Object.entries(isFields(spec) ? spec : {}).filter(([name]) => !SCHEDULING_FIELDS.includes(name));
  return { ...rest, spec: Object.fromEntries(kept) };
}

function jobTemplateRefusal(before: StoredObject, after: StoredObject): Refusal | undefined {
  const isSuspended = specOf(before).suspend === true;
  const templates = [specOf(before).template, specOf(after).template].map((template) =>
    isSuspended ? withoutScheduling(template) : template,
  );
  if (sameMeaning(templates[0], templates[1], POD_TEMPLATE_SPEC)) return undefined;
  // The server prints the whole template.
  return { path: 'spec.template', message: 'Invalid value: …: field is immutable' };
}

function completionsRefusal(before: StoredObject, after: StoredObject): Refusal | undefined {
  const [was, is] = [specOf(before), specOf(after)];
  if (was.completions === is.completions) return undefined;
  if (is.completionMode !== 'Indexed') return immutable(before, after, 'completions');
  if (is.completions === is.parallelism && was.completions === was.parallelism) return undefined;
  return {
    path: 'spec.completions',
    message: `Invalid value: ${goJson(is.completions)}: can only be modified in tandem with spec.parallelism`,
  };
}

const job: Update = (before, after) => [
  completionsRefusal(before, after),
  specOf(after).selector === undefined && specOf(before).selector !== undefined
    ? { path: 'spec.selector', message: 'Required value' }
    : undefined,
  immutable(before, after, 'selector'),
  jobTemplateRefusal(before, after),
  ...['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'].map((name) =>
    elided(immutable(before, after, name)),
  ),
];

function addressRefusal(before: StoredObject, after: StoredObject): Refusal | undefined {
  const [was, is] = [specOf(before), specOf(after)];
  if (was.type === 'ExternalName' || is.type === 'ExternalName' || is.clusterIP === undefined || was.clusterIP === is.clusterIP)
    return undefined;
  return { path: 'spec.clusterIPs[0]', message: `Invalid value: ${goJson([is.clusterIP])}: may not change once set` };
}

function headlessRefusal(after: StoredObject): Refusal | undefined {
  const { type, clusterIP } = specOf(after);
  if (clusterIP !== 'None' || (type !== 'NodePort' && type !== 'LoadBalancer')) return undefined;
  return { path: 'spec.clusterIPs[0]', message: `Invalid value: "None": may not be set to 'None' for ${type} services` };
}

function classRefusal(before: StoredObject, after: StoredObject): Refusal | undefined {
  const [was, is] = [specOf(before), specOf(after)];
  if (was.type !== 'LoadBalancer' || is.type !== 'LoadBalancer' || was.loadBalancerClass === is.loadBalancerClass) return undefined;
  return { path: 'spec.loadBalancerClass', message: `Invalid value: ${goJson(is.loadBalancerClass)}: may not change once set` };
}

function healthPortRefusal(before: StoredObject, after: StoredObject): Refusal | undefined {
  const [was, is] = [specOf(before), specOf(after)];
  const isNeeded = [was, is].every((spec) => spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local');
  if (!isNeeded || is.healthCheckNodePort === undefined || was.healthCheckNodePort === is.healthCheckNodePort) return undefined;
  return { path: 'spec.healthCheckNodePort', message: 'Forbidden: field is immutable' };
}

const service: Update = (before, after) => [
  headlessRefusal(after),
  addressRefusal(before, after),
  classRefusal(before, after),
  healthPortRefusal(before, after),
];

const FROZEN = 'Forbidden: field is immutable when `immutable` is set';

function frozen(before: StoredObject, after: StoredObject, names: readonly string[]): (Refusal | undefined)[] {
  if (before.immutable !== true) return [];
  return [
    after.immutable === true ? undefined : { path: 'immutable', message: FROZEN },
    ...names.map((name) => (deepEqual(before[name] ?? {}, after[name] ?? {}) ? undefined : { path: name, message: FROZEN })),
  ];
}

const configMap: Update = (before, after) => frozen(before, after, ['data', 'binaryData']);

const secret: Update = (before, after) => [
  before.type === after.type ? undefined : { path: 'type', message: `Invalid value: ${goJson(after.type)}: field is immutable` },
  ...frozen(before, after, ['data']),
];

function claimSize(object: unknown, ...path: readonly string[]): bigint | undefined {
  return nanosOf(valueAt(object, ...path, 'storage'));
}

/** The size below which a claim does not go: what it has, where the version lets one shrink that has not grown so far. A manifest has what it asks for. */
function shrinkRefusal(before: StoredObject, after: StoredObject, version: string, { live }: Writing): Refusal | undefined {
  const [was, is] = [before, after].map((object) => claimSize(object, 'spec', 'resources', 'requests'));
  if (was === undefined || is === undefined || is >= was) return undefined;
  const path = 'spec.resources.requests.storage';
  if (!claimsRecoverFromGrowth(version)) return { path, message: 'Forbidden: field can not be less than previous value' };
  const has = live ? (claimSize(live, 'status', 'capacity') ?? 0n) : was;
  return is <= has ? { path, message: 'Forbidden: field can not be less than status.capacity' } : undefined;
}

/** A claim may only change its size and class, and that once it is bound; one that is a manifest counts as bound. */
const claim: Update = (before, after, version, writing) => {
  // The volume of a claim is written when it is bound.
  const hasVolume = specOf(before).volumeName !== undefined;
  const mayGrow = writing.live === undefined || hasVolume;
  const rest = ({ spec }: StoredObject) => ({
    ...(isFields(spec) ? spec : {}),
    ...(mayGrow && { resources: undefined, volumeAttributesClassName: undefined }),
    ...(!hasVolume && { volumeName: undefined }),
  });
  return [
    same(rest(before), rest(after), storedKindOf(after)?.fields.spec)
      ? undefined
      : {
          path: 'spec',
          message: 'Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
        },
    shrinkRefusal(before, after, version, writing),
  ];
};

/** Scopes are a set: their order and doubles count for nothing. */
function scopesOf(object: StoredObject): ReadonlySet<unknown> {
  return new Set(listAt(object, 'spec', 'scopes'));
}

const quota: Update = (before, after) => {
  const [was, is] = [scopesOf(before), scopesOf(after)];
  if (was.size === is.size && [...was].every((scope) => is.has(scope))) return [];
  return [{ path: 'spec.scopes', message: `Invalid value: ${goJson(specOf(after).scopes)}: field is immutable` }];
};

function roleText({ apiGroup, kind = '', name = '' }: Fields): string {
  return JSON.stringify({ APIGroup: apiGroup, Kind: kind, Name: name });
}

const roleBinding: Update = (before, after) => [
  deepEqual(before.roleRef, after.roleRef)
    ? undefined
    : { path: 'roleRef', message: `Invalid value: ${roleText(fieldsAt(after, 'roleRef'))}: cannot change roleRef` },
];

/** What of a pod's spec may change: images, a shorter deadline, more tolerations. */
const POD_MUTABLE = ['activeDeadlineSeconds', 'tolerations', 'schedulingGates'];

function podFrozen(spec: Fields): Fields {
  const entries = Object.entries(spec).filter(([name]) => !POD_MUTABLE.includes(name));
  const imageless = (list: unknown) =>
    Array.isArray(list) ? list.map((item: unknown) => (isFields(item) ? { ...item, image: undefined } : item)) : list;
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name === 'containers' || name === 'initContainers' ? imageless(value) : value]),
  );
}

const pod: Update = (before, after) => {
  const [was, is] = [specOf(before), specOf(after)];
  if (listAt(was, 'containers').length !== listAt(is, 'containers').length) {
    return [{ path: 'spec.containers', message: 'Forbidden: pod updates may not add or remove containers' }];
  }
  if (deepEqual(podFrozen(was), podFrozen(is))) return [];
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

const WORKLOADS: Readonly<Record<WorkloadName, Update>> = { Deployment: deployment, StatefulSet: statefulSet, DaemonSet: daemonSet };

const UPDATES: Readonly<Record<string, Update>> = {
  ...byApi(WORKLOADS),
  'apps/v1/ReplicaSet': replicaSet,
  'v1/Pod': pod,
  'batch/v1/Job': job,
  'v1/Service': service,
  'v1/ConfigMap': configMap,
  'v1/Secret': secret,
  'v1/PersistentVolumeClaim': claim,
  'v1/ResourceQuota': quota,
  'rbac.authorization.k8s.io/v1/RoleBinding': roleBinding,
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': roleBinding,
};

/** What the server says to an update of an object, the first of its reasons; undefined where it takes it. */
export function refusal(before: StoredObject, after: StoredObject, versions: Versions, writing: Writing): Refusal | undefined {
  const update = UPDATES[`${after.apiVersion}/${after.kind}`];
  return update?.(before, after, versions.kubernetes, writing).find((found) => found !== undefined);
}
