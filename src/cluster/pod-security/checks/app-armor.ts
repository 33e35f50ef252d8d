import type { PodCheck } from './checked-pod';
import { getFieldsAt, getValueAt, isFields } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { fieldOf, findBadSetters, listSetters } from './security-context';
import { chooseNumber, compareBytes, joinQuoted, sortUnique, toText } from './violation-text';
import { toSafeText } from '../../../core/text/value-text';

const APP_ARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';

export const checkAppArmorProfile: PodCheck = (pod) => {
  const typeOf = (securityContext: Fields) => getValueAt(securityContext, 'appArmorProfile', 'type');
  const isBad = (securityContext: Fields) =>
    isFields(securityContext.appArmorProfile) && !['RuntimeDefault', 'Localhost'].includes(toSafeText(typeOf(securityContext)));
  const setters = findBadSetters(pod, isBad);
  const types = [
    ...(setters.isPod ? [getFieldsAt(pod.spec, 'securityContext')] : []),
    ...setters.containers.map(({ securityContext }) => securityContext),
  ].map((securityContext) => toText(typeOf(securityContext)));
  const annotations = Object.entries(getFieldsAt(pod.metadata, 'annotations'))
    .filter(([name, value]) => {
      const profile = toSafeText(value);
      const isAllowed = profile === '' || profile === 'runtime/default' || profile.startsWith('localhost/');
      return name.startsWith(APP_ARMOR_ANNOTATION) && !isAllowed;
    })
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const values = [...sortUnique(types), ...annotations.toSorted(compareBytes)];
  const all = [...listSetters(setters), ...(annotations.length > 0 ? [chooseNumber(annotations.length, 'annotation', 'annotations')] : [])];
  if (all.length === 0) return undefined;
  return {
    reason: chooseNumber(values.length, 'forbidden AppArmor profile', 'forbidden AppArmor profiles'),
    detail: `${all.join(' and ')} must not set AppArmor profile type to ${joinQuoted(values)}`,
    field: fieldOf(setters, 'appArmorProfile'),
  };
};
