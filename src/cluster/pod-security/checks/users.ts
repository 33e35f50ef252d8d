import type { PodCheck } from './checked-pod';
import { fieldOf, findBadSetters, listSetters } from './security-context';
import { getValueAt } from '../../../core/manifest/manifest';
import { containerFieldOf, formatContainers } from './violation-text';

export const checkRunAsNonRoot: PodCheck = (pod) => {
  const setters = findBadSetters(pod, ({ runAsNonRoot }) => runAsNonRoot === false);
  const all = listSetters(setters);
  if (all.length > 0) {
    return {
      reason: 'runAsNonRoot != true',
      detail: `${all.join(' and ')} must not set securityContext.runAsNonRoot=false`,
      field: fieldOf(setters, 'runAsNonRoot'),
    };
  }
  if (getValueAt(pod.spec, 'securityContext', 'runAsNonRoot') === true) return undefined;
  const unset = pod.containers.filter(({ securityContext }) => securityContext.runAsNonRoot !== true);
  if (unset.length === 0) return undefined;
  return {
    reason: 'runAsNonRoot != true',
    detail: `pod or ${formatContainers(unset)} must set securityContext.runAsNonRoot=true`,
    field: containerFieldOf(unset, 'securityContext', 'runAsNonRoot'),
  };
};

export const checkRunAsUser: PodCheck = (pod) => {
  const setters = findBadSetters(pod, ({ runAsUser }) => runAsUser === 0);
  const all = listSetters(setters);
  if (all.length === 0) return undefined;
  return { reason: 'runAsUser=0', detail: `${all.join(' and ')} must not set runAsUser=0`, field: fieldOf(setters, 'runAsUser') };
};
