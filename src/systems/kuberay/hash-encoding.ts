import { isFields } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import type { PathPart } from '../../core/manifest/field-path';
import { parseQuantityNanos, NANOS_PER_UNIT } from '../../core/values/quantity';
import { toSafeText } from '../../core/text/value-text';

function splitWords(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/**
 * Maps that are encoded even if they are empty. They are pointers in Go, so its JSON distinguishes `{}` from a missing field.
 *
 * Other maps (`resources`, `nodeSelector`, `labels`) are omitted from the JSON if they are empty.
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

/** Scalars that are encoded even if they are 0, false or "", because they are pointers in Go. Same sources. */
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

/** Lists that are encoded even if they are empty. */
const LISTS_ENCODED_WHEN_EMPTY = splitWords('containers monitors nodeSelectorTerms sources');

/** Fields that are pointers only in some parents: the field, and the names of those parents. */
const POINTERS_BY_PARENT: Readonly<Record<string, ReadonlySet<string>>> = {
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

/** Maps with keys that the user chooses. Every entry is encoded, even if its value is empty. */
const USER_KEYED_MAPS = splitWords(`
  annotations headServiceAnnotations labels matchLabels nodeSelector rayStartParams userAnnotations volumeAttributes limits requests overhead`);

/** Defaults that the API server fills in, by parent field. Source: the defaults in the CRDs of KubeRay v1.5.1 and v1.7.0. */
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

/** Returns the last two field names of a path, without list indexes: `image` and its parent `containers` for `….containers[0].image`. */
function lastNamesOf(parts: readonly PathPart[]): readonly [name: string | undefined, parent: string | undefined] {
  const names = parts.filter((part): part is string => typeof part === 'string');
  return [names.at(-1), names.at(-2)];
}

/** Reports whether the path is the `resources` of a head or worker group: Ray's logical resources, with keys that the user chooses. */
function isGroupResources(parts: readonly PathPart[]): boolean {
  if (parts.at(-1) !== 'resources') return false;
  return parts.length === 2 ? parts[0] === 'headGroupSpec' : parts.length === 3 && parts[0] === 'workerGroupSpecs';
}

/** Reports whether the user chooses the keys of the map at this path. */
function isUserKeyedMap(parts: readonly PathPart[]): boolean {
  const last = parts.at(-1);
  if (typeof last !== 'string') return false;
  // The selector of a Service is labels; the other selectors are structs.
  return USER_KEYED_MAPS.has(last) || isGroupResources(parts) || (last === 'selector' && parts.includes('headService'));
}

/** Returns a table's own entry for a name from user input, and never an inherited one such as `constructor` or `__proto__`. */
function getOwn<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Reports whether Go encodes the field at this path of a rayClusterConfig even if its value is empty: `{}`, `[]`, 0, false or "". */
export function isEncodedWhenEmpty(value: unknown, parts: readonly PathPart[]): boolean {
  const last = parts.at(-1);
  if (typeof last === 'number' || isUserKeyedMap(parts.slice(0, -1))) return true;
  const [name = '', parent = ''] = lastNamesOf(parts);
  if (Array.isArray(value)) return LISTS_ENCODED_WHEN_EMPTY.has(name);
  const pointerParents = getOwn(POINTERS_BY_PARENT, name);
  // Pod-level resources are a pointer, but container resources are not.
  if (name === 'resources' && parts.at(-3) === 'template') return true;
  if (name === 'selector') return !parts.includes('headService');
  if (isFields(value)) return pointerParents && name !== 'image' ? pointerParents.has(parent) : POINTER_MAPS.has(name);
  return pointerParents ? pointerParents.has(parent) : POINTER_SCALARS.has(name);
}

/** Reports whether the value is the zero value of its type, which Go omits unless the field is a pointer. */
export function isZero(value: unknown, parts: readonly PathPart[]): boolean {
  return value === '' || value === 0 || value === false || (parts.at(-1) === 'divisor' && parseQuantityNanos(value) === 0n);
}

/** Returns the map with the defaults that the API server fills in at this path. */
export function withCrdDefaults(value: Fields, parts: readonly PathPart[]): Fields {
  const [name = ''] = lastNamesOf(parts);
  const isGroup = parts.length === 2 && name === 'workerGroupSpecs';
  const defaults = name === 'workerGroupSpecs' && !isGroup ? undefined : getOwn(CRD_DEFAULTS, name);
  if (!defaults || isUserKeyedMap(parts)) return value;
  const missing = Object.entries(defaults).filter(([field]) => (value[field] ?? undefined) === undefined);
  return missing.length === 0 ? value : { ...value, ...Object.fromEntries(missing) };
}

/** Reports whether the path is a quantity: `….resources.limits.cpu`, `….emptyDir.sizeLimit`. */
export function isQuantityPath(parts: readonly PathPart[]): boolean {
  const last = parts.at(-1);
  const parent = parts.at(-2);
  return last === 'sizeLimit' || last === 'divisor' || parent === 'limits' || parent === 'requests' || parent === 'overhead';
}

/**
 * Formats a quantity as a key that is equal if Go formats the quantity the same: the amount and the family of suffixes.
 *
 * `1Gi` equals `1024Mi`, `1G` equals `1000M`, and `500m` equals 0.5. `1Gi` differs from `1073741824`, and `1e3` differs from `1000`.
 * Go drops a binary suffix below 1024. Returns undefined if the value is not a quantity.
 * Source: apimachinery v0.35.0 pkg/api/resource/quantity.go, CanonicalizeBytes.
 */
export function formatCanonicalQuantity(value: unknown): string | undefined {
  const nanos = parseQuantityNanos(value);
  if (nanos === undefined) return undefined;
  const text = toSafeText(value);
  const isBinary = text.endsWith('i') && (nanos <= -1024n * NANOS_PER_UNIT || nanos >= 1024n * NANOS_PER_UNIT);
  const family = isBinary ? 'binary' : /[0-9.][eE][-+]?[0-9]/.test(text) ? 'exponent' : 'decimal';
  return `${nanos} ${family}`;
}
