import { isFields } from '../src/core/manifest/manifest';
import type { Fields } from '../src/core/manifest/manifest';

/** A container without findings. */
const APP = { name: 'app', image: 'app:1', readinessProbe: { tcpSocket: { port: 8080 } } };

/** Adds limits for requested devices, which the server requires. */
function withLimits({ requests, limits, ...others }: Fields): Fields {
  const devices = Object.entries(isFields(requests) ? requests : {}).filter(([name]) => name.includes('/'));
  if (devices.length === 0 || (limits !== undefined && !isFields(limits)))
    return { ...others, requests, ...(limits !== undefined && { limits }) };
  return { ...others, requests, limits: { ...Object.fromEntries(devices), ...limits } };
}

function soundPort(port: unknown): unknown {
  return isFields(port) && port.hostPort !== undefined ? { containerPort: port.hostPort, ...port } : port;
}

function soundContainer(container: unknown, index: number): unknown {
  if (!isFields(container)) return container;
  const { resources, ports, readinessProbe: probe } = container;
  return {
    name: `app-${index}`,
    image: 'app:1',
    ...container,
    ...(isFields(resources) && { resources: withLimits(resources) }),
    ...(isFields(probe) && Object.keys(probe).length === 0 && { readinessProbe: APP.readinessProbe }),
    ...(Array.isArray(ports) && { ports: ports.map(soundPort) }),
  };
}

function soundTemplate(template: Fields, app: string): Fields {
  const metadata = isFields(template.metadata) ? template.metadata : {};
  const labels = isFields(metadata.labels) ? metadata.labels : {};
  const pod = isFields(template.spec) ? template.spec : {};
  const ownContainers = pod.containers ?? [];
  const containers = Array.isArray(ownContainers) && ownContainers.length === 0 ? [APP] : ownContainers;
  const { initContainers } = pod;
  return {
    ...template,
    metadata: { ...metadata, labels: { app, ...labels } },
    spec: {
      ...pod,
      containers: Array.isArray(containers) ? containers.map(soundContainer) : containers,
      ...(Array.isArray(initContainers) && { initContainers: initContainers.map((item, index) => soundContainer(item, 100 + index)) }),
    },
  };
}

/**
 * Completes a workload of apps/v1 with required fields that a test omits: a selector, labels, a container, names and images. Existing fields
 * are kept.
 */
export function sound<T extends object>(object: T): T {
  const { apiVersion, spec, metadata } = object as T & Fields;
  if (apiVersion !== 'apps/v1' || !isFields(spec)) return object;
  const name = isFields(metadata) && typeof metadata.name === 'string' ? metadata.name : 'web';
  const template = spec.template ?? {};
  if (!isFields(template)) return { ...object, spec: { selector: { matchLabels: { app: name } }, ...spec } };
  const made = soundTemplate(template, name);
  const app = ((made.metadata as Fields).labels as Fields).app;
  return { ...object, spec: { selector: { matchLabels: { app } }, ...spec, template: made } };
}
