import { containerDefaultsOf } from '../../cluster/limit-range';
import { base64Of } from '../../core/bytes';
import { fieldsAt, isFields, listAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { valueSince } from '../../core/versions';
import { MAX_UNAVAILABLE_GATE } from '../../workloads/statefulset/versions';
import { podSpecFilled, templateMetadataFilled } from './pod-defaults';

/* What the API server fills in of a whole object by what else stands in it. Source: k/k pkg/apis/<group>/<version>/defaults.go at 1.34. */

/** A decoded object, and the same as it was sent. */
export type Fill = (decoded: Fields, sent: Fields, version: string) => Fields;

/** The object with another spec. */
function withSpec(object: Fields, change: (spec: Fields) => Fields): Fields {
  return { ...object, spec: change(fieldsAt(object, 'spec')) };
}

function templateFilled(template: Fields, sent: unknown, version: string): Fields {
  return {
    ...template,
    metadata: templateMetadataFilled(fieldsAt(template, 'metadata')),
    spec: podSpecFilled(fieldsAt(template, 'spec'), fieldsAt(sent, 'spec'), version),
  };
}

function withTemplate(object: Fields, sent: Fields, version: string): Fields {
  return withSpec(object, (spec) => ({
    ...spec,
    template: templateFilled(fieldsAt(spec, 'template'), fieldsAt(sent, 'spec', 'template'), version),
  }));
}

const QUARTERS = { maxUnavailable: '25%', maxSurge: '25%' };

export const deploymentFilled: Fill = (object, sent, version) =>
  withSpec(withTemplate(object, sent, version), (spec) => {
    const strategy = fieldsAt(spec, 'strategy');
    if (strategy.type !== 'RollingUpdate') return spec;
    return { ...spec, strategy: { ...strategy, rollingUpdate: { ...QUARTERS, ...fieldsAt(strategy, 'rollingUpdate') } } };
  });

/** With its gate off the server drops how many may be unavailable. */
function withoutUnavailable(rollingUpdate: Fields, version: string): Fields {
  if (valueSince<boolean>(MAX_UNAVAILABLE_GATE, version)) return rollingUpdate;
  const { maxUnavailable: _, ...rest } = rollingUpdate;
  return rest;
}

/** Its rollingUpdate is made where no type was named, and its partition where it is there under that type. */
export const statefulSetFilled: Fill = (object, sent, version) =>
  withSpec(withTemplate(object, sent, version), (spec) => {
    const strategy = fieldsAt(spec, 'updateStrategy');
    const isTyped = Boolean(fieldsAt(sent, 'spec', 'updateStrategy').type);
    if (strategy.type !== 'RollingUpdate' || (isTyped && !isFields(strategy.rollingUpdate))) return { ...spec, ...claimsFilled(spec) };
    return {
      ...spec,
      ...claimsFilled(spec),
      updateStrategy: { ...strategy, rollingUpdate: { partition: 0, ...withoutUnavailable(fieldsAt(strategy, 'rollingUpdate'), version) } },
    };
  });

function claimsFilled(spec: Fields): Fields {
  if (!Array.isArray(spec.volumeClaimTemplates)) return {};
  return {
    volumeClaimTemplates: spec.volumeClaimTemplates.map((claim: unknown) =>
      isFields(claim) ? { ...claim, apiVersion: 'v1', kind: 'PersistentVolumeClaim' } : claim,
    ),
  };
}

export const daemonSetFilled: Fill = (object, sent, version) =>
  withSpec(withTemplate(object, sent, version), (spec) => {
    const strategy = fieldsAt(spec, 'updateStrategy');
    if (strategy.type !== 'RollingUpdate') return spec;
    return {
      ...spec,
      updateStrategy: { ...strategy, rollingUpdate: { maxUnavailable: 1, maxSurge: 0, ...fieldsAt(strategy, 'rollingUpdate') } },
    };
  });

export const replicaSetFilled: Fill = withTemplate;

/** A pod gets what its template does not: requests from limits, and what admission adds is not known here. */
export const podFilled: Fill = (object, sent, version) =>
  withSpec(object, (spec) => {
    const filled = podSpecFilled(spec, fieldsAt(sent, 'spec'), version);
    return { enableServiceLinks: true, ...filled, containers: listAt(filled, 'containers').map(requestsFilled) };
  });

function requestsFilled(container: unknown): unknown {
  const limits = fieldsAt(container, 'resources', 'limits');
  if (!isFields(container) || Object.keys(limits).length === 0) return container;
  const resources = fieldsAt(container, 'resources');
  return { ...container, resources: { ...resources, requests: { ...limits, ...fieldsAt(resources, 'requests') } } };
}

function completionsFilled(spec: Fields): Fields {
  if (spec.completions === undefined && spec.parallelism === undefined) return { completions: 1, parallelism: 1 };
  return spec.parallelism === undefined ? { parallelism: 1 } : {};
}

const LARGEST_INT32 = 2_147_483_647;

export const jobFilled: Fill = (object, sent, version) => {
  const filled = withSpec(withTemplate(object, sent, version), (spec) => ({
    backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : LARGEST_INT32,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed',
    manualSelector: false,
    ...spec,
    ...completionsFilled(spec),
  }));
  const metadata = fieldsAt(filled, 'metadata');
  const labels = fieldsAt(filled, 'spec', 'template', 'metadata', 'labels');
  if (isFields(metadata.labels) || Object.keys(labels).length === 0) return filled;
  return { ...filled, metadata: { ...metadata, labels } };
};

export const cronJobFilled: Fill = (object, sent, version) =>
  withSpec(object, (spec) => ({
    ...spec,
    jobTemplate: withTemplate(fieldsAt(spec, 'jobTemplate'), fieldsAt(sent, 'spec', 'jobTemplate'), version),
  }));

function portFilled(port: unknown): unknown {
  if (!isFields(port)) return port;
  return port.targetPort === undefined ? { ...port, targetPort: port.port } : port;
}

/** What a Service's type gives it. Addresses and node ports are drawn by the server, and are not known here. */
function typeFilled(spec: Fields): Fields {
  const isOutside = spec.type === 'NodePort' || spec.type === 'LoadBalancer' || Array.isArray(spec.externalIPs);
  return {
    ...(spec.type !== 'ExternalName' && { internalTrafficPolicy: 'Cluster' }),
    ...(isOutside && { externalTrafficPolicy: 'Cluster' }),
    ...(spec.type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: true }),
  };
}

