import { TEXT_FORMATS } from '../../../workloads/pod/validation/formats';
import { formatInvalidValue, toTextOrEmpty } from './checks';
import type { Check } from './rule';

/** Source: k/k pkg/apis/core/validation, `IsValidIPForLegacyField`. */
export const checkAddress: Check = (value) =>
  TEXT_FORMATS['ip-address'].matches(toTextOrEmpty(value))
    ? undefined
    : formatInvalidValue(toTextOrEmpty(value), 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)');

/** Addresses that traffic from other hosts cannot reach. */
const SPECIAL_ADDRESSES: readonly (readonly [is: RegExp, why: string])[] = [
  [/^0+(?:\.0+){3}$/, 'may not be unspecified (0.0.0.0)'],
  [/^::$/, 'may not be unspecified (::)'],
  [/^(?:127\.|::1$)/, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [/^(?:169\.254\.|fe[89ab][0-9a-f]:)/i, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [/^(?:224\.0\.0\.|ff02:)/i, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
];

/** Rejects addresses that traffic cannot reach. */
export const checkReachableAddress: Check = (value) => {
  const why = SPECIAL_ADDRESSES.find(([is]) => is.test(toTextOrEmpty(value)))?.[1];
  return why === undefined ? undefined : formatInvalidValue(toTextOrEmpty(value), why);
};

const DECIMAL_NUMBER = /^[0-9]{1,3}$/;

/** Checks a CIDR. Source: `IsValidCIDRForLegacyField`. */
export const checkAddressRange: Check = (value) => {
  const text = toTextOrEmpty(value);
  const [head = '', bits = '', ...more] = text.split('/');
  const most = head.includes(':') ? 128 : 32;
  if (more.length === 0 && TEXT_FORMATS['ip-address'].matches(head) && DECIMAL_NUMBER.test(bits) && Number(bits) <= most) return undefined;
  return formatInvalidValue(text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)');
};

/** Checks a CIDR of a Service, in which spaces at its ends are allowed for historical reasons. */
export const checkSourceRange: Check = (value, location) => checkAddressRange(toTextOrEmpty(value).trim(), location);

export function isIPv6Address(text: string): boolean {
  return text.includes(':');
}
