import type { PodCheck } from './checked-pod';
import { getFieldsAt } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { fieldOf, findBadSetters, listSetters } from './security-context';
import { chooseNumber, joinQuoted, sortUnique } from './violation-text';
import { toSafeText } from '../../../core/text/value-text';

/** Returns a check that allows the SELinux types of a version. */
export function createSeLinuxCheck(allowedTypes: readonly string[]): PodCheck {
  return (pod) => {
    const optionsOf = (securityContext: Fields) => getFieldsAt(securityContext, 'seLinuxOptions');
    const isBadType = ({ type = '' }: Fields) => !allowedTypes.includes(toSafeText(type));
    const isSet = (value: unknown) => typeof value === 'string' && value !== '';
    const isBad = (securityContext: Fields) => {
      const options = optionsOf(securityContext);
      return isBadType(options) || isSet(options.user) || isSet(options.role);
    };
    const setters = findBadSetters(pod, isBad);
    const all = listSetters(setters);
    if (all.length === 0) return undefined;
    const options = [
      ...(setters.isPod ? [getFieldsAt(pod.spec, 'securityContext')] : []),
      ...setters.containers.map(({ securityContext }) => securityContext),
    ].map(optionsOf);
    const types = sortUnique(options.filter(isBadType).map(({ type }) => toSafeText(type)));
    const data = [
      ...(types.length > 0 ? [`${chooseNumber(types.length, 'type', 'types')} ${joinQuoted(types)}`] : []),
      ...(options.some(({ user }) => isSet(user)) ? ['user may not be set'] : []),
      ...(options.some(({ role }) => isSet(role)) ? ['role may not be set'] : []),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${all.join(' and ')} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}`,
      field: fieldOf(setters, 'seLinuxOptions'),
    };
  };
}
