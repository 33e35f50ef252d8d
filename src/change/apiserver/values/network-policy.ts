import { isFields } from '../../../core/manifest/manifest';
import { checkAddressRange } from './address';
import { allowValues, checkPort, checkPortOrName, checkWhen, formatInvalidValue, isSet, requireAtLeast, requireValue } from './checks';
import { buildSelectorRules } from './label-selector';
import { checkField } from './rule';
import type { Check, ValueLocation, ValueRule } from './rule';

/* NetworkPolicies. Source: k/k pkg/apis/networking/validation/validation.go, `ValidateNetworkPolicySpec`. */

const hasPort = ({ holder }: ValueLocation) => isSet(holder.port);
const hasNamedPort = ({ holder }: ValueLocation) => typeof holder.port === 'string';

/** Requires selectors or a block of addresses, and no block next to selectors. */
const checkPeer: Check = (value) => {
  const { podSelector, namespaceSelector, ipBlock } = isFields(value) ? value : {};
  const hasSelector = isSet(podSelector) || isSet(namespaceSelector);
  if (!isSet(ipBlock)) return hasSelector ? undefined : 'Required value: must specify a peer';
  return hasSelector ? 'Forbidden: may not specify both ipBlock and another peer' : undefined;
};

/** Requires the number of a port before it. */
const checkEndPort: Check = (value, location) => {
  if (!isSet(value)) return undefined;
  if (!hasPort(location)) return formatInvalidValue(value, 'may not be specified when `port` is not specified');
  if (hasNamedPort(location)) return formatInvalidValue(value, 'may not be specified when `port` is non-numeric');
  return (
    requireAtLeast(Number(location.holder.port), 'must be greater than or equal to `port`')(value, location) ?? checkPort(value, location)
  );
};

/** Builds the rules of the peers and ports of one direction. */
function buildDirectionRules(direction: string, peers: string): ValueRule[] {
  const [port, peer] = [`${direction}.ports[]`, `${direction}.${peers}[]`];
  return [
    checkField(`${port}.protocol`, allowValues('TCP', 'UDP', 'SCTP')),
    checkField(`${port}.port`, checkWhen(hasPort, checkPortOrName)),
    checkField(`${port}.endPort`, checkEndPort),
    ...buildSelectorRules(`${peer}.podSelector`),
    ...buildSelectorRules(`${peer}.namespaceSelector`),
    checkField(`${peer}.ipBlock.cidr`, requireValue(), checkAddressRange),
    checkField(`${peer}.ipBlock.except[]`, checkAddressRange),
    checkField(peer, checkPeer),
  ];
}

export const NETWORK_POLICY_VALUES: readonly ValueRule[] = [
  ...buildSelectorRules('spec.podSelector'),
  ...buildDirectionRules('spec.ingress[]', 'from'),
  ...buildDirectionRules('spec.egress[]', 'to'),
  checkField('spec.policyTypes', (value) =>
    Array.isArray(value) && value.length > 2 ? formatInvalidValue(value, 'may not specify more than two policyTypes') : undefined,
  ),
  checkField('spec.policyTypes[]', allowValues('Ingress', 'Egress')),
];
