import { fieldsAt, isFields, listAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { StoredObject } from './types';

/* What the server drew for a Service or admission wrote into a pod stays where a write leaves it out. Source: k/k pkg/registry/core/service/storage/storage.go `patchAllocatedValues`, strategy.go `dropTypeDependentFields`. */

const ADDRESSES = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'];

function hasAddress(spec: Fields): boolean {
  return spec.type !== 'ExternalName';
}

function hasNodePorts(spec: Fields): boolean {
  return spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);
}

function hasHealthPort(spec: Fields): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}

function isSame(before: Fields, after: Fields, name: string): boolean {
  return JSON.stringify(before[name]) === JSON.stringify(after[name]);
}

function kept(before: Fields, after: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.filter((name) => after[name] === undefined && before[name] !== undefined).map((name) => [name, before[name]]),
  );
}

function without(spec: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => !names.includes(name)));
}

function portsWithNodePorts(before: Fields, after: Fields): Fields {
  const drawn = new Map(
    listAt(before, 'ports')
      .filter(isFields)
      .map(({ name, nodePort }) => [name, nodePort]),
  );
  const ports = listAt(after, 'ports').map((port) => {
    const nodePort = isFields(port) ? (port.nodePort ?? drawn.get(port.name)) : undefined;
    return isFields(port) && nodePort !== undefined ? { ...port, nodePort } : port;
  });
  return ports.length > 0 ? { ports } : {};
}

function portsWithoutNodePorts(after: Fields): Fields {
  const ports = listAt(after, 'ports').map((port) => (isFields(port) ? without(port, ['nodePort']) : port));
  return ports.length > 0 ? { ports } : {};
}

/** Fields that go with the type that needed them, if the write does not say otherwise. */
function dropped(before: Fields, after: Fields): readonly string[] {
  const gone = [
    ...(hasAddress(before) && !hasAddress(after) ? ADDRESSES : []),
    ...(hasHealthPort(before) && !hasHealthPort(after) ? ['healthCheckNodePort'] : []),
    ...(before.type === 'LoadBalancer' && after.type !== 'LoadBalancer' ? ['allocateLoadBalancerNodePorts', 'loadBalancerClass'] : []),
    ...(isOutside(before) && !isOutside(after) ? ['externalTrafficPolicy'] : []),
    ...(after.type === 'ExternalName' ? ['internalTrafficPolicy'] : []),
  ];
  return gone.filter((name) => isSame(before, after, name));
}

function isOutside(spec: Fields): boolean {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer' || listAt(spec, 'externalIPs').length > 0;
}

/** Who changes clusterIP alone means the first of clusterIPs. Source: there, `normalizeClusterIPs`. */
function withFirstAddress(before: Fields, after: Fields): Fields {
  const isAlone = after.clusterIP !== undefined && !isSame(before, after, 'clusterIP') && isSame(before, after, 'clusterIPs');
  return isAlone && Array.isArray(after.clusterIPs) ? { ...after, clusterIPs: after.clusterIPs.toSpliced(0, 1, after.clusterIP) } : after;
}

function serviceSpec(before: Fields, written: Fields): Fields {
  const after = withFirstAddress(before, written);
  const names = [
    ...(hasAddress(before) && hasAddress(after) ? ADDRESSES : []),
    ...(hasHealthPort(before) && hasHealthPort(after) ? ['healthCheckNodePort'] : []),
  ];
  const whole = without({ ...after, ...kept(before, after, names) }, dropped(before, after));
  if (hasNodePorts(after)) return { ...whole, ...portsWithNodePorts(before, after) };
  return hasNodePorts(before) ? { ...whole, ...portsWithoutNodePorts(after) } : whole;
}

/** What admission writes into every pod. */
const ADMITTED = ['priority', 'preemptionPolicy', 'nodeName', 'serviceAccountName', 'serviceAccount'];
const TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

function isAdmitted(toleration: unknown): boolean {
  return isFields(toleration) && TAINTS.includes(String(toleration.key)) && toleration.effect === 'NoExecute';
}

function podSpec(before: Fields, after: Fields): Fields {
  const tolerations = listAt(after, 'tolerations');
  const admitted = tolerations.some(isAdmitted) ? [] : listAt(before, 'tolerations').filter(isAdmitted);
  const whole = { ...after, ...kept(before, after, ADMITTED) };
  return admitted.length > 0 ? { ...whole, tolerations: [...tolerations, ...admitted] } : whole;
}

/** The object after a write, with what the server had drawn for it before. */
export function withAllocated(before: StoredObject, after: StoredObject): StoredObject {
  if (after.apiVersion !== 'v1' || !isFields(after.spec)) return after;
  if (after.kind === 'Pod') return { ...after, spec: podSpec(fieldsAt(before, 'spec'), after.spec) };
  if (after.kind !== 'Service') return after;
  return { ...after, spec: serviceSpec(fieldsAt(before, 'spec'), after.spec) };
}
