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

/** maxSurgePercent where none is written (CRD default). */
export const DEFAULT_SURGE = 100;

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

/** Who decided each field: the type, and of an incremental upgrade the options too. `surge` says what the surge means in pods. */
export function strategyProvenance(rayService: Manifest, surge: string): Provenance[] {
  const type = typeOf(rayService);
  const decidedType: Provenance =
    type === undefined
      ? decided('type', 'NewCluster', 'kuberay-default', `${STRATEGY_PATH}.type is not set; KubeRay then makes a whole second cluster.`)
      : decided('type', type, 'user', `${STRATEGY_PATH}.type is set.`);
  const options = optionsOf(rayService);
  if (type !== INCREMENTAL || !options) return [decidedType];

  const optionProvenance = OPTION_FIELDS.map((field) => {
    const path = `${OPTIONS_PATH}.${field}`;
    const isWritten = options[field] !== undefined && options[field] !== null;
    const meaning = field === 'maxSurgePercent' && surge !== '' ? ` ${surge}` : '';
    return isWritten
      ? decided(field, options[field], 'user', `${path} is set.${meaning}`)
      : decided(field, DEFAULT_SURGE, 'kuberay-default', `${path} is not set; the CRD fills in ${DEFAULT_SURGE}.${meaning}`);
  });
  return [decidedType, ...optionProvenance];
}

function decided(field: string, value: unknown, layer: string, reason: string): Provenance {
  return { field, value, layer, reason, overridden: [] };
}
