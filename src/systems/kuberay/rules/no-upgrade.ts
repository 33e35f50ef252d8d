import { byChoice, set } from '../../../core/advice';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { acceleratorsOf, headGroup } from '../accelerators';
import type { ReadRayService } from '../ray-service';
import { INCREMENTAL } from '../strategy';
import { firstVersionThat } from '../versions';
import { serviceText, WHOLE_SERVICE } from './examples';

interface NoneData {
  /** May the cluster be brought up a second time without asking for accelerators twice? */
  readonly isPlain: boolean;
  /** The first version that upgrades step by step as released, where the planned one does not. */
  readonly gatedBefore?: string;
}

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
    none: message<NoneData>({
      text: () =>
        'type is None: a change of rayClusterConfig, such as a new image, is not rolled out ' +
        'until an upgrade of the operator writes the whole of it over the running cluster. ' +
        'A worker group that is appended, and a change of serveConfigV2, go to the running cluster at once.',
      help: ({ isPlain, gatedBefore }) => {
        const whole = `Write type: NewCluster where there is room for a whole second cluster${isPlain ? '' : ', accelerators included'}`;
        if (gatedBefore !== undefined) return `${whole}. KubeRay ${gatedBefore} can upgrade step by step instead, with ${INCREMENTAL}.`;
        return isPlain
          ? `${whole}, or type: ${INCREMENTAL} with its options.`
          : `Write type: ${INCREMENTAL} with its options: a whole second cluster, as NewCluster brings up, has every accelerator twice.`;
      },
      advice: ({ isPlain }, path) => (isPlain ? byChoice(set(path, 'NewCluster')) : undefined),
      sample: { isPlain: true },
      variants: [{ isPlain: false }, { isPlain: true, gatedBefore: '1.7' }, { isPlain: false, gatedBefore: '1.7' }],
    }),
  },
});

/** A service that is never upgraded; where Git drives the upgrade, that is as meant. */
export function noUpgradeFindings({ type, drivenBy, places, behaviour, cluster, groups }: ReadRayService): Finding[] {
  if (type !== 'None' || drivenBy !== 'operator') return [];
  const isPlain = acceleratorsOf([headGroup(cluster), ...groups], []).length === 0;
  const gatedBefore = behaviour.gate === 'off' ? { gatedBefore: firstVersionThat(({ gate }) => gate === 'on') } : {};
  return [noUpgrade.finding('none', { path: places.type, data: { isPlain, ...gatedBefore } })];
}
