import { containerDefaultsOf } from '../../cluster/capacity/admission/limit-range';
import { encodeBase64 } from '../../core/values/bytes';
import { getFieldsAt, isFields, getListAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { getValueAtVersion } from '../../core/values/versions';
import { MAX_UNAVAILABLE_GATE } from '../../workloads/statefulset/versions';
import type { FieldGates } from './field-gates';
import { defaultPodSpec, dropObsoleteAnnotations } from './pod-defaults';

/* Defaults that the API server fills in depending on other fields of the object. Source: k/k pkg/apis/<group>/<version>/defaults.go at 1.34. */

/** Fills in the defaults of a decoded object; `sent` is the same object before it is decoded. */
export type Defaulter = (decoded: Fields, sent: Fields, gates: FieldGates) => Fields;

/** Returns the object with a changed spec. */
function withChangedSpec(object: Fields, change: (spec: Fields) => Fields): Fields {
  return { ...object, spec: change(getFieldsAt(object, 'spec')) };
}

function defaultTemplate(template: Fields, sent: unknown, gates: FieldGates): Fields {
  return {
    ...template,
    metadata: dropObsoleteAnnotations(getFieldsAt(template, 'metadata')),
    spec: defaultPodSpec(getFieldsAt(template, 'spec'), getFieldsAt(sent, 'spec'), gates),
  };
}

function withTemplateDefaults(object: Fields, sent: Fields, gates: FieldGates): Fields {
  return withChangedSpec(object, (spec) => ({
    ...spec,
    template: defaultTemplate(getFieldsAt(spec, 'template'), getFieldsAt(sent, 'spec', 'template'), gates),
  }));
}

const DEFAULT_ROLLING_UPDATE = { maxUnavailable: '25%', maxSurge: '25%' };

export const defaultDeployment: Defaulter = (object, sent, gates) =>
  withChangedSpec(withTemplateDefaults(object, sent, gates), (spec) => {
    const strategy = getFieldsAt(spec, 'strategy');
    if (strategy.type !== 'RollingUpdate') return spec;
    return { ...spec, strategy: { ...strategy, rollingUpdate: { ...DEFAULT_ROLLING_UPDATE, ...getFieldsAt(strategy, 'rollingUpdate') } } };
  });

/** Drops maxUnavailable if its feature gate is off, as the server does. */
function dropGatedMaxUnavailable(rollingUpdate: Fields, { version, keepsDisabled }: FieldGates): Fields {
  if (rollingUpdate.maxUnavailable === undefined || getValueAtVersion<boolean>(MAX_UNAVAILABLE_GATE, version)) return rollingUpdate;
  if (keepsDisabled('MaxUnavailableStatefulSet')) return rollingUpdate;
  const { maxUnavailable: _, ...rest } = rollingUpdate;
  return rest;
}

/** Fills in rollingUpdate if no type is set. If the type RollingUpdate is set, fills in partition only if rollingUpdate is present. */
export const defaultStatefulSet: Defaulter = (object, sent, gates) =>
  withChangedSpec(withTemplateDefaults(object, sent, gates), (spec) => {
    const strategy = getFieldsAt(spec, 'updateStrategy');
    const isTyped = Boolean(getFieldsAt(sent, 'spec', 'updateStrategy').type);
    if (strategy.type !== 'RollingUpdate' || (isTyped && !isFields(strategy.rollingUpdate)))
      return { ...spec, ...defaultClaimTemplates(spec) };
    return {
      ...spec,
      ...defaultClaimTemplates(spec),
      updateStrategy: {
        ...strategy,
        rollingUpdate: { partition: 0, ...dropGatedMaxUnavailable(getFieldsAt(strategy, 'rollingUpdate'), gates) },
      },
    };
  });

function defaultClaimTemplates(spec: Fields): Fields {
  if (!Array.isArray(spec.volumeClaimTemplates)) return {};
  return {
    volumeClaimTemplates: spec.volumeClaimTemplates.map((claim: unknown) =>
      isFields(claim) ? { ...claim, apiVersion: 'v1', kind: 'PersistentVolumeClaim' } : claim,
    ),
  };
}

export const defaultDaemonSet: Defaulter = (object, sent, gates) =>
  withChangedSpec(withTemplateDefaults(object, sent, gates), (spec) => {
    const strategy = getFieldsAt(spec, 'updateStrategy');
    if (strategy.type !== 'RollingUpdate') return spec;
    return {
      ...spec,
      updateStrategy: { ...strategy, rollingUpdate: { maxUnavailable: 1, maxSurge: 0, ...getFieldsAt(strategy, 'rollingUpdate') } },
    };
  });

export const defaultReplicaSet: Defaulter = withTemplateDefaults;

/** Fills in the defaults of a Pod. Unlike a template, it gets requests from limits. What admission adds is not known here. */
export const defaultPod: Defaulter = (object, sent, gates) =>
  withChangedSpec(object, (spec) => {
    const defaulted = defaultPodSpec(spec, getFieldsAt(sent, 'spec'), gates);
    return { enableServiceLinks: true, ...defaulted, containers: getListAt(defaulted, 'containers').map(defaultRequests) };
  });

function defaultRequests(container: unknown): unknown {
  const limits = getFieldsAt(container, 'resources', 'limits');
  if (!isFields(container) || Object.keys(limits).length === 0) return container;
  const resources = getFieldsAt(container, 'resources');
  return { ...container, resources: { ...resources, requests: { ...limits, ...getFieldsAt(resources, 'requests') } } };
}

function defaultCompletions(spec: Fields): Fields {
  if (spec.completions === undefined && spec.parallelism === undefined) return { completions: 1, parallelism: 1 };
  return spec.parallelism === undefined ? { parallelism: 1 } : {};
}

const MAX_INT32 = 2_147_483_647;

export const defaultJob: Defaulter = (object, sent, gates) => {
  const defaulted = withChangedSpec(withTemplateDefaults(object, sent, gates), (spec) => ({
    backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : MAX_INT32,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed',
    manualSelector: false,
    ...spec,
    ...defaultCompletions(spec),
  }));
  const metadata = getFieldsAt(defaulted, 'metadata');
  const labels = getFieldsAt(defaulted, 'spec', 'template', 'metadata', 'labels');
  if (isFields(metadata.labels) || Object.keys(labels).length === 0) return defaulted;
  return { ...defaulted, metadata: { ...metadata, labels } };
};

export const defaultCronJob: Defaulter = (object, sent, gates) =>
  withChangedSpec(object, (spec) => ({
    ...spec,
    jobTemplate: withTemplateDefaults(getFieldsAt(spec, 'jobTemplate'), getFieldsAt(sent, 'spec', 'jobTemplate'), gates),
  }));

function defaultTargetPort(port: unknown): unknown {
  if (!isFields(port)) return port;
  return port.targetPort === undefined ? { ...port, targetPort: port.port } : port;
}

/** Returns the traffic policies that the type of a Service implies. The server allocates addresses and node ports; they are not known here. */
function defaultTrafficPolicies(spec: Fields): Fields {
  const isOutside = spec.type === 'NodePort' || spec.type === 'LoadBalancer' || Array.isArray(spec.externalIPs);
  return {
    ...(spec.type !== 'ExternalName' && { internalTrafficPolicy: 'Cluster' }),
    ...(isOutside && { externalTrafficPolicy: 'Cluster' }),
    ...(spec.type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: true }),
  };
}

