import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { Fields } from '../../../core/manifest';
import type { ReadRayService } from '../ray-service';
import { INCREMENTAL } from '../strategy';
import { WHOLE_SERVICE, withOption } from './examples';
import { API_SERVER_REFUSES, operatorRefuses, refusalOf, SAMPLE_REFUSAL } from './refusal';
import type { Refusal } from './refusal';

const NAME_A_CLASS = 'Write the name of a GatewayClass of the cluster: gatewayClassName: istio.';

/** An incremental upgrade without the class of its Gateway. */
export const gatewayClassRequired = rule({
  code: 'kuberay/gateway-class-required',
  since: '0.1.0',
  severity: 'error',
  fires: 'An incremental upgrade without gatewayClassName, or without clusterUpgradeOptions at all.',
  why:
    'The operator makes a Gateway of this class to split the traffic, and has no default for it. ' +
    'The API server refuses options without the field, the operator an empty name or missing options.',
  fix: 'Write the name of a GatewayClass of the cluster (`kubectl get gatewayclass`) under `clusterUpgradeOptions`.',
  example: withOption('gatewayClassName: istio', 'gatewayClassName: ""'),
  fixed: WHOLE_SERVICE,
  messages: {
    noOptions: message<Refusal>({
      text: (refusal) =>
        'clusterUpgradeOptions is missing. ' +
        operatorRefuses(refusal, 'ClusterUpgradeOptions are required for NewClusterWithIncrementalUpgrade'),
      help: () => 'Write clusterUpgradeOptions with gatewayClassName, maxSurgePercent, stepSizePercent and intervalSeconds.',
      sample: SAMPLE_REFUSAL,
    }),
    missing: message<object>({
      text: () => `gatewayClassName is missing. ${API_SERVER_REFUSES}`,
      help: () => NAME_A_CLASS,
      sample: {},
    }),
    empty: message<Refusal>({
      text: (refusal) =>
        `gatewayClassName is empty. ${operatorRefuses(refusal, 'gatewayClassName is required for NewClusterWithIncrementalUpgrade')}`,
      help: () => NAME_A_CLASS,
      sample: SAMPLE_REFUSAL,
    }),
  },
});

/** An incremental upgrade without any options. */
export function noOptionsFindings(service: ReadRayService): Finding[] {
  if (service.type !== INCREMENTAL || service.options) return [];
  return [gatewayClassRequired.finding('noOptions', { path: service.places.options, data: refusalOf(service) })];
}

/** Options without a class: the API server refuses them under any type, the operator an empty name under the type that reads them. */
export function gatewayClassFindings(service: ReadRayService, { gatewayClassName }: Fields): Finding[] {
  const path = at`${service.places.options}.gatewayClassName`;
  if ((gatewayClassName ?? undefined) === undefined) return [gatewayClassRequired.finding('missing', { path, data: {} })];
  if (gatewayClassName !== '' || service.type !== INCREMENTAL) return [];
  return [gatewayClassRequired.finding('empty', { path, data: refusalOf(service) })];
}
