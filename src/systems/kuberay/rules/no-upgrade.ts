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
    'A change of rayClusterConfig (a new image, more memory) is then never rolled out, and nothing says so. ' +
    'A change of serveConfigV2 still goes to the running cluster in place. That is as meant where the steps of an upgrade come from Git.',
  fix: 'Write `type: NewClusterWithIncrementalUpgrade` with its options, or NewCluster where there is room for a whole second cluster.',
  example: serviceText('type: None'),
  fixed: WHOLE_SERVICE,
  messages: {
    none: message<object>({
      text: () =>
        'type is None: a change of rayClusterConfig, such as a new image, is never rolled out. ' +
        'A change of serveConfigV2 still goes to the running cluster.',
      help: () => `Write type: ${INCREMENTAL} with its options; or type: NewCluster where there is room for a whole second cluster.`,
      sample: {},
    }),
  },
});

/** A service that is never upgraded; where Git drives the upgrade, that is as meant. */
export function noUpgradeFindings({ type, drivenBy, places }: ReadRayService): Finding[] {
  return type === 'None' && drivenBy === 'operator' ? [noUpgrade.finding('none', { path: places.type, data: {} })] : [];
}
