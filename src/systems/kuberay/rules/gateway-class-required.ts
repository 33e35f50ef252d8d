import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { Fields } from '../../../core/manifest/manifest';
import type { ParsedRayService } from '../ray-service';
import { INCREMENTAL_UPGRADE } from '../strategy';
import { VALID_RAY_SERVICE_TEXT, withUpgradeOption } from './examples';
import { API_SERVER_REJECTION_TEXT, formatOperatorRejection, operatorRejectionOf, SAMPLE_REJECTION } from './rejection';
import type { OperatorRejection } from './rejection';

const HELP = 'Set the name of a GatewayClass in the cluster, such as gatewayClassName: istio.';

/** Rule about an incremental upgrade without a class for its Gateway. */
export const gatewayClassRequired = defineRule({
  code: 'kuberay/gateway-class-required',
  since: '0.1.0',
  severity: 'error',
  fires: 'An incremental upgrade has no gatewayClassName, or no clusterUpgradeOptions at all.',
  why:
    'The operator creates a Gateway of this class to split the traffic, and has no default class. ' +
    'The API server refuses options without the field. The operator refuses an empty name or missing options.',
  fix: 'Set gatewayClassName under `clusterUpgradeOptions` to a GatewayClass in the cluster (`kubectl get gatewayclass`).',
  example: withUpgradeOption('gatewayClassName: istio', 'gatewayClassName: ""'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    noOptions: defineMessage<OperatorRejection>({
      text: (rejection) =>
        'clusterUpgradeOptions is missing. ' +
        formatOperatorRejection(rejection, 'ClusterUpgradeOptions are required for NewClusterWithIncrementalUpgrade'),
      help: () => 'Add clusterUpgradeOptions with gatewayClassName, maxSurgePercent, stepSizePercent and intervalSeconds.',
      sample: SAMPLE_REJECTION,
    }),
    missing: defineMessage<object>({
      text: () => `gatewayClassName is missing. ${API_SERVER_REJECTION_TEXT}`,
      help: () => HELP,
      sample: {},
    }),
    empty: defineMessage<OperatorRejection>({
      text: (rejection) =>
        `gatewayClassName is empty. ${formatOperatorRejection(rejection, 'gatewayClassName is required for NewClusterWithIncrementalUpgrade')}`,
      help: () => HELP,
      sample: SAMPLE_REJECTION,
    }),
  },
});

/** Reports an incremental upgrade without any options. */
export function checkUpgradeOptionsRequired(service: ParsedRayService): Finding[] {
  if (service.type !== INCREMENTAL_UPGRADE || service.options) return [];
  return [gatewayClassRequired.createFinding('noOptions', { path: service.paths.options, data: operatorRejectionOf(service) })];
}

/**
 * Reports options without a class. The API server refuses a missing class with any type.
 * The operator refuses an empty name, but only with the type that reads it.
 */
export function checkGatewayClassRequired(service: ParsedRayService, { gatewayClassName }: Fields): Finding[] {
  const path = toFieldPath`${service.paths.options}.gatewayClassName`;
  if ((gatewayClassName ?? undefined) === undefined) return [gatewayClassRequired.createFinding('missing', { path, data: {} })];
  if (gatewayClassName !== '' || service.type !== INCREMENTAL_UPGRADE) return [];
  return [gatewayClassRequired.createFinding('empty', { path, data: operatorRejectionOf(service) })];
}
