import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { ReadRayService } from '../ray-service';
import { INCREMENTAL } from '../strategy';
import { serviceText, WHOLE_SERVICE } from './examples';

/** A service whose cluster is never replaced. */
export const noUpgrade = rule({
  code: 'kuberay/no-upgrade',
  since: '0.1.0',
  severity: 'warning',
  fires: 'upgradeStrategy.type is None.',
  why:
    'A change of rayClusterConfig (a new image, more memory) is then not rolled out, and nothing says so. ' +
    'That is not nothing, ever: a worker group that is appended goes into the running cluster, with its pods and GPUs, ' +
    'and the next upgrade of the operator writes the whole of rayClusterConfig over the running cluster, changes of months ago included. ' +
    'A change of serveConfigV2 goes there at once. The stages of an upgrade by Git build on None: ' +
    'do not upgrade the operator between two of them, and append no worker group. ' +
    'Source: rayservice_controller.go, shouldUpdateCluster.',
  fix: 'Write `type: NewClusterWithIncrementalUpgrade` with its options, or NewCluster where there is room for a whole second cluster.',
  example: serviceText('type: None'),
  fixed: WHOLE_SERVICE,
  messages: {
    none: message<object>({
      text: () =>
        'type is None: a change of rayClusterConfig, such as a new image, is not rolled out ' +
        'until an upgrade of the operator writes the whole of it over the running cluster. ' +
        'A worker group that is appended, and a change of serveConfigV2, go to the running cluster at once.',
      help: () => `Write type: ${INCREMENTAL} with its options; or type: NewCluster where there is room for a whole second cluster.`,
      sample: {},
    }),
  },
});

/** A service that is never upgraded; where Git drives the upgrade, that is as meant. */
export function noUpgradeFindings({ type, drivenBy, places }: ReadRayService): Finding[] {
  return type === 'None' && drivenBy === 'operator' ? [noUpgrade.finding('none', { path: places.type, data: {} })] : [];
}
