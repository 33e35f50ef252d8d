import { FORMATS } from '../../../workloads/pod/validation/formats';
import { invalid, textOf } from './checks';
import type { Check } from './rule';

/** Source: k/k pkg/apis/core/validation, `IsValidIPForLegacyField`. */
export const address: Check = (value) =>
  FORMATS['ip-address'].fits(textOf(value))
    ? undefined
    : invalid(textOf(value), 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)');

/** Addresses that no traffic from elsewhere comes to. */
const SPECIAL: readonly (readonly [is: RegExp, why: string])[] = [
  [/^0+(?:\.0+){3}$/, 'may not be unspecified (0.0.0.0)'],
  [/^::$/, 'may not be unspecified (::)'],
  [/^(?:127\.|::1$)/, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [/^(?:169\.254\.|fe[89ab][0-9a-f]:)/i, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [/^(?:224\.0\.0\.|ff02:)/i, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
];

/** One that traffic can come to. */
export const reachableAddress: Check = (value) => {
  const why = SPECIAL.find(([is]) => is.test(textOf(value)))?.[1];
  return why === undefined ? undefined : invalid(textOf(value), why);
};

const WHOLE = /^[0-9]{1,3}$/;

/** Spaces at its ends do no harm, for historical reasons. Source: `IsValidCIDRForLegacyField`. */
export const addressRange: Check = (value) => {
  const text = textOf(value).trim();
  const [head = '', bits = '', ...more] = text.split('/');
  const most = head.includes(':') ? 128 : 32;
  if (more.length === 0 && FORMATS['ip-address'].fits(head) && WHOLE.test(bits) && Number(bits) <= most) return undefined;
  return invalid(text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)');
};

export function isAddress6(text: string): boolean {
  return text.includes(':');
}
