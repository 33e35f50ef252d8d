import { getOwnValue } from '../../core/manifest/manifest';

/** Reports whether the definition of a kind keeps a field as it is written, by the name of the map around it. */
export type RawFieldCheck = (around: string, name: string) => boolean;

/** A field by the name of the map around it. */
type RawField = readonly [around: string, name: string];

/** A null in the values of a chart deletes the default of the chart. */
const FLEET_FIELDS: readonly RawField[] = [['helm', 'values']];

/** KServe passes the text of the configuration to the scheduler, so another text is another pod. */
const LLM_FIELDS: readonly RawField[] = [['config', 'inline']];

/** The fields that the definition of a kind keeps as they are written, nulls included, by group and kind. */
const RAW_FIELDS: Readonly<Record<string, readonly RawField[]>> = {
  'fleet.cattle.io/Bundle': FLEET_FIELDS,
  'fleet.cattle.io/HelmOp': FLEET_FIELDS,
  'serving.kserve.io/LLMInferenceService': LLM_FIELDS,
  'serving.kserve.io/LLMInferenceServiceConfig': LLM_FIELDS,
  'argoproj.io/ApplicationSet': [
    ['helm', 'valuesObject'],
    ['list', 'elements'],
    ['input', 'parameters'],
  ],
};

/** Creates the check for a kind, by group and kind. */
export function createRawFieldCheck(kindKey: string): RawFieldCheck {
  const raw = getOwnValue(RAW_FIELDS, kindKey) ?? [];
  return (around, name) => raw.some(([rawAround, rawName]) => around === rawAround && name === rawName);
}
