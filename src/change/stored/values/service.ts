import { isFields, listAt, valueAt } from '../../../core/manifest';
import { address, addressRange, isAddress6, reachableAddress } from './address';
import {
  choice,
  choiceNeeded,
  forbidden,
  formatted,
  formattedIfAny,
  invalid,
  isGiven,
  never,
  numberOf,
  port,
  portOrName,
  required,
  textOf,
  unique,
  when,
} from './checks';
import { labelRules } from './label-selector';
import { as, on } from './rule';
import type { Check, Place, ValueRule } from './rule';

/* Services. Source: k/k pkg/apis/core/validation/validation.go, `validateService`. */

const specOf = ({ object }: Place, name: string): unknown => valueAt(object, 'spec', name);
const isOf =
  (...types: readonly string[]) =>
  (place: Place) =>
    types.includes(textOf(specOf(place, 'type')));
const isHeadless = (place: Place) => specOf(place, 'clusterIP') === 'None';
const isReachedFromOutside = (place: Place) =>
  isOf('LoadBalancer', 'NodePort')(place) || (isOf('ClusterIP')(place) && listAt(place.object, 'spec', 'externalIPs').length > 0);
const isHealthChecked = (place: Place) => isOf('LoadBalancer')(place) && specOf(place, 'externalTrafficPolicy') === 'Local';
const not = (holds: (place: Place) => boolean) => (place: Place) => !holds(place);

const isOnlyBalanced = "may only be used when `type` is 'LoadBalancer'";
const isNotExternal = 'may not be set for ExternalName services';

const nameOfPort = (item: unknown) => (isFields(item) && item.name !== '' ? item.name : undefined);
const protocolOf = (item: unknown) => (isFields(item) ? textOf(item.protocol ?? 'TCP') : 'TCP');
const nodePortOf = (item: unknown) => (isFields(item) && typeof item.nodePort === 'number' ? item.nodePort : undefined);
const portOf = (item: unknown) => (isFields(item) ? numberOf(item.port) : 0);

const headless: Check = (value, place) => {
  const isNone = place.index === 0 && value === 'None';
  return isNone && isOf('LoadBalancer', 'NodePort')(place)
    ? invalid('None', `may not be set to 'None' for ${textOf(specOf(place, 'type'))} services`)
    : undefined;
};

/** The second name of an external service's address has a dot at its end, or none. */
const externalName: Check = (value, place) => {
  const name = textOf(value).replace(/\.$/, '');
  return name === '' ? 'Required value' : formatted('dns-subdomain')(name, place);
};

/** An address of the family that stands at its position. */
const ofFamily: Check = (value, place) => {
  const family = listAt(place.object, 'spec', 'ipFamilies')[place.index];
  const wanted = isAddress6(textOf(value)) ? 'IPv6' : 'IPv4';
  if (isHeadless(place) || (family !== 'IPv4' && family !== 'IPv6') || family === wanted) return undefined;
  return invalid(value, `expected an ${family} value as indicated by \`ipFamilies[${place.index}]\``);
};

const firstAddress: Check = (value, place) => {
  const [first] = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const own = specOf(place, 'clusterIP');
  if (!isGiven(own)) return first === undefined ? undefined : invalid(value, 'must be empty when `clusterIP` is not specified');
  return first === undefined || first === own ? undefined : invalid(value, 'first value must match `clusterIP`');
};

const DAY = 86_400;

const stickiness: Check = (value, place) => {
  const seconds = numberOf(value);
  const isRight = specOf(place, 'sessionAffinity') !== 'ClientIP' || (seconds > 0 && seconds <= DAY);
  return isRight ? undefined : invalid(seconds, `must be greater than 0 and less than ${DAY}`);
};

export const SERVICE_VALUES: readonly ValueRule[] = [
  on(
    'spec.ports',
    when((place) => !isHeadless(place) && !isOf('ExternalName')(place), required()),
  ),
  on('spec.clusterIPs[]', headless),
  on('spec.clusterIPs', when(isOf('ExternalName'), forbidden(isNotExternal))),
  on('spec.ipFamilies', when(isOf('ExternalName'), forbidden(isNotExternal))),
  on('spec.ipFamilyPolicy', when(isOf('ExternalName'), forbidden(isNotExternal))),
  on('spec.externalName', when(isOf('ExternalName'), externalName)),
  on(
    'spec.ports[].name',
    when(({ list }) => list.length > 1, required()),
    formattedIfAny('dns-label'),
    unique(nameOfPort),
  ),
  on('spec.ports[].port', port),
  on('spec.ports[].protocol', choice('SCTP', 'TCP', 'UDP')),
  on('spec.ports[].targetPort', portOrName),
  on(
    'spec.ports[].appProtocol',
    when(({ holder }) => isGiven(holder.appProtocol), formatted('qualified-name')),
  ),
  ...labelRules('spec.selector'),
  on('spec.sessionAffinity', choice('ClientIP', 'None')),
  on('spec.sessionAffinityConfig.clientIP.timeoutSeconds', stickiness),
  on('spec.clusterIPs', when(not(isOf('ExternalName')), firstAddress)),
  on(
    'spec.ipFamilies[]',
    when(
      not(isOf('ExternalName')),
      choiceNeeded('IPv4', 'IPv6'),
      unique((family) => family),
    ),
  ),
  on('spec.ipFamilyPolicy', when(not(isOf('ExternalName')), choice('PreferDualStack', 'RequireDualStack', 'SingleStack'))),
  on(
    'spec.clusterIPs[]',
    when((place) => !isOf('ExternalName')(place) && !isHeadless(place), address, ofFamily),
  ),
  on('spec.externalIPs[]', address, reachableAddress),
  on('spec.type', choice('ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort')),
  on('spec.ports[].nodePort', when(isOf('ClusterIP'), forbidden("may not be used when `type` is 'ClusterIP'"))),
  on(
    'spec.ports[].nodePort',
    unique((item) => (isGiven(nodePortOf(item)) ? `${protocolOf(item)} ${nodePortOf(item)}` : undefined), nodePortOf),
  ),
  on(
    'spec.ports[]',
    unique(
      (item) => `${protocolOf(item)} ${portOf(item)}`,
      (item) => ({ Name: '', Protocol: protocolOf(item), AppProtocol: null, Port: portOf(item), TargetPort: 0, NodePort: 0 }),
    ),
  ),
  as('spec.LoadBalancerSourceRanges', on('spec.loadBalancerSourceRanges', when(not(isOf('LoadBalancer')), forbidden(isOnlyBalanced)))),
  as('spec.LoadBalancerSourceRanges[]', on('spec.loadBalancerSourceRanges[]', addressRange)),
  on('spec.allocateLoadBalancerNodePorts', when(not(isOf('LoadBalancer')), forbidden(isOnlyBalanced))),
  on(
    'spec.loadBalancerClass',
    when(not(isOf('LoadBalancer')), forbidden(isOnlyBalanced)),
    when(({ holder }) => isGiven(holder.loadBalancerClass), formatted('qualified-name')),
  ),
  on(
    'spec.externalTrafficPolicy',
    when(not(isReachedFromOutside), never('may only be set for externally-accessible services')),
    choice('Cluster', 'Local'),
  ),
  on(
    'spec.healthCheckNodePort',
    when(not(isHealthChecked), never("may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'")),
    when(({ holder }) => isGiven(holder.healthCheckNodePort), port),
  ),
  on('spec.internalTrafficPolicy', choice('Cluster', 'Local')),
  on('spec.trafficDistribution', choice('PreferClose', 'PreferSameZone', 'PreferSameNode')),
];
