import { appendToPath } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { suggestAutomaticFix, suggestManualFix, removeField } from '../../../core/suggested-fix';
import { defineMessage, defineRule } from '../../../core/finding';
import { isIntOrPercent, isLiteralZero } from '../../../core/int-or-percent';
import { toDisplayValue, formatDisplayValue } from '../../../core/display-value';
import type { DisplayValue } from '../../../core/display-value';
import { findModeMeaning } from '../platform-limits';
import type { ModeMeaning } from '../platform-limits';
import type { PlatformRollout } from '../types';
import { renderRolloutDefaults, renderInferenceService, joinExampleDocuments } from './examples';

interface ModeData {
  readonly mode: DisplayValue;
  /** The limits that apply, whatever the mode is. */
  readonly maxSurge: DisplayValue;
  readonly maxUnavailable: DisplayValue;
}

/** Beside it what the mode means by the guide. */
type DocumentedData = ModeData & ModeMeaning;

function describeAppliedLimits({ maxSurge, maxUnavailable }: ModeData): string {
  return `no KServe reads the field: maxSurge ${formatDisplayValue(maxSurge)}, maxUnavailable ${formatDisplayValue(maxUnavailable)} apply.`;
}

/** Is what the mode means what applies without it? */
function isRedundant(data: DocumentedData): boolean {
  const value = data[data.zero];
  return isIntOrPercent(value) && isLiteralZero(value);
}

/** The field `mode` of the rollout defaults, which no KServe reads. */
export const modeIgnored = defineRule({
  code: 'kserve/mode-ignored',
  since: '0.1.0',
  severity: 'warning',
  fires: 'The ConfigMap `inferenceservice-config` gives its rollout defaults a `mode`.',
  why:
    'The guide says that Availability means maxUnavailable 0 and ResourceAware maxSurge 0. No released KServe has such a field: ' +
    'the JSON parser drops it, and maxSurge and maxUnavailable are used as they are written, or 25% where they are missing. ' +
    'With mode Availability and 25%/25%, a quarter of the pods goes before new ones are ready. Source: ' +
    'KServe 0.16 to 0.20, pkg/apis/serving/v1beta1/configmap.go, `RolloutSpec`.',
  fix: 'Delete `mode` and write the two values that it stands for.',
  example: joinExampleDocuments(
    renderRolloutDefaults('{"mode": "Availability", "maxSurge": "25%", "maxUnavailable": "25%"}'),
    renderInferenceService({}),
  ),
  fixedExample: joinExampleDocuments(renderRolloutDefaults('{"maxSurge": "25%", "maxUnavailable": "0%"}'), renderInferenceService({})),
  messages: {
    documented: defineMessage<DocumentedData>({
      text: (data) =>
        `mode ${formatDisplayValue(data.mode)} is documented as ${data.zero} 0 and ${data.ratio} ${formatDisplayValue(data[data.ratio])}, but ${describeAppliedLimits(data)}`,
      help: (data) =>
        isRedundant(data)
          ? 'Delete mode: those are the values that it stands for.'
          : `Delete mode, which changes nothing. If ${formatDisplayValue(data.mode)} is what you mean, write "${data.zero}": "0%" in its place.`,
      suggestedFix: (data, path) => (isRedundant(data) ? suggestAutomaticFix : suggestManualFix)(removeField(path)),
      sample: { mode: 'Availability', zero: 'maxUnavailable', ratio: 'maxSurge', maxSurge: '25%', maxUnavailable: '25%' },
      variants: [
        { mode: 'ResourceAware', zero: 'maxSurge', ratio: 'maxUnavailable', maxSurge: '25%', maxUnavailable: '10%' },
        { mode: 'Availability', zero: 'maxUnavailable', ratio: 'maxSurge', maxSurge: '25%', maxUnavailable: '0%' },
      ],
    }),
    undocumented: defineMessage<ModeData>({
      text: (data) =>
        `mode ${formatDisplayValue(data.mode)} is not even one of the documented words, Availability and ResourceAware, and ${describeAppliedLimits(data)}`,
      help: () => 'Delete mode. What Availability means is "maxUnavailable": "0%", what ResourceAware means is "maxSurge": "0%".',
      suggestedFix: (_data, path) => suggestManualFix(removeField(path)),
      sample: { mode: 'availability', maxSurge: '25%', maxUnavailable: '25%' },
    }),
  },
});

/** Says that the mode of rollout defaults does nothing. `path` is that of the defaults. */
export function checkModeIgnored(rollout: PlatformRollout, path: FieldPath): Finding[] {
  if (!('mode' in rollout)) return [];
  const { mode, maxSurge, maxUnavailable } = rollout;
  const location = appendToPath(path, 'mode');
  const data = {
    mode: toDisplayValue(mode),
    maxSurge: toDisplayValue(maxSurge || '25%'),
    maxUnavailable: toDisplayValue(maxUnavailable || '25%'),
  };
  const meaning = findModeMeaning(mode);
  return [
    meaning
      ? modeIgnored.createFinding('documented', { path: location, data: { ...data, ...meaning } })
      : modeIgnored.createFinding('undocumented', { path: location, data }),
  ];
}
