import type { Finding } from '../../core/finding';
import { listAt } from '../../core/manifest';
import type { Versions } from '../../core/versions';
import { workloadKindOf } from '../../workloads/kinds';
import { validationFindings } from '../../workloads/plan-workload';
import { serverPath } from './server-path';
import type { Refusal, StoredObject } from './types';

/** What a rule saw, as far as words are made of it. */
interface Seen {
  readonly value?: unknown;
  readonly choices?: readonly string[];
  readonly known?: readonly string[];
  readonly least?: number;
  readonly most?: number;
}

/** How Go prints a value in a refusal: text in quotes, numbers as they are. */
function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

function rangeWords(path: string, { value, least = 0, most }: Seen): string {
  const begin = `Invalid value: ${shown(value)}: must be`;
  if (path.endsWith('.weight')) return `${begin} in the range ${least}-${most!}`;
  if (most !== undefined) return `${begin} between ${least} and ${most}, inclusive`;
  return least === 0 ? `${begin} greater than or equal to 0` : `${begin} greater than ${least - 1}`;
}

/** What the server says where it has one form for many fields. Source: apimachinery pkg/util/validation/field/errors.go. */
const WORDS: Readonly<Record<string, (seen: Seen, path: string) => string>> = {
  missing: () => 'Required value',
  selectorMissing: () => 'Required value',
  duplicate: ({ value }) => `Duplicate value: ${shown(value)}`,
  notDeclared: ({ value }) => `Not found: ${shown(value)}`,
  choice: ({ value, choices = [] }) => `Unsupported value: ${shown(value)}: supported values: ${choices.toSorted().map(shown).join(', ')}`,
  range: (seen, path) => rangeWords(path, seen),
};

/** Of some fields that are missing the server says more; the ends of their paths. */
const MISSING: readonly (readonly [end: RegExp, more: string])[] = [
  [/\.topologyKey$/, 'can not be empty'],
  [/\.nodeSelectorTerms$/, 'must have at least one node selector term'],
  [/\.matchFields\[\d+\]\.values$/, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"],
  [/\.values$/, "must be specified when `operator` is 'In' or 'NotIn'"],
  [/\.accessModes$/, 'at least 1 access mode is required'],
  [/\.options\[\d+\]$/, 'must not be empty'],
  [/\.appArmorProfile\.type$/, 'type is required when appArmorProfile is set'],
  [/\.seccompProfile\.type$/, 'type is required when seccompProfile is set'],
  [/\.appArmorProfile\.localhostProfile$/, 'must be set when AppArmor type is Localhost'],
  [/\.seccompProfile\.localhostProfile$/, 'must be set when seccomp type is Localhost'],
  [/\.targetWWNs$/, 'must specify either targetWWNs or wwids, but not both'],
];

/** Of probes, hooks and others what one of is missing. */
const ONE_OF: readonly (readonly [end: RegExp, words: string])[] = [
  [/\.(?:livenessProbe|readinessProbe|startupProbe|postStart|preStop)$/, 'Required value: must specify a handler type'],
  [/\.valueFrom$/, 'Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`'],
  [/\.envFrom(?:\[\d+\])?$/, 'Invalid value: "": must specify one of: `configMapRef` or `secretRef`'],
  [/\.downwardAPI\.items\[\d+\]$/, 'Required value: one of fieldRef and resourceFieldRef is required'],
];

/** What is refused about one value, where the server has one sentence for it. */
const ABOUT: Readonly<Record<string, string>> = {
  negative: 'must be greater than or equal to 0',
  tolerationOperator: 'operator must be Exists when `key` is empty, which means "match all values and all keys"',
  tolerationEffect: "effect must be 'NoExecute' when `tolerationSeconds` is set",
  notBlock: 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
  successThreshold: 'must be 1',
};

function endOf(table: readonly (readonly [RegExp, string])[], path: string): string | undefined {
  return table.find(([end]) => end.test(path))?.[1];
}

function wordsOf({ messageId, data, path, message }: Finding): string {
  const more = messageId === 'missing' ? endOf(MISSING, path) : undefined;
  if (more !== undefined) return `Required value: ${more}`;
  if (messageId === 'none') return endOf(ONE_OF, path) ?? message;
  const about = ABOUT[messageId];
  if (about !== undefined) return `Invalid value: ${shown(data.value)}: ${about}`;
  if (messageId === 'keysWithoutSelector') return 'Forbidden: must not be specified when labelSelector is not set';
  return WORDS[messageId]?.(data, path) ?? message;
}

const VOLUME_INDEX = /^spec\.template\.spec\.volumes\[(\d+)\]/;

/** A StatefulSet is validated with the volumes of its claims, which come first. */
function pathOf(finding: Finding, after: StoredObject): string {
  const path = serverPath(finding.path);
  const claims = listAt(after, 'spec', 'volumeClaimTemplates').length;
  return path.replace(VOLUME_INDEX, (_, index: string) => `spec.template.spec.volumes[${Number(index) + claims}]`);
}

/**
 * What the server says to the values of a workload of apps/v1, whatever it was before; undefined where it takes them. The path is the
 * server's; the words are where it has one form for many fields, else ours.
 */
export function valueRefusal(after: StoredObject, versions: Versions): Refusal | undefined {
  const kind = workloadKindOf(after);
  const found = kind && validationFindings(kind, after, versions.kubernetes).find(({ severity }) => severity === 'error');
  return found && { path: pathOf(found, after), message: wordsOf(found) };
}
