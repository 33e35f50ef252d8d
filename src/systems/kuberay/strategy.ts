import { isFields, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { Provenance } from '../../core/provenance';
import type { UpgradePace } from './upgrade-loop';

export const INCREMENTAL = 'NewClusterWithIncrementalUpgrade';
export const UPGRADE_TYPES: readonly string[] = [INCREMENTAL, 'NewCluster', 'None'];

export const STRATEGY_PATH = 'spec.upgradeStrategy';
export const OPTIONS_PATH = 'spec.upgradeStrategy.clusterUpgradeOptions';

/** The fields of clusterUpgradeOptions, in the order in which the plan lists them. */
export const OPTION_FIELDS = ['maxSurgePercent', 'stepSizePercent', 'intervalSeconds', 'gatewayClassName'] as const;

/** Seconds between two steps of traffic that the guide advises: time for both autoscalers to react ("Understanding intervalSeconds"). */
export const ADVISED_INTERVAL_SECONDS = 60;

/** maxSurgePercent where none is written (CRD default). */
const DEFAULT_SURGE = 100;

/** The type as written; undefined where there is none. */
export function typeOf(rayService: Manifest): string | undefined {
  const type = valueAt(rayService, 'spec', 'upgradeStrategy', 'type');
  return typeof type === 'string' ? type : undefined;
}

/** clusterUpgradeOptions as written; undefined where there are none. */
export function optionsOf(rayService: Manifest): Fields | undefined {
  const options = valueAt(rayService, 'spec', 'upgradeStrategy', 'clusterUpgradeOptions');
  return isFields(options) ? options : undefined;
}

/** The options that stand directly under upgradeStrategy, where nothing reads them. */
export function strayOptions(rayService: Manifest): string[] {
  const strategy = valueAt(rayService, 'spec', 'upgradeStrategy');
  return isFields(strategy) ? OPTION_FIELDS.filter((field) => field in strategy) : [];
}

/** The surge as the API server stores it. */
export function surgeOf(options: Fields): unknown {
  return options.maxSurgePercent ?? DEFAULT_SURGE;
}

/** The pace of an upgrade that nothing refuses: its numbers were checked. */
export function paceOf(options: Fields): UpgradePace {
  return {
    maxSurgePercent: surgeOf(options) as number,
    stepSizePercent: options.stepSizePercent as number,
    intervalSeconds: options.intervalSeconds as number,
  };
}

/**
 * Seconds that the old cluster outlives an upgrade: what is written, else 60. Source: KubeRay v1.7.0 `rayservice_controller.go`,
 * RayClusterDeletionDelaySeconds.
 */
export function deletionDelayOf(rayService: Manifest): number {
  const delay = valueAt(rayService, 'spec', 'rayClusterDeletionDelaySeconds');
  return typeof delay === 'number' ? delay : 60;
}

/** `spec.upgradeStrategy` as the API server stores it: fields that it does not know dropped, maxSurgePercent filled in. */
export function storedStrategy(rayService: Manifest): Fields {
  const type = typeOf(rayService);
  const options = optionsOf(rayService);
  return { ...(type !== undefined && { type }), ...(options && { clusterUpgradeOptions: storedOptions(options) }) };
}

function storedOptions(options: Fields): Fields {
  const written = OPTION_FIELDS.filter((field) => options[field] !== undefined && options[field] !== null);
  return { maxSurgePercent: DEFAULT_SURGE, ...Object.fromEntries(written.map((field) => [field, options[field]])) };
}

/** Who decided each field: the type, and of an incremental upgrade the options too. */
export function strategyProvenance(rayService: Manifest): Provenance[] {
  const type = typeOf(rayService);
  const deletion = ` The old cluster is deleted ${deletionDelayOf(rayService)} s after the new one took over.`;
  const decidedType: Provenance =
    type === undefined
      ? decided(
          'type',
          'NewCluster',
          'kuberay-default',
          `${STRATEGY_PATH}.type is not set; KubeRay then makes a whole second cluster.${deletion}`,
        )
      : decided('type', type, 'user', `${STRATEGY_PATH}.type is set.${type === 'None' ? '' : deletion}`);
  const options = optionsOf(rayService);
  if (type !== INCREMENTAL || !options) return [decidedType];

  const optionProvenance = OPTION_FIELDS.map((field) => {
    const path = `${OPTIONS_PATH}.${field}`;
    const isWritten = options[field] !== undefined && options[field] !== null;
    return isWritten
      ? decided(field, options[field], 'user', `${path} is set.${advice(field, options)}`)
      : decided(field, DEFAULT_SURGE, 'kuberay-default', `${path} is not set; the CRD fills in ${DEFAULT_SURGE}.`);
  });
  return [decidedType, ...optionProvenance];
}

/** What a reason adds where the guide would have it otherwise. */
function advice(field: string, options: Fields): string {
  const isShort = field === 'intervalSeconds' && Number(options.intervalSeconds) < ADVISED_INTERVAL_SECONDS;
  return isShort ? ` The guide advises ${ADVISED_INTERVAL_SECONDS}, so that both autoscalers can react to a step.` : '';
}

function decided(field: string, value: unknown, layer: string, reason: string): Provenance {
  return { field, value, layer, reason, overridden: [] };
}