function defaultSessionAffinity(spec: Fields): Fields {
  const { sessionAffinityConfig, ...rest } = spec;
  if (spec.sessionAffinity !== 'ClientIP') return rest;
  return { ...rest, sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800, ...getFieldsAt(sessionAffinityConfig, 'clientIP') } } };
}

function defaultClusterIPs(spec: Fields): Fields {
  if (spec.clusterIP === undefined || Array.isArray(spec.clusterIPs)) return {};
  return { clusterIPs: [spec.clusterIP] };
}

export const defaultService: Defaulter = (object) =>
  withChangedSpec(object, (spec) => ({
    ...defaultTrafficPolicies(spec),
    ...defaultSessionAffinity(spec),
    ...defaultClusterIPs(spec),
    ...(Array.isArray(spec.ports) && { ports: spec.ports.map(defaultTargetPort) }),
  }));

const DEFAULT_SCALE_UP = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const DEFAULT_SCALE_DOWN = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };
const DEFAULT_METRICS = [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }];

export const defaultAutoscaler: Defaulter = (object) =>
  withChangedSpec(object, (spec) => ({
    ...spec,
    ...(getListAt(spec, 'metrics').length === 0 && { metrics: DEFAULT_METRICS }),
    ...(isFields(spec.behavior) && {
      behavior: {
        scaleUp: { ...DEFAULT_SCALE_UP, ...getFieldsAt(spec.behavior, 'scaleUp') },
        scaleDown: { ...DEFAULT_SCALE_DOWN, ...getFieldsAt(spec.behavior, 'scaleDown') },
      },
    }),
  }));

