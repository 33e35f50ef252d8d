import { isFields, getListAt, getValueAt } from '../../../core/manifest/manifest';
import { checkAddress, checkSourceRange, isIPv6Address, checkReachableAddress } from './address';
import {
  allowValues,
  requireOneOf,
  rejectIfSet,
  requireFormat,
  checkFormatIfSet,
  formatInvalidValue,
  isSet,
  rejectAsInvalid,
  toNumberOrZero,
  checkPort,
  checkPortOrName,
  requireValue,
  toTextOrEmpty,
  requireUnique,
  checkWhen,
} from './checks';
import { buildLabelRules } from './label-selector';
import { reportAs, checkField } from './rule';
import type { Check, ValueLocation, ValueRule } from './rule';

/* Services. Source: k/k pkg/apis/core/validation/validation.go, `validateService`. */

const specFieldOf = ({ object }: ValueLocation, name: string): unknown => getValueAt(object, 'spec', name);
const isOfType =
  (...types: readonly string[]) =>
  (location: ValueLocation) =>
    types.includes(toTextOrEmpty(specFieldOf(location, 'type')));
const isHeadless = (location: ValueLocation) => specFieldOf(location, 'clusterIP') === 'None';
const isExternallyReachable = (location: ValueLocation) =>
  isOfType('LoadBalancer', 'NodePort')(location) ||
  (isOfType('ClusterIP')(location) && getListAt(location.object, 'spec', 'externalIPs').length > 0);
const hasHealthCheckPort = (location: ValueLocation) =>
  isOfType('LoadBalancer')(location) && specFieldOf(location, 'externalTrafficPolicy') === 'Local';
const negate = (condition: (location: ValueLocation) => boolean) => (location: ValueLocation) => !condition(location);

const LOAD_BALANCER_ONLY_MESSAGE = "may only be used when `type` is 'LoadBalancer'";
const NOT_EXTERNAL_NAME_MESSAGE = 'may not be set for ExternalName services';

const portNameOf = (item: unknown) => (isFields(item) && item.name !== '' ? item.name : undefined);
const protocolOf = (item: unknown) => (isFields(item) ? toTextOrEmpty(item.protocol ?? 'TCP') : 'TCP');
const nodePortOf = (item: unknown) => (isFields(item) && typeof item.nodePort === 'number' ? item.nodePort : undefined);
const portNumberOf = (item: unknown) => (isFields(item) ? toNumberOrZero(item.port) : 0);

const checkHeadless: Check = (value, location) => {
  const isNone = location.index === 0 && value === 'None';
  return isNone && isOfType('LoadBalancer', 'NodePort')(location)
    ? formatInvalidValue('None', `may not be set to 'None' for ${toTextOrEmpty(specFieldOf(location, 'type'))} services`)
    : undefined;
};

/** Checks the name of an external service, which may end with a dot. */
const checkExternalName: Check = (value, location) => {
  const name = toTextOrEmpty(value).replace(/\.$/, '');
  return name === '' ? 'Required value' : requireFormat('dns-subdomain')(name, location);
};

/** Requires an address of the family at the same position of ipFamilies. */
const checkAddressFamily: Check = (value, location) => {
  const family = getListAt(location.object, 'spec', 'ipFamilies')[location.index];
  const expected = isIPv6Address(toTextOrEmpty(value)) ? 'IPv6' : 'IPv4';
  if (isHeadless(location) || (family !== 'IPv4' && family !== 'IPv6') || family === expected) return undefined;
  return formatInvalidValue(value, `expected an ${family} value as indicated by \`ipFamilies[${location.index}]\``);
};

const checkFirstAddress: Check = (value, location) => {
  const [first] = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const own = specFieldOf(location, 'clusterIP');
  if (!isSet(own)) return first === undefined ? undefined : formatInvalidValue(value, 'must be empty when `clusterIP` is not specified');
  return first === undefined || first === own ? undefined : formatInvalidValue(value, 'first value must match `clusterIP`');
};

const DAY_SECONDS = 86_400;

const checkSessionTimeout: Check = (value, location) => {
  const seconds = toNumberOrZero(value);
  const isRight = specFieldOf(location, 'sessionAffinity') !== 'ClientIP' || (seconds > 0 && seconds <= DAY_SECONDS);
  return isRight ? undefined : formatInvalidValue(seconds, `must be greater than 0 and less than ${DAY_SECONDS}`);
};

