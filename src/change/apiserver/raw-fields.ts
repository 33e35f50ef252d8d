import { getOwnValue } from '../../core/manifest/manifest';

/** Reports whether the definition of a kind keeps a field as it is written, by the name of the map around it. */
export type RawFieldCheck = (around: string, name: string) => boolean;

/** The map and the name of the field that the definition of a kind keeps as it is written, nulls included, by group and kind. */
const RAW_FIELDS: Readonly<Record<string, readonly [around: string, name: string]>> = {
  // A null in the values of a chart deletes the default of the chart.
  'fleet.cattle.io/Bundle': ['helm', 'values'],
  'fleet.cattle.io/HelmOp': ['helm', 'values'],
  // KServe passes the text to the scheduler, so another text is another pod.
  'serving.kserve.io/LLMInferenceService': ['config', 'inline'],
  'serving.kserve.io/LLMInferenceServiceConfig': ['config', 'inline'],
};

/** Creates the check for a kind, by group and kind. */
export function createRawFieldCheck(kindKey: string): RawFieldCheck {
  const raw = getOwnValue(RAW_FIELDS, kindKey);
  return (around, name) => raw !== undefined && around === raw[0] && name === raw[1];
}
