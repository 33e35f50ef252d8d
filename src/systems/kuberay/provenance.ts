import { toFieldPath } from '../../core/manifest/field-path';
import type { Fields } from '../../core/manifest/manifest';
import type { Provenance } from '../../core/document/provenance';
import { UPGRADE_OPTION_FIELDS } from './fields';
import type { UpgradeOptionField } from './fields';
import type { ParsedRayService } from './ray-service';
import { ADVISED_INTERVAL_SECONDS, DEFAULT_SURGE_PERCENT, resolveDeletionDelay, INCREMENTAL_UPGRADE } from './strategy';
import { toSafeNumber } from '../../core/text/value-text';

/** Returns `spec.upgradeStrategy` as the API server stores it: without unknown fields, and with the default maxSurgePercent. */
export function applyUpgradeStrategyDefaults({ type, options }: ParsedRayService): Fields {
  return { ...(type !== undefined && { type }), ...(options && { clusterUpgradeOptions: applyOptionDefaults(options) }) };
}

function applyOptionDefaults(options: Fields): Fields {
  const setFields = UPGRADE_OPTION_FIELDS.filter((field) => options[field] !== undefined && options[field] !== null);
  return { maxSurgePercent: DEFAULT_SURGE_PERCENT, ...Object.fromEntries(setFields.map((field) => [field, options[field]])) };
}

/** Builds the provenance of the type and, for an incremental upgrade, of each option. */
export function buildRayServiceProvenance({ object, type, options, paths }: ParsedRayService): Provenance[] {
  const deletion = ` The old cluster is deleted ${resolveDeletionDelay(object)} s after the new one took over.`;
  const typeProvenance =
    type === undefined
      ? buildProvenance(
          'type',
          'NewCluster',
          'kuberay-default',
          `${paths.type} is not set; KubeRay then creates a full second cluster.${deletion}`,
        )
      : buildProvenance('type', type, 'user', `${paths.type} is set.${type === 'None' ? '' : deletion}`);
  if (type !== INCREMENTAL_UPGRADE || !options) return [typeProvenance];

  const optionProvenance = UPGRADE_OPTION_FIELDS.map((field) => {
    const path = toFieldPath`${paths.options}.${field}`;
    const isSet = options[field] !== undefined && options[field] !== null;
    return isSet
      ? buildProvenance(field, options[field], 'user', `${path} is set.${formatIntervalAdvice(field, options)}`)
      : buildProvenance(field, DEFAULT_SURGE_PERCENT, 'kuberay-default', `${path} is not set; the CRD fills in ${DEFAULT_SURGE_PERCENT}.`);
  });
  return [typeProvenance, ...optionProvenance];
}

/** Formats the advice that is added to the reason if the interval is shorter than the guide advises. */
function formatIntervalAdvice(field: UpgradeOptionField, options: Fields): string {
  const isShort = field === 'intervalSeconds' && toSafeNumber(options.intervalSeconds) < ADVISED_INTERVAL_SECONDS;
  return isShort ? ` The guide advises ${ADVISED_INTERVAL_SECONDS}, so that both autoscalers can react to a step.` : '';
}

function buildProvenance(field: string, value: unknown, layer: string, reason: string): Provenance {
  return { field, value, layer, reason, overridden: [] };
}
