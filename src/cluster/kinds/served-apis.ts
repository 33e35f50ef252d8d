import { groupOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { isAtLeast } from '../../core/values/versions';

/** The versions of Kubernetes that serve an apiVersion. */
interface ServedSpan {
  /** First version that serves it. @default - all known versions do, up to `until` */
  readonly since?: string;
  /** First version that no longer serves it. @default - it is still served */
  readonly until?: string;
}

const UNTIL_1_16: ServedSpan = { until: '1.16' };
const UNTIL_1_22: ServedSpan = { until: '1.22' };
const UNTIL_1_25: ServedSpan = { until: '1.25' };

/** Lists kinds of one group whose first beta ended with a version of Kubernetes. */
function listKinds(
  group: string,
  beta: ServedSpan,
  stable: ServedSpan,
  ...kinds: readonly string[]
): Record<string, Record<string, ServedSpan>> {
  return Object.fromEntries(kinds.map((kind) => [kind, { [`${group}/v1`]: stable, [`${group}/v1beta1`]: beta }]));
}

/**
 * Every apiVersion of a kind, the current one first. Kinds whose beta some clusters turn on are left out.
 *
 * Source: the deprecation guide at kubernetes.io/docs/reference/using-api/deprecation-guide, k/k pkg/controlplane/storageversionhashdata.
 */
const SERVED_VERSIONS: Readonly<Record<string, Readonly<Record<string, ServedSpan>>>> = {
  Deployment: { 'apps/v1': {}, 'apps/v1beta2': UNTIL_1_16, 'apps/v1beta1': UNTIL_1_16, 'extensions/v1beta1': UNTIL_1_16 },
  StatefulSet: { 'apps/v1': {}, 'apps/v1beta2': UNTIL_1_16, 'apps/v1beta1': UNTIL_1_16 },
  DaemonSet: { 'apps/v1': {}, 'apps/v1beta2': UNTIL_1_16, 'extensions/v1beta1': UNTIL_1_16 },
  ReplicaSet: { 'apps/v1': {}, 'apps/v1beta2': UNTIL_1_16, 'extensions/v1beta1': UNTIL_1_16 },
  PodDisruptionBudget: { 'policy/v1': { since: '1.21' }, 'policy/v1beta1': { until: '1.25' } },
  HorizontalPodAutoscaler: {
    'autoscaling/v2': { since: '1.23' },
    'autoscaling/v1': {},
    'autoscaling/v2beta2': { until: '1.26' },
    'autoscaling/v2beta1': { until: '1.25' },
  },
  ConfigMap: { v1: {} },
  Secret: { v1: {} },
  Service: { v1: {} },
  ServiceAccount: { v1: {} },
  PersistentVolumeClaim: { v1: {} },
  Namespace: { v1: {} },
  Job: { 'batch/v1': {} },
  CronJob: { 'batch/v1': { since: '1.21' }, 'batch/v1beta1': UNTIL_1_25 },
  Ingress: { 'networking.k8s.io/v1': { since: '1.19' }, 'networking.k8s.io/v1beta1': UNTIL_1_22, 'extensions/v1beta1': UNTIL_1_22 },
  NetworkPolicy: { 'networking.k8s.io/v1': {}, 'extensions/v1beta1': UNTIL_1_16 },
  ...listKinds('networking.k8s.io', UNTIL_1_22, { since: '1.19' }, 'IngressClass'),
  ...listKinds('rbac.authorization.k8s.io', UNTIL_1_22, {}, 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'),
  ...listKinds('apiextensions.k8s.io', UNTIL_1_22, { since: '1.16' }, 'CustomResourceDefinition'),
  ...listKinds(
    'admissionregistration.k8s.io',
    UNTIL_1_22,
    { since: '1.16' },
    'MutatingWebhookConfiguration',
    'ValidatingWebhookConfiguration',
  ),
  ...listKinds('apiregistration.k8s.io', UNTIL_1_22, {}, 'APIService'),
  ...listKinds('certificates.k8s.io', UNTIL_1_22, { since: '1.19' }, 'CertificateSigningRequest'),
  ...listKinds('coordination.k8s.io', UNTIL_1_22, {}, 'Lease'),
  ...listKinds('scheduling.k8s.io', UNTIL_1_22, {}, 'PriorityClass'),
  ...listKinds('storage.k8s.io', UNTIL_1_22, {}, 'StorageClass'),
  ...listKinds('discovery.k8s.io', UNTIL_1_25, { since: '1.21' }, 'EndpointSlice'),
  ...listKinds('node.k8s.io', UNTIL_1_25, { since: '1.20' }, 'RuntimeClass'),
};

/** Groups of these kinds. A kind of the same name in another group is unrelated. */
const KNOWN_GROUPS: ReadonlySet<string> = new Set(
  Object.values(SERVED_VERSIONS).flatMap((versions) => Object.keys(versions).map((apiVersion) => groupOf({ apiVersion }))),
);

/** Why an apiVersion is not served, and which one is. */
export interface UnservedApi {
  /** First version of Kubernetes that no longer serves it. */
  readonly until?: string;
  /** First version of Kubernetes that serves it. */
  readonly since?: string;
  /** An apiVersion of the kind that the planned version serves. */
  readonly served: string;
}

function isServed({ since, until }: ServedSpan, version: string): boolean {
  return (since === undefined || isAtLeast(version, since)) && (until === undefined || !isAtLeast(version, until));
}

/**
 * Returns why an apiVersion is not served. Returns undefined if this version of Kubernetes serves it, or if nothing is known of the kind.
 */
export function explainNotServed({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>, version: string): UnservedApi | undefined {
  const versions = Object.hasOwn(SERVED_VERSIONS, kind) ? SERVED_VERSIONS[kind]! : undefined;
  const group = groupOf({ apiVersion });
  // A value without a slash belongs to the core group, or is a mistake of another kind.
  const isKnown = versions !== undefined && (group === '' ? Object.hasOwn(versions, 'v1') : KNOWN_GROUPS.has(group));
  if (!isKnown) return undefined;
  const span = versions[apiVersion];
  if (span !== undefined && isServed(span, version)) return undefined;
  const served = Object.keys(versions).find((candidate) => isServed(versions[candidate]!, version))!;
  return { ...span, served };
}
