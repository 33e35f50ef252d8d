import { suggestManualFix, setField } from '../../../core/suggested-fix';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { computeAccelerators, buildHeadGroup } from '../accelerators';
import type { ParsedRayService } from '../ray-service';
import { INCREMENTAL_UPGRADE } from '../strategy';
import { findFirstVersion } from '../versions';
import { formatRayServiceExample, VALID_RAY_SERVICE_TEXT } from './examples';

interface NoUpgradeData {
  /** May the cluster be brought up a second time without asking for accelerators twice? */
  readonly hasNoAccelerators: boolean;
  /** The first version that upgrades step by step as released, where the planned one does not. */
  readonly enabledSince?: string;
}

/** A service whose cluster is never replaced. */
export const noUpgrade = defineRule({
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
  example: formatRayServiceExample('type: None'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    none: defineMessage<NoUpgradeData>({
      text: () =>
        'type is None: a change of rayClusterConfig, such as a new image, is not rolled out ' +
        'until an upgrade of the operator writes the whole of it over the running cluster. ' +
        'A worker group that is appended, and a change of serveConfigV2, go to the running cluster at once.',
      help: ({ hasNoAccelerators: isPlain, enabledSince }) => {
        const newClusterHelp = `Write type: NewCluster where there is room for a whole second cluster${isPlain ? '' : ', accelerators included'}`;
        if (enabledSince !== undefined)
          return `${newClusterHelp}. KubeRay ${enabledSince} can upgrade step by step instead, with ${INCREMENTAL_UPGRADE}.`;
        return isPlain
          ? `${newClusterHelp}, or type: ${INCREMENTAL_UPGRADE} with its options.`
          : `Write type: ${INCREMENTAL_UPGRADE} with its options: a whole second cluster, as NewCluster brings up, has every accelerator twice.`;
      },
      suggestedFix: ({ hasNoAccelerators: isPlain }, path) => (isPlain ? suggestManualFix(setField(path, 'NewCluster')) : undefined),
      sample: { hasNoAccelerators: true },
      variants: [
        { hasNoAccelerators: false },
        { hasNoAccelerators: true, enabledSince: '1.7' },
        { hasNoAccelerators: false, enabledSince: '1.7' },
      ],
    }),
  },
});

/** A service that is never upgraded; where Git drives the upgrade, that is as meant. */
export function checkNoUpgrade({ type, drivenBy, paths, behaviour, cluster, groups }: ParsedRayService): Finding[] {
  if (type !== 'None' || drivenBy !== 'operator') return [];
  const isPlain = computeAccelerators([buildHeadGroup(cluster), ...groups], []).length === 0;
  const enabledSince = behaviour.gate === 'off' ? { enabledSince: findFirstVersion(({ gate }) => gate === 'on') } : {};
  return [noUpgrade.createFinding('none', { path: paths.type, data: { hasNoAccelerators: isPlain, ...enabledSince } })];
}
