import { isFields } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { PathPart } from '../../core/field-path';
import { parseQuantityNanos, NANOS_PER_UNIT } from '../../core/quantity';

function splitWords(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/**
 * Maps that say something though they are empty: Go holds them by a pointer, so its JSON tells `{}` from nothing.
 *
 * Other maps (`resources`, `nodeSelector`, `labels`) are left out of the JSON when they are empty.
 * Source: k8s.io/api v0.35.0 core/v1 and KubeRay v1.6.2 apis/ray/v1; rayStartParams is a map without `omitempty`.
 */
const POINTER_MAPS = splitWords(`
  affinity appArmorProfile authOptions autoscalerOptions awsElasticBlockStore azureDisk azureFile capabilities cephfs cinder clientIP
  clusterTrustBundle collectorOptions configMap configMapKeyRef configMapRef csi dataSource dataSourceRef dnsConfig downwardAPI emptyDir
  ephemeral exec exitCodes fc fieldRef fileKeyRef flexVolume flocker gcePersistentDisk gcsFaultToleranceOptions gitRepo glusterfs grpc head
  headService historyServerOptions hostPath httpGet image ingressOptions iscsi labelSelector lifecycle livenessProbe namespaceSelector
  networkPolicy nfs nodeAffinity nodePublishSecretRef os persistentVolumeClaim photonPersistentDisk podAffinity podAntiAffinity
  podCertificate portworxVolume postStart preStop projected quobyte rayStartParams rbd readinessProbe redisPassword redisUsername
  requiredDuringSchedulingIgnoredDuringExecution resourceFieldRef scaleIO seLinuxOptions seccompProfile secret secretKeyRef secretRef
  securityContext serviceAccountToken sessionAffinityConfig sleep startupProbe storage storageos tcpSocket tlsOptions valueFrom
  volumeClaimTemplate vsphereVolume windowsOptions worker workloadRef`);

/** Numbers, flags and text that say something at 0, false and "": Go holds them by a pointer. Same sources. */
const POINTER_SCALARS = splitWords(`
  activeDeadlineSeconds allocateLoadBalancerNodePorts allowPrivilegeEscalation apiGroup appProtocol automountServiceAccountToken cachingMode
  defaultMode enableInTreeAutoscaling enableIngress enableK8sTokenAuth enableServiceLinks expirationSeconds fsGroup fsGroupChangePolicy
  gmsaCredentialSpec gmsaCredentialSpecName hostnameOverride hostProcess hostUsers idleTimeoutSeconds initiatorName internalTrafficPolicy
  intervalSeconds ipFamilyPolicy loadBalancerClass localhostProfile managedBy maxExpirationSeconds maxReplicas maxSurgePercent minDomains minReplicas mountPropagation
  nodeAffinityPolicy nodeTaintsPolicy optional preemptionPolicy priority privileged procMount
  rayClusterDeletionDelaySeconds readOnlyRootFilesystem recursiveReadOnly
  replicas resourceClaimName resourceClaimTemplateName runAsGroup runAsNonRoot runAsUser runAsUserName runtimeClassName seLinuxChangePolicy
  setHostnameAsFQDN shareProcessNamespace sizeLimit stepSizePercent stopSignal storageClassName supplementalGroupsPolicy suspend
  terminationGracePeriodSeconds tolerationSeconds trafficDistribution upscalingMode version volumeAttributesClassName volumeMode`);

/** Lists whose JSON tells an empty one from none. */
const LISTS_ENCODED_WHEN_EMPTY = splitWords('containers monitors nodeSelectorTerms sources');

/** Fields that are pointers in some holders alone: the field, and the fields that hold it. */
const POINTERS_BY_HOLDER: Readonly<Record<string, ReadonlySet<string>>> = {
  fsType: splitWords('azureDisk csi'),
  image: splitWords('autoscalerOptions collectorOptions'),
  imagePullPolicy: splitWords('autoscalerOptions'),
  kind: splitWords('azureDisk'),
  lun: splitWords('fc'),
  mode: splitWords('items networkPolicy'),
  name: splitWords('clusterTrustBundle'),
  namespace: splitWords('dataSourceRef'),
  readOnly: splitWords('azureDisk csi'),
  resources: splitWords('autoscalerOptions collectorOptions'),
  restartPolicy: splitWords('containers initContainers ephemeralContainers'),
  secretName: splitWords('authOptions'),
  signerName: splitWords('clusterTrustBundle'),
  timeoutSeconds: splitWords('clientIP'),
  type: splitWords('hostPath'),
  value: splitWords('options'),
};

/** Maps whose keys are the user's own: each entry counts, whatever its value is. */
const USER_KEYED_MAPS = splitWords(`
  annotations headServiceAnnotations labels matchLabels nodeSelector rayStartParams userAnnotations volumeAttributes limits requests overhead`);

/** What the API server fills in, by the field that holds it. Source: the defaults in the CRDs of KubeRay v1.5.1 and v1.7.0. */
const CRD_DEFAULTS: Readonly<Record<string, Fields>> = {
  workerGroupSpecs: { numOfHosts: 1, priority: 0 },
  ports: { protocol: 'TCP' },
  fileKeyRef: { optional: false },
  azureDisk: { fsType: 'ext4', readOnly: false },
  iscsi: { iscsiInterface: 'default' },
  rbd: { keyring: '/etc/ceph/keyring', pool: 'rbd', user: 'admin' },
  scaleIO: { fsType: 'xfs', storageMode: 'ThinProvisioned' },
  networkPolicy: { mode: 'DenyAll' },
  clusterUpgradeOptions: { maxSurgePercent: 100 },
};

/** The last names on the way to a value, list positions apart: `containers` holds `image` in `….containers[0].image`. */
function lastNamesOf(parts: readonly PathPart[]): readonly [name: string | undefined, holder: string | undefined] {
  const names = parts.filter((part): part is string => typeof part === 'string');
  return [names.at(-1), names.at(-2)];
}

/** Is this a field of a worker or head group that holds text by names of the user: Ray's logical resources? */
function isGroupResources(parts: readonly PathPart[]): boolean {
  if (parts.at(-1) !== 'resources') return false;
  return parts.length === 2 ? parts[0] === 'headGroupSpec' : parts.length === 3 && parts[0] === 'workerGroupSpecs';
}

/** Are the keys of the map at this place the user's own? */
function isUserKeyedMap(parts: readonly PathPart[]): boolean {
  const last = parts.at(-1);
  if (typeof last !== 'string') return false;
  // The selector of a Service is labels; the other selectors are structs.
  return USER_KEYED_MAPS.has(last) || isGroupResources(parts) || (last === 'selector' && parts.includes('headService'));
}

/** What a table says of a name that anybody may have written: of `constructor` and `__proto__` nothing. */
function getOwn<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Does a field of a rayClusterConfig, by its place, say something where its value is empty: `{}`, `[]`, 0, false or ""? */
export function isEncodedWhenEmpty(value: unknown, parts: readonly PathPart[]): boolean {
  const last = parts.at(-1);
  if (typeof last === 'number' || isUserKeyedMap(parts.slice(0, -1))) return true;
  const [name = '', holder = ''] = lastNamesOf(parts);
  if (Array.isArray(value)) return LISTS_ENCODED_WHEN_EMPTY.has(name);
  const inHolder = getOwn(POINTERS_BY_HOLDER, name);
  // The resources of a whole pod are a pointer, those of a container are not.
  if (name === 'resources' && parts.at(-3) === 'template') return true;
  if (name === 'selector') return !parts.includes('headService');
  if (isFields(value)) return inHolder && name !== 'image' ? inHolder.has(holder) : POINTER_MAPS.has(name);
  return inHolder ? inHolder.has(holder) : POINTER_SCALARS.has(name);
}

/** Is this value the zero of its type, which Go leaves out where it is not a pointer? */
export function isZero(value: unknown, parts: readonly PathPart[]): boolean {
  return value === '' || value === 0 || value === false || (parts.at(-1) === 'divisor' && parseQuantityNanos(value) === 0n);
}

/** The map with what the API server fills in at this place. */
export function withCrdDefaults(value: Fields, parts: readonly PathPart[]): Fields {
  const [name = ''] = lastNamesOf(parts);
  const isGroup = parts.length === 2 && name === 'workerGroupSpecs';
  const defaults = name === 'workerGroupSpecs' && !isGroup ? undefined : getOwn(CRD_DEFAULTS, name);
  if (!defaults || isUserKeyedMap(parts)) return value;
  const missing = Object.entries(defaults).filter(([field]) => (value[field] ?? undefined) === undefined);
  return missing.length === 0 ? value : { ...value, ...Object.fromEntries(missing) };
}

/** Is this the amount of a resource: `….resources.limits.cpu`, `….emptyDir.sizeLimit`? */
export function isQuantityPath(parts: readonly PathPart[]): boolean {
  const last = parts.at(-1);
  const holder = parts.at(-2);
  return last === 'sizeLimit' || last === 'divisor' || holder === 'limits' || holder === 'requests' || holder === 'overhead';
}

/**
 * A quantity as Go writes it again: the amount, and the family of suffixes that it keeps.
 *
 * `1Gi` and `1024Mi` are one, `1G` and `1000M`, `500m` and 0.5; `1Gi` and `1073741824` are two, and so are `1e3` and `1000`.
 * Below 1024 a binary suffix is given up. Undefined where it is no quantity.
 * Source: apimachinery v0.35.0 pkg/api/resource/quantity.go, CanonicalizeBytes.
 */
export function formatCanonicalQuantity(value: unknown): string | undefined {
  const nanos = parseQuantityNanos(value);
  if (nanos === undefined) return undefined;
  const text = String(value);
  const isBinary = text.endsWith('i') && (nanos <= -1024n * NANOS_PER_UNIT || nanos >= 1024n * NANOS_PER_UNIT);
  const family = isBinary ? 'binary' : /[0-9.][eE][-+]?[0-9]/.test(text) ? 'exponent' : 'decimal';
  return `${nanos} ${family}`;
}
