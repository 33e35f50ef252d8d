import type { CheckedContainer, PodCheck } from './checked-pod';
import { getListAt, getValueAt } from '../../../core/manifest/manifest';
import { chooseNumber, containerFieldOf, formatContainers, joinQuoted, sortUnique } from './violation-text';

const HOST_NAMESPACES = ['hostNetwork', 'hostPID', 'hostIPC'];

export const checkHostNamespaces: PodCheck = ({ spec }) => {
  const shared = HOST_NAMESPACES.filter((name) => spec[name] === true);
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((name) => `${name}=true`).join(', '), field: [shared[0]!] };
};

export const checkHostPorts: PodCheck = ({ containers }) => {
  const listPorts = ({ value }: CheckedContainer) =>
    getListAt(value, 'ports').flatMap((port) => {
      const hostPort = getValueAt(port, 'hostPort');
      return typeof hostPort === 'number' && hostPort !== 0 ? [String(hostPort)] : [];
    });
  const bad = containers.filter((container) => listPorts(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = sortUnique(bad.flatMap(listPorts));
  return {
    reason: 'hostPort',
    detail: `${formatContainers(bad)} ${chooseNumber(bad.length, 'uses', 'use')} ${chooseNumber(ports.length, 'hostPort', 'hostPorts')} ${ports.join(', ')}`,
    field: containerFieldOf(bad, 'ports'),
  };
};

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];

const LIFECYCLE_HANDLERS = ['postStart', 'preStop'];

function listHosts({ value }: CheckedContainer): string[] {
  const handlers = [...PROBES.map((name) => value[name]), ...LIFECYCLE_HANDLERS.map((name) => getValueAt(value, 'lifecycle', name))];
  return handlers.flatMap((handler) =>
    ['httpGet', 'tcpSocket'].flatMap((kind) => {
      const host = getValueAt(handler, kind, 'host');
      return typeof host === 'string' && host !== '' ? [host] : [];
    }),
  );
}

export const checkProbeHosts: PodCheck = ({ containers }) => {
  const bad = containers.filter((container) => listHosts(container).length > 0);
  if (bad.length === 0) return undefined;
  const names = sortUnique(bad.map(({ name }) => name));
  const hosts = sortUnique(bad.flatMap(listHosts));
  const subject = `${chooseNumber(names.length, 'container', 'containers')} ${joinQuoted(names)}`;
  return {
    reason: 'probe or lifecycle host',
    detail: `${subject} ${chooseNumber(names.length, 'uses', 'use')} ${chooseNumber(hosts.length, 'probe or lifecycle host', 'probe or lifecycle hosts')} ${joinQuoted(hosts)}`,
    field: containerFieldOf(bad),
  };
};
