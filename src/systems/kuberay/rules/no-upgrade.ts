import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { toFieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { computeAccelerators, buildHeadGroup } from '../accelerators';
import type { ParsedRayService } from '../ray-service';
import { INCREMENTAL_UPGRADE } from '../strategy';
import { findFirstVersion } from '../versions';
import { formatRayServiceExample, VALID_RAY_SERVICE_TEXT } from './examples';

interface NoUpgradeData {
  /** Whether the cluster requests no accelerators, so a second cluster needs none either. */
  readonly hasNoAccelerators: boolean;
  /** The first version with incremental upgrades on by default; unset if the planned version has them. */
  readonly enabledSince?: string;
}

/** Rule about a service whose cluster is never replaced. */
export const noUpgrade = defineRule({
  code: 'kuberay/no-upgrade',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'upgradeStrategy.type is None, and no annotation `rolloutkit/upgrade-driver: git` says that Git drives the upgrade. ' +
    'Constructs and components also report an upgrade by Git whose two services do not differ.',
  why:
    'A change of rayClusterConfig (a new image, more memory) is then silently not rolled out. ' +
    'Some changes still reach the running cluster. An appended worker group is added to it at once, with its pods and GPUs. ' +
    'The next upgrade of the operator writes the full rayClusterConfig over it, including changes made months ago. ' +
    'A change of serveConfigV2 is applied to it at once. The stages of an upgrade by Git depend on None: ' +
    'do not upgrade the operator or append a worker group between two stages. ' +
    'Source: rayservice_controller.go, shouldUpdateCluster.',
  fix: 'Set `type: NewClusterWithIncrementalUpgrade` with its options, or NewCluster if there is capacity for a full second cluster.',
  example: formatRayServiceExample('type: None'),
  fixedExample: VALID_RAY_SERVICE_TEXT,
  messages: {
    none: defineMessage<NoUpgradeData>({
      text: () =>
        'type is None: a change of rayClusterConfig, such as a new image, is not rolled out ' +
        'until an operator upgrade writes the full rayClusterConfig over the running cluster. ' +
        'An appended worker group and a change of serveConfigV2 are applied to the running cluster at once.',
      help: ({ hasNoAccelerators, enabledSince }) => {
        const newClusterHelp = `Set type: NewCluster if there is capacity for a full second cluster${hasNoAccelerators ? '' : ', including its accelerators'}`;
        if (enabledSince !== undefined)
          return `${newClusterHelp}. KubeRay ${enabledSince} can upgrade step by step instead, with ${INCREMENTAL_UPGRADE}.`;
        return hasNoAccelerators
          ? `${newClusterHelp}, or set type: ${INCREMENTAL_UPGRADE} with its options.`
          : `Set type: ${INCREMENTAL_UPGRADE} with its options. NewCluster creates a full second cluster, which doubles every accelerator.`;
      },
      suggestedFix: ({ hasNoAccelerators }, path) => (hasNoAccelerators ? suggestManualFix(setField(path, 'NewCluster')) : undefined),
      sample: { hasNoAccelerators: true },
      variants: [
        { hasNoAccelerators: false },
        { hasNoAccelerators: true, enabledSince: '1.7' },
        { hasNoAccelerators: false, enabledSince: '1.7' },
      ],
    }),
    sameService: defineMessage({
      text: () => 'next is the same as current: the stages replace every pod by one that does not differ.',
      help: () => 'Write what changes into next, such as another image. Until then, set stage: 0.',
      sample: {},
    }),
  },
});

/** Creates the finding about an upgrade by Git to the same service. */
export function createSameServiceFinding(): Finding {
  return noUpgrade.createFinding('sameService', { path: toFieldPath`next`, data: {} });
}

/** Reports a service that is never upgraded. If Git drives the upgrade, type None is intended. */
export function checkNoUpgrade({ type, drivenBy, paths, behaviour, cluster, groups }: ParsedRayService): Finding[] {
  if (type !== 'None' || drivenBy !== 'operator') return [];
  const hasNoAccelerators = computeAccelerators([buildHeadGroup(cluster), ...groups], []).length === 0;
  const enabledSince = behaviour.gate === 'off' ? { enabledSince: findFirstVersion(({ gate }) => gate === 'on') } : {};
  return [noUpgrade.createFinding('none', { path: paths.type, data: { hasNoAccelerators, ...enabledSince } })];
}
