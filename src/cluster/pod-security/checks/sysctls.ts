import type { PodCheck } from './checked-pod';
import { getListAt, getValueAt } from '../../../core/manifest/manifest';
import { toSafeText } from '../../../core/text/value-text';

/** Returns a check that allows the sysctls of a version. */
export function createSysctlCheck(allowed: readonly string[]): PodCheck {
  return ({ spec }) => {
    const names = getListAt(spec, 'securityContext', 'sysctls').map((sysctl) => toSafeText(getValueAt(sysctl, 'name')));
    const bad = names.filter((name) => !allowed.includes(name));
    if (bad.length === 0) return undefined;
    return { reason: 'forbidden sysctls', detail: bad.join(', '), field: ['securityContext', 'sysctls'] };
  };
}