function affinityFilled(spec: Fields): Fields {
  const { sessionAffinityConfig, ...rest } = spec;
  if (spec.sessionAffinity !== 'ClientIP') return rest;
  return { ...rest, sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800, ...fieldsAt(sessionAffinityConfig, 'clientIP') } } };
}

function addressesFilled(spec: Fields): Fields {
  if (spec.clusterIP === undefined || Array.isArray(spec.clusterIPs)) return {};
  return { clusterIPs: [spec.clusterIP] };
}

export const serviceFilled: Fill = (object) =>
  withSpec(object, (spec) => ({
    ...typeFilled(spec),
    ...affinityFilled(spec),
    ...addressesFilled(spec),
    ...(Array.isArray(spec.ports) && { ports: spec.ports.map(portFilled) }),
  }));

const SCALE_UP = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const SCALE_DOWN = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };
const CPU_AT_80 = [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }];

export const autoscalerFilled: Fill = (object) =>
  withSpec(object, (spec) => ({
    ...spec,
    ...(listAt(spec, 'metrics').length === 0 && { metrics: CPU_AT_80 }),
    ...(isFields(spec.behavior) && {
      behavior: {
        scaleUp: { ...SCALE_UP, ...fieldsAt(spec.behavior, 'scaleUp') },
        scaleDown: { ...SCALE_DOWN, ...fieldsAt(spec.behavior, 'scaleDown') },
      },
    }),
  }));

export const limitRangeFilled: Fill = (object) =>
  withSpec(object, (spec) => ({
    ...spec,
    ...(Array.isArray(spec.limits) && { limits: spec.limits.map(limitsFilled) }),
  }));

function limitsFilled(item: unknown): unknown {
  if (!isFields(item) || item.type !== 'Container') return item;
  const { limits, requests } = containerDefaultsOf(item);
  const filled = { default: limits, defaultRequest: requests };
  return { ...item, ...Object.fromEntries(Object.entries(filled).filter(([, amounts]) => Object.keys(amounts).length > 0)) };
}

function base64(text: unknown): unknown {
  return typeof text === 'string' ? base64Of(text) : text;
}

/** stringData goes into data. */
export const secretFilled: Fill = (object) => {
  const { stringData, ...rest } = object;
  if (!isFields(stringData)) return rest;
  const encoded = Object.entries(stringData).map(([name, text]) => [name, base64(text)]);
  return { ...rest, data: { ...fieldsAt(rest, 'data'), ...Object.fromEntries(encoded) } };
};

/** What a rule of RBAC leaves out of its role and its subjects. */
export const roleBindingFilled: Fill = (object) => ({
  ...object,
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', ...fieldsAt(object, 'roleRef') },
  ...(Array.isArray(object.subjects) && { subjects: object.subjects.map(subjectFilled) }),
});

function subjectFilled(subject: unknown): unknown {
  if (!isFields(subject) || subject.kind === 'ServiceAccount') return subject;
  return { apiGroup: 'rbac.authorization.k8s.io', ...subject };
}

/** What a claim can be made from; the server drops any other dataSource. Source: k/k pkg/api/persistentvolumeclaim/util.go. */
const DATA_SOURCES: readonly (readonly [group: unknown, kind: unknown])[] = [
  [undefined, 'PersistentVolumeClaim'],
  ['', 'PersistentVolumeClaim'],
  ['snapshot.storage.k8s.io', 'VolumeSnapshot'],
];

function isDataSource(source: unknown): boolean {
  const { apiGroup, kind } = fieldsAt({ source }, 'source');
  return DATA_SOURCES.some(([group, known]) => group === apiGroup && known === kind);
}

/** A claim's dataSource and dataSourceRef are one. Source: there, `EnforceDataSourceBackwardsCompatibility` and `NormalizeDataSources`. */
export const claimFilled: Fill = (object) =>
  withSpec(object, (spec) => {
    const { dataSource: given, dataSourceRef: reference, ...rest } = spec;
    const isDropped = reference === undefined && !isDataSource(given);
    const isCopied = reference !== undefined && !fieldsAt({ reference }, 'reference').namespace;
    const dataSource = (isDropped ? undefined : given) ?? (isCopied ? reference : undefined);
    const dataSourceRef = reference ?? dataSource;
    return { ...rest, ...(dataSource !== undefined && { dataSource }), ...(dataSourceRef !== undefined && { dataSourceRef }) };
  });