export const defaultLimitRange: Defaulter = (object) =>
  withChangedSpec(object, (spec) => ({
    ...spec,
    ...(Array.isArray(spec.limits) && { limits: spec.limits.map(defaultLimits) }),
  }));

function defaultLimits(item: unknown): unknown {
  if (!isFields(item) || item.type !== 'Container') return item;
  const { limits, requests } = containerDefaultsOf(item);
  const defaulted = { default: limits, defaultRequest: requests };
  return { ...item, ...Object.fromEntries(Object.entries(defaulted).filter(([, amounts]) => Object.keys(amounts).length > 0)) };
}

function encodeIfString(text: unknown): unknown {
  return typeof text === 'string' ? encodeBase64(text) : text;
}

/** Encodes stringData into data. */
export const defaultSecret: Defaulter = (object) => {
  const { stringData, ...rest } = object;
  if (!isFields(stringData)) return rest;
  const encoded = Object.entries(stringData).map(([name, text]) => [name, encodeIfString(text)]);
  return { ...rest, data: { ...getFieldsAt(rest, 'data'), ...Object.fromEntries(encoded) } };
};

/** Fills in the API groups that a role binding omits in its role and its subjects. */
export const defaultRoleBinding: Defaulter = (object) => ({
  ...object,
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', ...getFieldsAt(object, 'roleRef') },
  ...(Array.isArray(object.subjects) && { subjects: object.subjects.map(defaultSubject) }),
});

function defaultSubject(subject: unknown): unknown {
  if (!isFields(subject) || subject.kind === 'ServiceAccount') return subject;
  return { apiGroup: 'rbac.authorization.k8s.io', ...subject };
}

/** Sources that a claim can be created from. The server drops any other dataSource. Source: k/k pkg/api/persistentvolumeclaim/util.go. */
const ALLOWED_DATA_SOURCES: readonly (readonly [group: unknown, kind: unknown])[] = [
  [undefined, 'PersistentVolumeClaim'],
  ['', 'PersistentVolumeClaim'],
  ['snapshot.storage.k8s.io', 'VolumeSnapshot'],
];

function isAllowedDataSource(source: unknown): boolean {
  const { apiGroup, kind } = getFieldsAt({ source }, 'source');
  return ALLOWED_DATA_SOURCES.some(([group, known]) => group === apiGroup && known === kind);
}

/** Copies dataSource and dataSourceRef of a claim to each other. Source: k/k pkg/api/persistentvolumeclaim/util.go, `EnforceDataSourceBackwardsCompatibility` and `NormalizeDataSources`. */
export const defaultPersistentVolumeClaim: Defaulter = (object) =>
  withChangedSpec(object, (spec) => {
    const { dataSource: sentSource, dataSourceRef: reference, ...rest } = spec;
    const isDropped = reference === undefined && !isAllowedDataSource(sentSource);
    const isCopied = reference !== undefined && !getFieldsAt({ reference }, 'reference').namespace;
    const dataSource = (isDropped ? undefined : sentSource) ?? (isCopied ? reference : undefined);
    const dataSourceRef = reference ?? dataSource;
    return { ...rest, ...(dataSource !== undefined && { dataSource }), ...(dataSourceRef !== undefined && { dataSourceRef }) };
  });
