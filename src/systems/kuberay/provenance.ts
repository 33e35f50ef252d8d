import { at } from '../../core/field-path';
import type { Fields } from '../../core/manifest';
import type { Provenance } from '../../core/provenance';
import { OPTION_FIELDS } from './fields';
import type { OptionField } from './fields';
import type { ReadRayService } from './ray-service';
import { ADVISED_INTERVAL_SECONDS, DEFAULT_SURGE, deletionDelayOf, INCREMENTAL } from './strategy';

/** `spec.upgradeStrategy` as the API server stores it: fields that it does not know dropped, maxSurgePercent filled in. */
export function storedStrategy({ type, options }: ReadRayService): Fields {
  return { ...(type !== undefined && { type }), ...(options && { clusterUpgradeOptions: storedOptions(options) }) };
}

function storedOptions(options: Fields): Fields {
  const written = OPTION_FIELDS.filter((field) => options[field] !== undefined && options[field] !== null);
  return { maxSurgePercent: DEFAULT_SURGE, ...Object.fromEntries(written.map((field) => [field, options[field]])) };
}

/** Who decided each field: the type, and of an incremental upgrade the options too. */
export function strategyProvenance({ object, type, options, places }: ReadRayService): Provenance[] {
  const deletion = ` The old cluster is deleted ${deletionDelayOf(object)} s after the new one took over.`;
  const decidedType =
    type === undefined
      ? decided('type', 'NewCluster', 'kuberay-default', `${places.type} is not set; KubeRay then makes a whole second cluster.${deletion}`)
      : decided('type', type, 'user', `${places.type} is set.${type === 'None' ? '' : deletion}`);
  if (type !== INCREMENTAL || !options) return [decidedType];

  const optionProvenance = OPTION_FIELDS.map((field) => {
    const path = at`${places.options}.${field}`;
    const isWritten = options[field] !== undefined && options[field] !== null;
    return isWritten
      ? decided(field, options[field], 'user', `${path} is set.${advice(field, options)}`)
      : decided(field, DEFAULT_SURGE, 'kuberay-default', `${path} is not set; the CRD fills in ${DEFAULT_SURGE}.`);
  });
  return [decidedType, ...optionProvenance];
}

/** What a reason adds where the guide would have it otherwise. */
function advice(field: OptionField, options: Fields): string {
  const isShort = field === 'intervalSeconds' && Number(options.intervalSeconds) < ADVISED_INTERVAL_SECONDS;
  return isShort ? ` The guide advises ${ADVISED_INTERVAL_SECONDS}, so that both autoscalers can react to a step.` : '';
}

function decided(field: string, value: unknown, layer: string, reason: string): Provenance {
  return { field, value, layer, reason, overridden: [] };
}
