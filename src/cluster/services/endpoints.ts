import { getFieldsAt, getListAt, getValueAt, isFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { toSafeNumber } from '../../core/text/value-text';
import { listSidecars } from '../rollout/sidecars';

/** A port of a Service, with the defaults of the API server. */
export interface ServicePort {
  /** Name; empty for the only port of a Service. */
  readonly name: string;
  /** Port of the Service itself. */
  readonly number: number;
  /** Port of the pods: a number, or the name that a container gives it. */
  readonly targetPort: number | string;
  readonly protocol: string;
}

/** A pod as the EndpointSlice controller sees it. */
export interface EndpointPod {
  readonly labels: Fields;
  /** Pod spec, with the ports of its containers. */
  readonly spec: Fields;
  /** Whether its condition `Ready` is true. It may be ready before `minReadySeconds` make it available. */
  readonly isReady: boolean;
  /** Whether it is being deleted. @default false */
  readonly isTerminating?: boolean;
  /** Whether all of its containers have ended permanently. @default false */
  readonly isFinished?: boolean;
  /** Whether its Node object is missing. @default false */
  readonly hasNoNode?: boolean;
}

/** Returns the selector of a Service. It is undefined if the EndpointSlice controller does not manage the Service: it then leaves the slices as they are. */
export function selectorOf(service: Manifest): Fields | undefined {
  const selector = getValueAt(service, 'spec', 'selector');
  if (getValueAt(service, 'spec', 'type') === 'ExternalName' || !isFields(selector) || Object.keys(selector).length === 0) return undefined;
  return selector;
}

/** Reports whether a Service sends requests to pods that are not ready or that terminate. */
export function isReadinessIgnored(service: Manifest): boolean {
  return getValueAt(service, 'spec', 'publishNotReadyAddresses') === true;
}

/** Reports whether a Service has no virtual IP, so that no proxy forwards its requests. */
export function isHeadless(service: Manifest): boolean {
  return getValueAt(service, 'spec', 'clusterIP') === 'None';
}

/** Lists the ports of a Service. A port without `targetPort` has the number of the port itself. */
export function listServicePorts(service: Manifest): ServicePort[] {
  return getListAt(service, 'spec', 'ports')
    .filter(isFields)
    .map(({ name, port, targetPort, protocol }) => ({
      name: typeof name === 'string' ? name : '',
      number: toSafeNumber(port),
      targetPort: typeof targetPort === 'string' || (typeof targetPort === 'number' && targetPort !== 0) ? targetPort : toSafeNumber(port),
      protocol: typeof protocol === 'string' ? protocol : 'TCP',
    }));
}

/** Lists the containers whose named ports count: regular containers, then init containers that run as sidecars. */
function listServingContainers(podSpec: unknown): readonly unknown[] {
  return [...getListAt(podSpec, 'containers'), ...listSidecars(podSpec)];
}

/**
 * Returns the number to which a pod's port resolves, or undefined if a name resolves to nothing. A number is never checked.
 *
 * Source: k/k staging endpointslice v0.34.4, `FindPort`.
 */
export function resolveTargetPort(podSpec: unknown, { targetPort, protocol }: ServicePort): number | undefined {
  if (typeof targetPort === 'number') return targetPort;
  for (const container of listServingContainers(podSpec)) {
    for (const port of getListAt(container, 'ports')) {
      const { name, protocol: own = 'TCP', containerPort } = isFields(port) ? port : {};
      if (name === targetPort && own === protocol && typeof containerPort === 'number') return containerPort;
    }
  }
  return undefined;
}

/** Reports whether all labels of a Service's selector are among those of a pod. */
export function matchesServiceSelector(labels: unknown, selector: Fields): boolean {
  return Object.entries(selector).every(([key, value]) => isFields(labels) && Object.hasOwn(labels, key) && labels[key] === value);
}

/**
 * Reports whether a pod is in the slices of a Service, ready or not.
 *
 * Source: k/k staging endpointslice v0.34.4, `ShouldPodBeInEndpoints`, `reconcileByAddressType`.
 */
function isEndpoint(pod: EndpointPod, service: Manifest): boolean {
  const selector = selectorOf(service);
  if (selector === undefined || pod.isFinished || !matchesServiceSelector(pod.labels, selector)) return false;
  return !pod.hasNoNode || isReadinessIgnored(service);
}

/** Reports whether a pod is a ready endpoint of a Service. Source: k/k staging endpointslice v0.34.4, `podToEndpoint`. */
export function isReadyEndpoint(pod: EndpointPod, service: Manifest): boolean {
  return isEndpoint(pod, service) && (isReadinessIgnored(service) || (pod.isReady && !pod.isTerminating));
}

/**
 * Counts the ready endpoints of each port of a Service. A Service without ports counts its pods under the name `''`.
 *
 * With 2 pods that name a port `http` and 2 that do not, port `http` has 2 and port 80 has 4.
 */
export function countReadyEndpoints(service: Manifest, pods: readonly EndpointPod[]): Map<string, number> {
  const ready = pods.filter((pod) => isReadyEndpoint(pod, service));
  const ports = listServicePorts(service);
  if (ports.length === 0) return new Map([['', ready.length]]);
  return new Map(ports.map((port) => [port.name, ready.filter(({ spec }) => resolveTargetPort(spec, port) !== undefined).length]));
}

/** What answers a connection to a Service: ready pods, pods that terminate and still serve, or nothing, so that it is refused. */
export type ServiceAnswer = 'pods' | 'terminating-pods' | 'refused';

/**
 * Returns what answers a connection to one port of a Service with the traffic policy `Cluster`.
 *
 * Source: k/k 1.34 pkg/proxy/topology.go, `CategorizeEndpoints`.
 */
export function findAnswer(service: Manifest, port: ServicePort, pods: readonly EndpointPod[]): ServiceAnswer {
  const onPort = pods.filter((pod) => isEndpoint(pod, service) && resolveTargetPort(pod.spec, port) !== undefined);
  if (onPort.some((pod) => isReadyEndpoint(pod, service))) return 'pods';
  return onPort.some((pod) => pod.isReady && pod.isTerminating) ? 'terminating-pods' : 'refused';
}

/** Returns the labels of a pod template. */
export function labelsOf(template: unknown): Fields {
  return getFieldsAt(template, 'metadata', 'labels');
}
