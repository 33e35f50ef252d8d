import { appendToPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { suggestAutomaticFix, suggestManualFix, removeField } from '../../../core/findings/suggested-fix';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { isIntOrPercent, isLiteralZero } from '../../../core/values/int-or-percent';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
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

/** The mode and its documented meaning. */
type DocumentedData = ModeData & ModeMeaning;

function describeAppliedLimits({ maxSurge, maxUnavailable }: ModeData): string {
  return `no KServe reads the field: maxSurge ${formatDisplayValue(maxSurge)} and maxUnavailable ${formatDisplayValue(maxUnavailable)} apply.`;
}

/** Reports whether the limits without the mode are already those that the mode means. */
function isRedundant(data: DocumentedData): boolean {
  const value = data[data.zero];
  return isIntOrPercent(value) && isLiteralZero(value);
}

/** Reports the field `mode` of the rollout defaults, which no KServe reads. */
export const modeIgnored = defineRule({
  code: 'kserve/mode-ignored',
  since: '0.1.0',
  severity: 'warning',
  fires: 'The rollout defaults in the ConfigMap `inferenceservice-config` have a `mode`.',
  why:
    'The guide says that Availability means maxUnavailable 0 and ResourceAware means maxSurge 0. No released KServe has such a field: ' +
    'the JSON parser drops it, and maxSurge and maxUnavailable are used as written, or 25% if missing. ' +
    'With mode Availability and 25%/25%, a quarter of the pods is deleted before new ones are ready. Source: ' +
    'KServe 0.16 to 0.20, pkg/apis/serving/v1beta1/configmap.go, `RolloutSpec`.',
  fix: 'Delete `mode` and write the two values that it means.',
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
          ? 'Delete mode: these are already the values that it means.'
          : `Delete mode, which has no effect. If you want ${formatDisplayValue(data.mode)}, write "${data.zero}": "0%" instead.`,
      suggestedFix: (data, path) => (isRedundant(data) ? suggestAutomaticFix : suggestManualFix)(removeField(path)),
      sample: { mode: 'Availability', zero: 'maxUnavailable', ratio: 'maxSurge', maxSurge: '25%', maxUnavailable: '25%' },
      variants: [
        { mode: 'ResourceAware', zero: 'maxSurge', ratio: 'maxUnavailable', maxSurge: '25%', maxUnavailable: '10%' },
        { mode: 'Availability', zero: 'maxUnavailable', ratio: 'maxSurge', maxSurge: '25%', maxUnavailable: '0%' },
      ],
    }),
    undocumented: defineMessage<ModeData>({
      text: (data) =>
        `mode ${formatDisplayValue(data.mode)} is not one of the documented values Availability and ResourceAware, and ${describeAppliedLimits(data)}`,
      help: () => 'Delete mode. Availability means "maxUnavailable": "0%", ResourceAware means "maxSurge": "0%".',
      suggestedFix: (_data, path) => suggestManualFix(removeField(path)),
      sample: { mode: 'availability', maxSurge: '25%', maxUnavailable: '25%' },
    }),
  },
});

/** Reports a mode in the rollout defaults, which has no effect. `path` is the path of the defaults. */
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
