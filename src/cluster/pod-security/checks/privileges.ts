import type { CheckedContainer, PodCheck } from './checked-pod';
import { containerFieldOf, formatContainers, joinQuoted, sortUnique, toText } from './violation-text';
import { fieldOf, findBadSetters, listSetters } from './security-context';
import { getValueAt } from '../../../core/manifest/manifest';

export const checkAllowPrivilegeEscalation: PodCheck = ({ containers }) => {
  const bad = containers.filter(({ securityContext }) => securityContext.allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${formatContainers(bad)} must set securityContext.allowPrivilegeEscalation=false`,
    field: containerFieldOf(bad, 'securityContext', 'allowPrivilegeEscalation'),
  };
};

export const checkPrivileged: PodCheck = ({ containers }) => {
  const bad = containers.filter(({ securityContext }) => securityContext.privileged === true);
  if (bad.length === 0) return undefined;
  return {
    reason: 'privileged',
    detail: `${formatContainers(bad)} must not set securityContext.privileged=true`,
    field: containerFieldOf(bad, 'securityContext', 'privileged'),
  };
};

export const checkProcMount: PodCheck = ({ containers }) => {
  const typeOf = ({ securityContext }: CheckedContainer) => securityContext.procMount ?? 'Default';
  const bad = containers.filter((container) => typeOf(container) !== 'Default');
  if (bad.length === 0) return undefined;
  return {
    reason: 'procMount',
    detail: `${formatContainers(bad)} must not set securityContext.procMount to ${joinQuoted(sortUnique(bad.map((one) => toText(typeOf(one)))))}`,
    field: containerFieldOf(bad, 'securityContext', 'procMount'),
  };
};

export const checkWindowsHostProcess: PodCheck = (pod) => {
  const setters = findBadSetters(pod, (securityContext) => getValueAt(securityContext, 'windowsOptions', 'hostProcess') === true);
  const containers = listSetters(setters);
  if (containers.length === 0) return undefined;
  return {
    reason: 'hostProcess',
    detail: `${containers.join(' and ')} must not set securityContext.windowsOptions.hostProcess=true`,
    field: fieldOf(setters, 'windowsOptions', 'hostProcess'),
  };
};
