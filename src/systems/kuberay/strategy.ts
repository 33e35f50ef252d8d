import { isFields, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { UPGRADE_OPTION_FIELDS } from './fields';
import type { UpgradeOptionField } from './fields';
import type { UpgradePace } from './upgrade-loop';

export const INCREMENTAL_UPGRADE = 'NewClusterWithIncrementalUpgrade';
export const UPGRADE_TYPES: readonly string[] = [INCREMENTAL_UPGRADE, 'NewCluster', 'None'];

/** Seconds between two traffic steps that the guide advises, so that both autoscalers can react ("Understanding intervalSeconds"). */
export const ADVISED_INTERVAL_SECONDS = 60;

/** Default of maxSurgePercent (CRD default). */
export const DEFAULT_SURGE_PERCENT = 100;

/** Returns the type as written; undefined if there is none. */
export function upgradeTypeOf(rayService: Manifest): string | undefined {
  const type = getValueAt(rayService, 'spec', 'upgradeStrategy', 'type');
  return typeof type === 'string' ? type : undefined;
}

/** Returns clusterUpgradeOptions as written; undefined if there are none. */
export function upgradeOptionsOf(rayService: Manifest): Fields | undefined {
  const options = getValueAt(rayService, 'spec', 'upgradeStrategy', 'clusterUpgradeOptions');
  return isFields(options) ? options : undefined;
}

/** Lists the options that are directly under upgradeStrategy, where nothing reads them. */
export function listMisplacedOptions(rayService: Manifest): UpgradeOptionField[] {
  const strategy = getValueAt(rayService, 'spec', 'upgradeStrategy');
  return isFields(strategy) ? UPGRADE_OPTION_FIELDS.filter((field) => field in strategy) : [];
}

/** Returns the surge as the API server stores it. */
export function surgePercentOf(options: Fields): unknown {
  return options.maxSurgePercent ?? DEFAULT_SURGE_PERCENT;
}

/** Reports whether the operator accepts the value as maxSurgePercent or stepSizePercent. */
export function isPercentage(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 100;
}

/** Returns the pace of an accepted upgrade. Its numbers must be validated already. */
export function upgradePaceOf(options: Fields): UpgradePace {
  return {
    maxSurgePercent: surgePercentOf(options) as number,
    stepSizePercent: options.stepSizePercent as number,
    intervalSeconds: options.intervalSeconds as number,
  };
}

/**
 * Returns the seconds that the old cluster outlives an upgrade; 60 by default.
 *
 * Source: KubeRay v1.7.0 `rayservice_controller.go`, RayClusterDeletionDelaySeconds.
 */
export function resolveDeletionDelay(rayService: Manifest): number {
  const delay = getValueAt(rayService, 'spec', 'rayClusterDeletionDelaySeconds');
  return typeof delay === 'number' ? delay : 60;
}
