import { isFields, getValueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { UPGRADE_OPTION_FIELDS } from './fields';
import type { UpgradeOptionField } from './fields';
import type { UpgradePace } from './upgrade-loop';

export const INCREMENTAL_UPGRADE = 'NewClusterWithIncrementalUpgrade';
export const UPGRADE_TYPES: readonly string[] = [INCREMENTAL_UPGRADE, 'NewCluster', 'None'];

/** Seconds between two steps of traffic that the guide advises: time for both autoscalers to react ("Understanding intervalSeconds"). */
export const ADVISED_INTERVAL_SECONDS = 60;

/** maxSurgePercent where none is written (CRD default). */
export const DEFAULT_SURGE_PERCENT = 100;

/** The type as written; undefined where there is none. */
export function upgradeTypeOf(rayService: Manifest): string | undefined {
  const type = getValueAt(rayService, 'spec', 'upgradeStrategy', 'type');
  return typeof type === 'string' ? type : undefined;
}

/** clusterUpgradeOptions as written; undefined where there are none. */
export function upgradeOptionsOf(rayService: Manifest): Fields | undefined {
  const options = getValueAt(rayService, 'spec', 'upgradeStrategy', 'clusterUpgradeOptions');
  return isFields(options) ? options : undefined;
}

/** The options that stand directly under upgradeStrategy, where nothing reads them. */
export function listMisplacedOptions(rayService: Manifest): UpgradeOptionField[] {
  const strategy = getValueAt(rayService, 'spec', 'upgradeStrategy');
  return isFields(strategy) ? UPGRADE_OPTION_FIELDS.filter((field) => field in strategy) : [];
}

/** The surge as the API server stores it. */
export function surgePercentOf(options: Fields): unknown {
  return options.maxSurgePercent ?? DEFAULT_SURGE_PERCENT;
}

/** Does the operator take this for maxSurgePercent or stepSizePercent? */
export function isPercentage(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 100;
}

/** The pace of an upgrade that nothing refuses: its numbers were checked. */
export function upgradePaceOf(options: Fields): UpgradePace {
  return {
    maxSurgePercent: surgePercentOf(options) as number,
    stepSizePercent: options.stepSizePercent as number,
    intervalSeconds: options.intervalSeconds as number,
  };
}

/**
 * Seconds that the old cluster outlives an upgrade: what is written, else 60. Source: KubeRay v1.7.0 `rayservice_controller.go`,
 * RayClusterDeletionDelaySeconds.
 */
export function resolveDeletionDelay(rayService: Manifest): number {
  const delay = getValueAt(rayService, 'spec', 'rayClusterDeletionDelaySeconds');
  return typeof delay === 'number' ? delay : 60;
}