export const SERVICE_VALUES: readonly ValueRule[] = [
  checkField(
    'spec.ports',
    checkWhen((location) => !isHeadless(location) && !isOfType('ExternalName')(location), requireValue()),
  ),
  checkField('spec.clusterIPs[]', checkHeadless),
  checkField('spec.clusterIPs', checkWhen(isOfType('ExternalName'), rejectIfSet(NOT_EXTERNAL_NAME_MESSAGE))),
  checkField('spec.ipFamilies', checkWhen(isOfType('ExternalName'), rejectIfSet(NOT_EXTERNAL_NAME_MESSAGE))),
  checkField('spec.ipFamilyPolicy', checkWhen(isOfType('ExternalName'), rejectIfSet(NOT_EXTERNAL_NAME_MESSAGE))),
  checkField('spec.externalName', checkWhen(isOfType('ExternalName'), checkExternalName)),
  checkField(
    'spec.ports[].name',
    checkWhen(({ list }) => list.length > 1, requireValue()),
    checkFormatIfSet('dns-label'),
    requireUnique(portNameOf),
  ),
  checkField('spec.ports[].port', checkPort),
  checkField('spec.ports[].protocol', allowValues('SCTP', 'TCP', 'UDP')),
  checkField('spec.ports[].targetPort', checkPortOrName),
  checkField(
    'spec.ports[].appProtocol',
    checkWhen(({ holder }) => isSet(holder.appProtocol), requireFormat('qualified-name')),
  ),
  ...buildLabelRules('spec.selector'),
  checkField('spec.sessionAffinity', allowValues('ClientIP', 'None')),
  checkField('spec.sessionAffinityConfig.clientIP.timeoutSeconds', checkSessionTimeout),
  checkField('spec.clusterIPs', checkWhen(negate(isOfType('ExternalName')), checkFirstAddress)),
  checkField(
    'spec.ipFamilies[]',
    checkWhen(
      negate(isOfType('ExternalName')),
      requireOneOf('IPv4', 'IPv6'),
      requireUnique((family) => family),
    ),
  ),
  checkField(
    'spec.ipFamilyPolicy',
    checkWhen(negate(isOfType('ExternalName')), allowValues('PreferDualStack', 'RequireDualStack', 'SingleStack')),
  ),
  checkField(
    'spec.clusterIPs[]',
    checkWhen((location) => !isOfType('ExternalName')(location) && !isHeadless(location), checkAddress, checkAddressFamily),
  ),
  checkField('spec.externalIPs[]', checkAddress, checkReachableAddress),
  checkField('spec.type', allowValues('ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort')),
  checkField('spec.ports[].nodePort', checkWhen(isOfType('ClusterIP'), rejectIfSet("may not be used when `type` is 'ClusterIP'"))),
  checkField(
    'spec.ports[].nodePort',
    requireUnique((item) => (isSet(nodePortOf(item)) ? `${protocolOf(item)} ${nodePortOf(item)}` : undefined), nodePortOf),
  ),
  checkField(
    'spec.ports[]',
    requireUnique(
      (item) => `${protocolOf(item)} ${portNumberOf(item)}`,
      (item) => ({ Name: '', Protocol: protocolOf(item), AppProtocol: null, Port: portNumberOf(item), TargetPort: 0, NodePort: 0 }),
    ),
  ),
  reportAs(
    'spec.LoadBalancerSourceRanges',
    checkField('spec.loadBalancerSourceRanges', checkWhen(negate(isOfType('LoadBalancer')), rejectIfSet(LOAD_BALANCER_ONLY_MESSAGE))),
  ),
  reportAs('spec.LoadBalancerSourceRanges[]', checkField('spec.loadBalancerSourceRanges[]', checkSourceRange)),
  checkField('spec.allocateLoadBalancerNodePorts', checkWhen(negate(isOfType('LoadBalancer')), rejectIfSet(LOAD_BALANCER_ONLY_MESSAGE))),
  checkField(
    'spec.loadBalancerClass',
    checkWhen(negate(isOfType('LoadBalancer')), rejectIfSet(LOAD_BALANCER_ONLY_MESSAGE)),
    checkWhen(({ holder }) => isSet(holder.loadBalancerClass), requireFormat('qualified-name')),
  ),
  checkField(
    'spec.externalTrafficPolicy',
    checkWhen(negate(isExternallyReachable), rejectAsInvalid('may only be set for externally-accessible services')),
    allowValues('Cluster', 'Local'),
  ),
  checkField(
    'spec.healthCheckNodePort',
    checkWhen(
      negate(hasHealthCheckPort),
      rejectAsInvalid("may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"),
    ),
    checkWhen(({ holder }) => isSet(holder.healthCheckNodePort), checkPort),
  ),
  checkField('spec.internalTrafficPolicy', allowValues('Cluster', 'Local')),
  checkField('spec.trafficDistribution', allowValues('PreferClose', 'PreferSameZone', 'PreferSameNode')),
];
