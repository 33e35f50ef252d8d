import { getValueAt } from '../../../core/manifest/manifest';
import type { Finding } from '../../../core/findings/finding';
import type { FormatName } from '../../../workloads/pod/validation/formats';
import { describeFormatRequirement } from './format-message';
import { toSafeText } from '../../../core/text/value-text';

/* The API server's messages for the findings of the pod and workload rules. Source: k/k pkg/apis/core/validation/validation.go. */

/** The data of a finding that messages are built from. */
interface FindingData {
  readonly value?: unknown;
  readonly choices?: readonly string[];
  readonly declared?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: FormatName;
}

/** Returns a value as Go prints it in an error: text in quotes, numbers as they are. A finding only describes a long text. */
function formatGoValue(value: unknown): string {
  const described = getValueAt(value, 'described');
  return typeof described === 'string' ? described : (JSON.stringify(value) ?? 'null');
}

function formatInvalidValue({ value }: FindingData, why: string): string {
  return `Invalid value: ${formatGoValue(value)}: ${why}`;
}

/** Messages for paths with these endings. */
type MessagesByPath = readonly (readonly [end: RegExp, message: string])[];

function findMessageByPath(table: MessagesByPath, path: string): string | undefined {
  return table.find(([end]) => end.test(path))?.[1];
}

/** Fields for which the server says more than "Required value" when they are missing. */
const MISSING_FIELD_MESSAGES: MessagesByPath = [
  [/^metadata\.name$/, 'Required value: name or generateName is required'],
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

/** What is missing when a probe, hook or other field sets none of its alternatives. */
const ONE_OF_MESSAGES: MessagesByPath = [
  [/\.(?:livenessProbe|readinessProbe|startupProbe|postStart|preStop)$/, 'Required value: must specify a handler type'],
  [/\.valueFrom$/, 'Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`'],
  [/\.envFrom(?:\[\d+\])?$/, 'Invalid value: "": must specify one of: `configMapRef` or `secretRef`'],
  [/\.downwardAPI\.items\[\d+\]$/, 'Required value: one of fieldRef and resourceFieldRef is required'],
  [/\.flocker$/, 'Required value: one of datasetName and datasetUUID is required'],
];

/** How many values an operator takes. */
const VALUE_COUNT_MESSAGES: MessagesByPath = [
  [/\.matchFields\[\d+\]\.values$/, "Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector"],
  [/\.values$/, "Required value: must be specified single value when `operator` is 'Lt' or 'Gt'"],
];

/** What is wrong with an unsupported choice, for fields whose choices the server does not list. */
const UNNAMED_CHOICE_MESSAGES: MessagesByPath = [
  [/\.matchFields\[\d+\]\.key$/, 'not a valid field selector key'],
  [/\.match(?:Expressions|Fields)\[\d+\]\.operator$/, 'not a valid selector operator'],
];

function formatUnsupportedChoice(data: FindingData, path: string): string {
  const why = findMessageByPath(UNNAMED_CHOICE_MESSAGES, path);
  if (why !== undefined) return formatInvalidValue(data, why);
  const { value, choices = [] } = data;
  return `Unsupported value: ${formatGoValue(value)}: supported values: ${choices.toSorted().map(formatGoValue).join(', ')}`;
}

function formatRange(data: FindingData, path: string): string {
  const { minimum = 0, maximum } = data;
  if (path.endsWith('.weight')) return formatInvalidValue(data, `must be in the range ${minimum}-${maximum!}`);
  if (path.endsWith('.maxSkew')) return formatInvalidValue(data, 'must be greater than zero');
  if (maximum !== undefined) return formatInvalidValue(data, `must be between ${minimum} and ${maximum}, inclusive`);
  return formatInvalidValue(data, minimum === 0 ? 'must be greater than or equal to 0' : `must be greater than ${minimum - 1}`);
}

function formatNotFound({ value, declared = [] }: FindingData, path: string): string {
  const message = `Not found: ${formatGoValue(value)}`;
  if (!/\.resources\.claims\[\d+\]/.test(path)) return message;
  const names = declared.length === 0 ? ' which is empty' : `: ${declared.join(', ')}`;
  return `${message}: must be one of the names in pod.spec.resourceClaims${names}`;
}

function describeFormatError(data: FindingData): string | undefined {
  const why = data.format && describeFormatRequirement(data.format, typeof data.value === 'string' ? data.value : '');
  return why === undefined ? undefined : formatInvalidValue(data, why);
}

type MessageFormatter = (data: FindingData, path: string) => string | undefined;

/** Formatters by messageId, for findings for which the server has one message form. Source: apimachinery pkg/util/validation/field/errors.go. */
const FORMATTER_BY_MESSAGE: Readonly<Record<string, MessageFormatter>> = {
  missing: (_data, path) => findMessageByPath(MISSING_FIELD_MESSAGES, path) ?? 'Required value',
  selectorMissing: () => 'Required value',
  none: (_data, path) => findMessageByPath(ONE_OF_MESSAGES, path),
  oneValue: (_data, path) => findMessageByPath(VALUE_COUNT_MESSAGES, path),
  duplicate: ({ value }) => `Duplicate value: ${formatGoValue(value)}`,
  notDeclared: formatNotFound,
  choice: formatUnsupportedChoice,
  range: formatRange,
  format: describeFormatError,
  keysWithoutSelector: () => 'Forbidden: must not be specified when labelSelector is not set',
  notForInit: (_data, path) =>
    path.endsWith('Probe') ? 'Forbidden: may not be set for init containers without restartPolicy=Always' : undefined,
  recursiveNotReadOnly: () => 'Forbidden: may only be specified when readOnly is true',
};

/** Fixed texts about an invalid value, by messageId. */
const FIXED_MESSAGES: Readonly<Record<string, string>> = {
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

/** Returns the server's message for a finding; the finding's own message if the server's is not known. */
export function formatServerMessage({ messageId, data, path, message }: Finding, value?: unknown): string {
  if (messageId === 'bothZero') return 'Invalid value: 0: may not be 0 when `maxSurge` is 0';
  if (messageId === 'daemonsBothSet')
    return `Invalid value: ${formatGoValue(data.maxSurge)}: may not be set when maxUnavailable is non-zero`;
  if (messageId === 'tooLong' && data.unit === 'character')
    return formatInvalidValue({ value }, `must be no more than ${toSafeText(data.limit)} characters`);
  const fixedMessage = FIXED_MESSAGES[messageId];
  if (fixedMessage !== undefined) return formatInvalidValue(data, fixedMessage);
  return FORMATTER_BY_MESSAGE[messageId]?.(data, path) ?? message;
}
