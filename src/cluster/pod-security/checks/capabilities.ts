import type { CheckedContainer, PodCheck } from './checked-pod';
import { containerFieldOf, formatContainers, joinQuoted, listTexts, sortUnique } from './violation-text';
import { getValueAt } from '../../../core/manifest/manifest';

const DEFAULT_CAPABILITIES: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

function listCapabilities({ securityContext }: CheckedContainer, list: 'add' | 'drop'): string[] {
  return listTexts(getValueAt(securityContext, 'capabilities', list));
}

/** Formats the containers that add capabilities outside a set. */
function formatAddedCapabilities(bad: readonly CheckedContainer[], isAllowed: (capability: string) => boolean): string {
  const added = bad.flatMap((container) => listCapabilities(container, 'add').filter((one) => !isAllowed(one)));
  return `${formatContainers(bad)} must not include ${joinQuoted(sortUnique(added))} in securityContext.capabilities.add`;
}

export const checkDefaultCapabilities: PodCheck = ({ containers }) => {
  const isAllowed = (capability: string) => DEFAULT_CAPABILITIES.has(capability);
  const bad = containers.filter((container) => !listCapabilities(container, 'add').every(isAllowed));
  if (bad.length === 0) return undefined;
  return {
    reason: 'non-default capabilities',
    detail: formatAddedCapabilities(bad, isAllowed),
    field: containerFieldOf(bad, 'securityContext', 'capabilities', 'add'),
  };
};

export const checkRestrictedCapabilities: PodCheck = ({ containers }) => {
  const isAllowed = (capability: string) => capability === 'NET_BIND_SERVICE';
  const keeping = containers.filter((container) => !listCapabilities(container, 'drop').includes('ALL'));
  const adding = containers.filter((container) => !listCapabilities(container, 'add').every(isAllowed));
  if (keeping.length === 0 && adding.length === 0) return undefined;
  return {
    reason: 'unrestricted capabilities',
    detail: [
      ...(keeping.length > 0 ? [`${formatContainers(keeping)} must set securityContext.capabilities.drop=["ALL"]`] : []),
      ...(adding.length > 0 ? [formatAddedCapabilities(adding, isAllowed)] : []),
    ].join('; '),
    field: containerFieldOf([...keeping, ...adding], 'securityContext', 'capabilities'),
  };
};
