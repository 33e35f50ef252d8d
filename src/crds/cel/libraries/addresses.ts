import type { CelFunc } from '@bufbuild/cel';
import {
  parseAddress,
  formatAddress,
  containsAddress,
  containsNetwork,
  isGlobalUnicast,
  isAddressOfKind,
  applyNetworkMask,
  parseNetwork,
} from '../address';
import type { AddressKind } from '../address';
import { unwrapKubernetesValueAs } from '../kubernetes-value';
import { assertValue } from './function-kit';
import type { FunctionKit } from './function-kit';

/** Creates the functions of IP addresses and networks. */
export function createAddressFunctions({ types: { DYN, OWN, STRING }, wrapOwn, func, method }: FunctionKit): CelFunc[] {
  const address = (value: unknown) => wrapOwn({ type: 'ip', value: assertValue(parseAddress(value as string), 'no IP address') });
  const network = (value: unknown) => wrapOwn({ type: 'cidr', value: assertValue(parseNetwork(value as string), 'no network') });
  const ipOf = (value: unknown) => unwrapKubernetesValueAs(value, 'ip').value;
  const cidrOf = (value: unknown) => unwrapKubernetesValueAs(value, 'cidr').value;
  const kinds: readonly AddressKind[] = ['isUnspecified', 'isLoopback', 'isLinkLocalMulticast', 'isLinkLocalUnicast'];

  const addresses = [
    func('ip', [STRING], address),
    func('isIP', [STRING], (text: string) => parseAddress(text) !== undefined),
    func('ip.isCanonical', [STRING], (text: string) => formatAddress(assertValue(parseAddress(text), 'no IP address')) === text),
    method('family', OWN, [], (value) => BigInt(ipOf(value).family)),
    ...kinds.map((kind) => method(kind, OWN, [], (value) => isAddressOfKind(ipOf(value), kind))),
    method('isGlobalUnicast', OWN, [], (value) => isGlobalUnicast(ipOf(value))),
    func('cidr', [STRING], network),
    func('isCIDR', [STRING], (text: string) => parseNetwork(text) !== undefined),
    method('containsIP', OWN, [DYN], (value, other) =>
      containsAddress(cidrOf(value), typeof other === 'string' ? assertValue(parseAddress(other), 'no IP address') : ipOf(other)),
    ),
    method('containsCIDR', OWN, [DYN], (value, other) =>
      containsNetwork(cidrOf(value), typeof other === 'string' ? assertValue(parseNetwork(other), 'no network') : cidrOf(other)),
    ),
    method('ip', OWN, [], (value) => wrapOwn({ type: 'ip', value: cidrOf(value).address })),
    method('prefixLength', OWN, [], (value) => BigInt(cidrOf(value).length)),
    method('masked', OWN, [], (value) => wrapOwn({ type: 'cidr', value: applyNetworkMask(cidrOf(value)) })),
  ];

  return addresses;
}
