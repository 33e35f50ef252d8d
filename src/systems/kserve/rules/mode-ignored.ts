import { childPath } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { plainly, byChoice, remove } from '../../../core/advice';
import { message, rule } from '../../../core/finding';
import { isIntOrPercent, isLiteralZero } from '../../../core/int-or-percent';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { documentedMode } from '../platform-limits';
import type { ModeMeaning } from '../platform-limits';
import type { PlatformRollout } from '../types';
import { rolloutDefaults, service, together } from './examples';

interface ModeData {
  readonly mode: Seen;
  /** The limits that apply, whatever the mode is. */
  readonly maxSurge: Seen;
  readonly maxUnavailable: Seen;
}

/** Beside it what the mode means by the guide. */
type DocumentedData = ModeData & ModeMeaning;

function applying({ maxSurge, maxUnavailable }: ModeData): string {
  return `no KServe reads the field: maxSurge ${show(maxSurge)}, maxUnavailable ${show(maxUnavailable)} apply.`;
}

/** Is what the mode means what applies without it? */
function appliesAnyway(data: DocumentedData): boolean {
  const value = data[data.zero];
  return isIntOrPercent(value) && isLiteralZero(value);
}

/** The field `mode` of the rollout defaults, which no KServe reads. */
export const modeIgnored = rule({
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
  example: together(rolloutDefaults('{"mode": "Availability", "maxSurge": "25%", "maxUnavailable": "25%"}'), service({})),
  fixed: together(rolloutDefaults('{"maxSurge": "25%", "maxUnavailable": "0%"}'), service({})),
  messages: {
    documented: message<DocumentedData>({
      text: (data) =>
        `mode ${show(data.mode)} is documented as ${data.zero} 0 and ${data.ratio} ${show(data[data.ratio])}, but ${applying(data)}`,
      help: (data) =>
        appliesAnyway(data)
          ? 'Delete mode: those are the values that it stands for.'
          : `Delete mode, which changes nothing. If ${show(data.mode)} is what you mean, write "${data.zero}": "0%" in its place.`,
      advice: (data, path) => (appliesAnyway(data) ? plainly : byChoice)(remove(path)),
      sample: { mode: 'Availability', zero: 'maxUnavailable', ratio: 'maxSurge', maxSurge: '25%', maxUnavailable: '25%' },
      variants: [
        { mode: 'ResourceAware', zero: 'maxSurge', ratio: 'maxUnavailable', maxSurge: '25%', maxUnavailable: '10%' },
        { mode: 'Availability', zero: 'maxUnavailable', ratio: 'maxSurge', maxSurge: '25%', maxUnavailable: '0%' },
      ],
    }),
    undocumented: message<ModeData>({
      text: (data) =>
        `mode ${show(data.mode)} is not even one of the documented words, Availability and ResourceAware, and ${applying(data)}`,
      help: () => 'Delete mode. What Availability means is "maxUnavailable": "0%", what ResourceAware means is "maxSurge": "0%".',
      advice: (_data, path) => byChoice(remove(path)),
      sample: { mode: 'availability', maxSurge: '25%', maxUnavailable: '25%' },
    }),
  },
});

/** Says that the mode of rollout defaults does nothing. `path` is that of the defaults. */
export function modeIgnoredFindings(rollout: PlatformRollout, path: FieldPath): Finding[] {
  if (!('mode' in rollout)) return [];
  const { mode, maxSurge, maxUnavailable } = rollout;
  const place = childPath(path, 'mode');
  const data = { mode: seen(mode), maxSurge: seen(maxSurge || '25%'), maxUnavailable: seen(maxUnavailable || '25%') };
  const meaning = documentedMode(mode);
  return [
    meaning
      ? modeIgnored.finding('documented', { path: place, data: { ...data, ...meaning } })
      : modeIgnored.finding('undocumented', { path: place, data }),
  ];
}
