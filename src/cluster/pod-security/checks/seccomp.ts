import type { PodCheck } from './checked-pod';
import { getFieldsAt, isFields } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { chooseNumber, containerFieldOf, formatContainers, joinQuoted, sortUnique, toText } from './violation-text';
import { fieldOf, findBadSetters, listSetters } from './security-context';

const SECCOMP_POD_ANNOTATION = 'seccomp.security.alpha.kubernetes.io/pod';

const SECCOMP_CONTAINER_ANNOTATION = 'container.seccomp.security.alpha.kubernetes.io/';

/** The check before 1.19, when seccomp profiles were annotations. */
export const checkSeccompAnnotations: PodCheck = ({ metadata, containers }) => {
  const annotations = getFieldsAt(metadata, 'annotations');
  const names = [SECCOMP_POD_ANNOTATION, ...containers.map(({ name }) => `${SECCOMP_CONTAINER_ANNOTATION}${name}`)];
  const bad = names.filter((name) => {
    const value = Object.hasOwn(annotations, name) ? annotations[name] : undefined;
    if (typeof value !== 'string') return false;
    return value !== 'runtime/default' && value !== 'docker/default' && !value.startsWith('localhost/');
  });
  if (bad.length === 0) return undefined;
  const forbidden = sortUnique(bad.map((name) => `${name}=${JSON.stringify(annotations[name])}`));
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${chooseNumber(forbidden.length, 'annotation', 'annotations')} ${forbidden.join(', ')}`,
    field: [],
  };
};

function seccompTypeOf(securityContext: Fields): string | undefined {
  if (!isFields(securityContext.seccompProfile)) return undefined;
  return toText(securityContext.seccompProfile.type);
}

function isForbiddenSeccomp(securityContext: Fields): boolean {
  const type = seccompTypeOf(securityContext);
  return type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost';
}

export const checkSeccompProfile: PodCheck = (pod) => {
  const setters = findBadSetters(pod, isForbiddenSeccomp);
  const all = listSetters(setters);
  if (all.length === 0) return undefined;
  const types = [
    ...(setters.isPod ? [getFieldsAt(pod.spec, 'securityContext')] : []),
    ...setters.containers.map(({ securityContext }) => securityContext),
  ].map((securityContext) => seccompTypeOf(securityContext)!);
  return {
    reason: 'seccompProfile',
    detail: `${all.join(' and ')} must not set securityContext.seccompProfile.type to ${joinQuoted(sortUnique(types))}`,
    field: fieldOf(setters, 'seccompProfile'),
  };
};

export const checkRequiredSeccompProfile: PodCheck = (pod) => {
  const forbidden = checkSeccompProfile(pod);
  if (forbidden || seccompTypeOf(getFieldsAt(pod.spec, 'securityContext')) !== undefined) return forbidden;
  const unset = pod.containers.filter(({ securityContext }) => seccompTypeOf(securityContext) === undefined);
  if (unset.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `pod or ${formatContainers(unset)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
    field: containerFieldOf(unset, 'securityContext', 'seccompProfile'),
  };
};
