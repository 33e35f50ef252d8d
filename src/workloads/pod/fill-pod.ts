import { getFieldsAt, getListAt, isFields } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';

/** A placeholder for values that the operator fills in. */
const PLACEHOLDER = 'preset';

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const;

/** Fills in a probe that has only times, or a request without a port. The operator provides the rest. */
function fillProbe(probe: Fields): Fields {
  if (HANDLERS.every((handler) => probe[handler] === undefined)) return { ...probe, tcpSocket: { port: PLACEHOLDER } };
  return isFields(probe.httpGet) ? { ...probe, httpGet: { port: PLACEHOLDER, ...probe.httpGet } } : probe;
}

function fillContainer(container: unknown): unknown {
  if (!isFields(container)) return container;
  const probes = PROBES.flatMap((name) => {
    const probe = container[name];
    return isFields(probe) ? [[name, fillProbe(probe)] as const] : [];
  });
  return { image: PLACEHOLDER, ...container, ...Object.fromEntries(probes) };
}

function listMountNames(container: unknown): string[] {
  return getListAt({ container }, 'container', 'volumeMounts').flatMap((mount) => {
    const { name } = getFieldsAt({ mount }, 'mount');
    return typeof name === 'string' ? [name] : [];
  });
}

/**
 * Returns a pod with everything that an operator may fill in from a preset or a runtime: images, probe handlers, a container if there is none,
 * and a volume for each mount. The validation then reports only what the user wrote.
 */
export function fillPod(pod: Fields): Fields {
  const containers = getListAt(pod, 'containers');
  const initContainers = getListAt(pod, 'initContainers');
  const volumes = getListAt(pod, 'volumes');
  const volumeNames = new Set(volumes.map((volume) => getFieldsAt({ volume }, 'volume').name));
  const missingVolumes = new Set([...containers, ...initContainers].flatMap(listMountNames).filter((name) => !volumeNames.has(name)));
  return {
    ...pod,
    containers: containers.length > 0 ? containers.map(fillContainer) : [{ name: 'main', image: PLACEHOLDER }],
    ...(initContainers.length > 0 && { initContainers: initContainers.map(fillContainer) }),
    volumes: [...volumes, ...[...missingVolumes].map((name) => ({ name, emptyDir: {} }))],
  };
}
