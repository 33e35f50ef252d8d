import { getFieldsAt, isFields, getListAt, omitFields } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import type { StoredObject } from './types';
import { toSafeText } from '../../core/text/value-text';

/* A write that omits values which the server allocated for a Service, or admission set in a pod, keeps them. Source: k/k pkg/registry/core/service/storage/storage.go `patchAllocatedValues`, strategy.go `dropTypeDependentFields`. */

const ADDRESS_FIELDS = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'];

function hasClusterIP(spec: Fields): boolean {
  return spec.type !== 'ExternalName';
}

function hasNodePorts(spec: Fields): boolean {
  return spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);
}

function hasHealthCheckPort(spec: Fields): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}

function isSameField(before: Fields, after: Fields, name: string): boolean {
  return JSON.stringify(before[name]) === JSON.stringify(after[name]);
}

function keepMissingFields(before: Fields, after: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.filter((name) => after[name] === undefined && before[name] !== undefined).map((name) => [name, before[name]]),
  );
}

function keepNodePorts(before: Fields, after: Fields): Fields {
  const allocated = new Map(
    getListAt(before, 'ports')
      .filter(isFields)
      .map(({ name, nodePort }) => [name, nodePort]),
  );
  const ports = getListAt(after, 'ports').map((port) => {
    const nodePort = isFields(port) ? (port.nodePort ?? allocated.get(port.name)) : undefined;
    return isFields(port) && nodePort !== undefined ? { ...port, nodePort } : port;
  });
  return ports.length > 0 ? { ports } : {};
}

function dropNodePorts(after: Fields): Fields {
  const ports = getListAt(after, 'ports').map((port) => (isFields(port) ? omitFields(port, ['nodePort']) : port));
  return ports.length > 0 ? { ports } : {};
}

/** Lists the fields that are dropped when the type no longer needs them, unless the write changes them. */
function listDroppedFields(before: Fields, after: Fields): readonly string[] {
  const obsolete = [
    ...(hasClusterIP(before) && !hasClusterIP(after) ? ADDRESS_FIELDS : []),
    ...(hasHealthCheckPort(before) && !hasHealthCheckPort(after) ? ['healthCheckNodePort'] : []),
    ...(before.type === 'LoadBalancer' && after.type !== 'LoadBalancer' ? ['allocateLoadBalancerNodePorts', 'loadBalancerClass'] : []),
    ...(isExternallyReachable(before) && !isExternallyReachable(after) ? ['externalTrafficPolicy'] : []),
    ...(after.type === 'ExternalName' ? ['internalTrafficPolicy'] : []),
  ];
  return obsolete.filter((name) => isSameField(before, after, name));
}

function isExternallyReachable(spec: Fields): boolean {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer' || getListAt(spec, 'externalIPs').length > 0;
}

/** Returns the spec with clusterIP as the first of clusterIPs if a write changes only clusterIP. Source: strategy.go, `normalizeClusterIPs`. */
function withFirstClusterIP(before: Fields, after: Fields): Fields {
  const isOnlyClusterIPChanged =
    after.clusterIP !== undefined && !isSameField(before, after, 'clusterIP') && isSameField(before, after, 'clusterIPs');
  return isOnlyClusterIPChanged && Array.isArray(after.clusterIPs)
    ? { ...after, clusterIPs: after.clusterIPs.toSpliced(0, 1, after.clusterIP) }
    : after;
}

function keepServiceAllocations(before: Fields, next: Fields): Fields {
  const after = withFirstClusterIP(before, next);
  const names = [
    ...(hasClusterIP(before) && hasClusterIP(after) ? ADDRESS_FIELDS : []),
    ...(hasHealthCheckPort(before) && hasHealthCheckPort(after) ? ['healthCheckNodePort'] : []),
  ];
  const merged = omitFields({ ...after, ...keepMissingFields(before, after, names) }, listDroppedFields(before, after));
  if (hasNodePorts(after)) return { ...merged, ...keepNodePorts(before, after) };
  return hasNodePorts(before) ? { ...merged, ...dropNodePorts(after) } : merged;
}

/** Fields that admission sets in every pod. */
const ADMISSION_FIELDS = ['priority', 'preemptionPolicy', 'nodeName', 'serviceAccountName', 'serviceAccount'];
const ADMISSION_TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

function isAdmissionToleration(toleration: unknown): boolean {
  return isFields(toleration) && ADMISSION_TAINTS.includes(toSafeText(toleration.key)) && toleration.effect === 'NoExecute';
}

function keepPodAdmissionFields(before: Fields, after: Fields): Fields {
  const tolerations = getListAt(after, 'tolerations');
  const admitted = tolerations.some(isAdmissionToleration) ? [] : getListAt(before, 'tolerations').filter(isAdmissionToleration);
  const merged = { ...after, ...keepMissingFields(before, after, ADMISSION_FIELDS) };
  return admitted.length > 0 ? { ...merged, tolerations: [...tolerations, ...admitted] } : merged;
}

/** Returns the object after a write, with the values that the server had allocated for it before. */
export function keepAllocatedFields(before: StoredObject, after: StoredObject): StoredObject {
  if (after.apiVersion !== 'v1' || !isFields(after.spec)) return after;
  if (after.kind === 'Pod') return { ...after, spec: keepPodAdmissionFields(getFieldsAt(before, 'spec'), after.spec) };
  if (after.kind !== 'Service') return after;
  return { ...after, spec: keepServiceAllocations(getFieldsAt(before, 'spec'), after.spec) };
}
