import type { Finding } from '../../../core/finding';
import type { FormatName } from '../../../workloads/pod/validation/formats';
import { formatWords } from './format-words';

/* What the server says where our rules of pods and workloads find something. Source: k/k pkg/apis/core/validation/validation.go. */

/** What a rule saw, as far as words are made of it. */
interface Seen {
  readonly value?: unknown;
  readonly choices?: readonly string[];
  readonly known?: readonly string[];
  readonly least?: number;
  readonly most?: number;
  readonly format?: FormatName;
}

/** How Go prints a value in a refusal: text in quotes, numbers as they are. */
function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

function invalid({ value }: Seen, why: string): string {
  return `Invalid value: ${shown(value)}: ${why}`;
}

/** Words for places that end so. */
type ByPlace = readonly (readonly [end: RegExp, words: string])[];

function endOf(table: ByPlace, path: string): string | undefined {
  return table.find(([end]) => end.test(path))?.[1];
}

/** Of some fields that are missing the server says more. */
const MISSING: ByPlace = [
  [/\.topologyKey$/, 'Required value: can not be empty'],
  [/\.nodeSelectorTerms$/, 'Required value: must have at least one node selector term'],
  [/\.matchFields\[\d+\]\.values$/, "Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector"],
  [/\.values$/, "Required value: must be specified when `operator` is 'In' or 'NotIn'"],
  [/\.accessModes$/, 'Required value: at least 1 access mode is required'],
  [/\.options\[\d+\]\.name$/, 'Required value: must not be empty'],
  [/\.appArmorProfile\.type$/, 'Required value: type is required when appArmorProfile is set'],
  [/\.seccompProfile\.type$/, 'Required value: type is required when seccompProfile is set'],
  [/\.appArmorProfile\.localhostProfile$/, 'Required value: must be set when AppArmor type is Localhost'],
  [/\.seccompProfile\.localhostProfile$/, 'Required value: must be set when seccomp type is Localhost'],
  [/\.targetWWNs$/, 'Required value: must specify either targetWWNs or wwids, but not both'],
  [/\.fc\.lun$/, 'Required value: lun is required if targetWWNs is specified'],
  [/\.quobyte\.registry$/, 'Required value: must be a host:port pair or multiple pairs separated by commas'],
  [/\.whenUnsatisfiable$/, 'Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"'],
];

/** Of probes, hooks and others what one of is missing. */
const ONE_OF: ByPlace = [
  [/\.(?:livenessProbe|readinessProbe|startupProbe|postStart|preStop)$/, 'Required value: must specify a handler type'],
  [/\.valueFrom$/, 'Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`'],
  [/\.envFrom(?:\[\d+\])?$/, 'Invalid value: "": must specify one of: `configMapRef` or `secretRef`'],
  [/\.downwardAPI\.items\[\d+\]$/, 'Required value: one of fieldRef and resourceFieldRef is required'],
  [/\.flocker$/, 'Required value: one of datasetName and datasetUUID is required'],
];

/** Of how many values an operator takes. */
const ONE_VALUE: ByPlace = [
  [/\.matchFields\[\d+\]\.values$/, "Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector"],
  [/\.values$/, "Required value: must be specified single value when `operator` is 'Lt' or 'Gt'"],
];

/** What is wrong with a value that is none of its choices, where the server does not name them. */
const NO_CHOICE: ByPlace = [
  [/\.matchFields\[\d+\]\.key$/, 'not a valid field selector key'],
  [/\.match(?:Expressions|Fields)\[\d+\]\.operator$/, 'not a valid selector operator'],
];

function choiceWords(seen: Seen, path: string): string {
  const why = endOf(NO_CHOICE, path);
  if (why !== undefined) return invalid(seen, why);
  const { value, choices = [] } = seen;
  return `Unsupported value: ${shown(value)}: supported values: ${choices.toSorted().map(shown).join(', ')}`;
}

function rangeWords(seen: Seen, path: string): string {
  const { least = 0, most } = seen;
  if (path.endsWith('.weight')) return invalid(seen, `must be in the range ${least}-${most!}`);
  if (path.endsWith('.maxSkew')) return invalid(seen, 'must be greater than zero');
  if (most !== undefined) return invalid(seen, `must be between ${least} and ${most}, inclusive`);
  return invalid(seen, least === 0 ? 'must be greater than or equal to 0' : `must be greater than ${least - 1}`);
}

function notFoundWords({ value, known = [] }: Seen, path: string): string {
  const words = `Not found: ${shown(value)}`;
  if (!/\.resources\.claims\[\d+\]/.test(path)) return words;
  const names = known.length === 0 ? ' which is empty' : `: ${known.join(', ')}`;
  return `${words}: must be one of the names in pod.spec.resourceClaims${names}`;
}

function formatRefusal(seen: Seen): string | undefined {
  const why = seen.format && formatWords(seen.format, typeof seen.value === 'string' ? seen.value : '');
  return why === undefined ? undefined : invalid(seen, why);
}

type Words = (seen: Seen, path: string) => string | undefined;

/** What the server says by what the rule found, where it has one form for it. Source: apimachinery pkg/util/validation/field/errors.go. */
const WORDS: Readonly<Record<string, Words>> = {
  missing: (_seen, path) => endOf(MISSING, path) ?? 'Required value',
  selectorMissing: () => 'Required value',
  none: (_seen, path) => endOf(ONE_OF, path),
  oneValue: (_seen, path) => endOf(ONE_VALUE, path),
  duplicate: ({ value }) => `Duplicate value: ${shown(value)}`,
  notDeclared: notFoundWords,
  choice: choiceWords,
  range: rangeWords,
  format: formatRefusal,
  keysWithoutSelector: () => 'Forbidden: must not be specified when labelSelector is not set',
  notForInit: (_seen, path) =>
    path.endsWith('Probe') ? 'Forbidden: may not be set for init containers without restartPolicy=Always' : undefined,
  recursiveNotReadOnly: () => 'Forbidden: may only be specified when readOnly is true',
};

/** What is refused about one value, where the server has one sentence for it. */
const ABOUT: Readonly<Record<string, string>> = {
  negative: 'must be greater than or equal to 0',
  tolerationOperator: 'operator must be Exists when `key` is empty, which means "match all values and all keys"',
  tolerationEffect: "effect must be 'NoExecute' when `tolerationSeconds` is set",
  notBlock: 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
  successThreshold: 'must be 1',
  notPositive: 'must be greater than zero',
  dataSource: "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
  sharedWithHost: 'ShareProcessNamespace and HostPID cannot both be enabled',
  minDomains: 'can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway',
};

/** What the server says of what a rule finds at a value; ours where its own words are not known. */
export function wordsOf({ messageId, data, path, message }: Finding, value?: unknown): string {
  if (messageId === 'bothZero') return 'Invalid value: 0: may not be 0 when `maxSurge` is 0';
  if (messageId === 'daemonsBothSet') return `Invalid value: ${shown(data.maxSurge)}: may not be set when maxUnavailable is non-zero`;
  if (messageId === 'tooLong' && data.unit === 'character')
    return invalid({ value }, `must be no more than ${String(data.limit)} characters`);
  const about = ABOUT[messageId];
  if (about !== undefined) return invalid(data, about);
  return WORDS[messageId]?.(data, path) ?? message;
}
