import { validateDecoding } from '../../src/change/apiserver/decoding-errors';
import { toStoredForm } from '../../src/change/apiserver/stored-form';
import { isTemplateEqual } from '../../src/change/apiserver/template-equality';
import { getValueAt } from '../../src/core/manifest';
import type { Manifest } from '../../src/core/manifest';
import { DEFAULT_VERSIONS } from '../../src/core/versions';
import type { WorkloadName } from '../../src/workloads/kinds';
import { partsOf } from './changed-objects';
import { recorded } from './recording';
import { differencesIn } from './recordings';

/** A field with values that it may have; beside none of them, those with the same sign are one to the controller, ! is not decoded. */
interface FieldRow {
  readonly at: string;
  readonly values: readonly unknown[];
  readonly deployment: string;
  readonly statefulset: string;
  readonly daemonset: string;
}

/** Two fields at once: place, value before and after. */
interface PairRow {
  readonly change: readonly (readonly [at: string, before: unknown, after: unknown])[];
  /** The initials of the kinds to which it is another template: D, S, d. */
  readonly rolls: string;
}

const NONE = '*none';
const KINDS: readonly WorkloadName[] = ['Deployment', 'StatefulSet', 'DaemonSet'];

/** What the server alone writes of an object; of a template it may be sent, and nobody does. */
const SERVERS = '/metadata/creationTimestamp';

/**
 * Lists that Go writes as [] where they are empty and as null where there is none, which are other bytes to a StatefulSet.
 * The recording asks the decoder, and no etcd: that holds objects as protobuf, in which an empty list is none, so that what a controller reads
 * is null of both. The real server of `kubernetes-changes` answers so, of a Deployment and of a StatefulSet, and we do.
 */
const WRITTEN_EMPTY = [
  '/spec/containers',
  '/spec/volumes/0/projected/sources',
  '/spec/volumes/0/rbd/monitors',
  '/spec/volumes/0/cephfs/monitors',
  '/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms',
];

const rows = recorded('kubernetes-template-fields') as readonly (FieldRow | PairRow)[];
const isOurs = (at: string) => at !== SERVERS;
const fields = rows.filter((row): row is FieldRow => 'at' in row && isOurs(row.at));
const pairs = rows.filter((row): row is PairRow => 'change' in row && row.change.every(([at]) => isOurs(at)));

const LEAN = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };

/** A value with another one at a place, and what is not there on the way made. */
function put(value: unknown, [head, ...rest]: readonly string[], to: unknown): unknown {
  if (head === undefined) return to;
  if (head === '0') {
    const [first, ...others] = (value as readonly unknown[] | undefined) ?? [];
    return [put(first, rest, to), ...others];
  }
  const { [head]: inner, ...others } = (value ?? {}) as Record<string, unknown>;
  return rest.length === 0 && to === NONE ? others : { ...others, [head]: put(inner, rest, to) };
}

/** The template as it is stored, which is the same in all three kinds; undefined where it is none. */
function stored(template: unknown): unknown {
  const spec = { selector: { matchLabels: { app: 'web' } }, template };
  const sent = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'default' }, spec } as Manifest;
  return validateDecoding(sent, 'replace', DEFAULT_VERSIONS)
    ? undefined
    : getValueAt(toStoredForm(sent, DEFAULT_VERSIONS), 'spec', 'template');
}

function same(kind: WorkloadName, before: unknown, after: unknown): boolean {
  return isTemplateEqual(kind, before, after, DEFAULT_VERSIONS);
}

function signs(kind: WorkloadName, templates: readonly unknown[]): string {
  const known: unknown[] = [];
  return templates
    .map((template) => {
      if (template === undefined) return '!';
      const index = known.findIndex((one) => same(kind, one, template));
      return 'abcdefghijklmnop'[index < 0 ? known.push(template) - 1 : index];
    })
    .join('');
}

interface Difference {
  readonly at: readonly string[];
  readonly text: string;
}

const ofFields = fields.flatMap((row): Difference[] => {
  const templates = [NONE, ...row.values].map((value) => stored(put(LEAN, partsOf(row.at), value)));
  const ours = KINDS.map((kind) => signs(kind, templates)).join(' ');
  const theirs = [row.deployment, row.statefulset, row.daemonset].join(' ');
  return ours === theirs ? [] : [{ at: [row.at], text: `${row.at}: ${ours}, not ${theirs}: ${JSON.stringify(row.values)}` }];
});

const ofPairs = pairs.flatMap((row): Difference[] => {
  const side = (index: 1 | 2) => stored(row.change.reduce<unknown>((template, edit) => put(template, partsOf(edit[0]), edit[index]), LEAN));
  const [before, after] = [side(1), side(2)];
  const rolls = KINDS.filter((kind) => !same(kind, before, after));
  const ours = rolls.map((kind) => (kind === 'DaemonSet' ? 'd' : kind[0])).join('');
  const at = row.change.map(([place]) => place);
  return ours === row.rolls ? [] : [{ at, text: `${ours}, not ${row.rolls}: ${JSON.stringify(row.change)}` }];
});

const isWrittenEmpty = ({ at }: Difference) => at.some((place) => WRITTEN_EMPTY.includes(place));

function unexplained(differences: readonly Difference[]): string[] {
  return differences.filter((one) => !isWrittenEmpty(one)).map(({ text }) => text);
}

test('which values of each field of the pod template are one to its controller', () => {
  expect(fields.length).toBeGreaterThan(1000);
  expect(unexplained(ofFields)).toEqual([]);
});

test('whether two fields together make another template', () => {
  expect(pairs.length).toBeGreaterThan(4000);
  expect(unexplained(ofPairs)).toEqual([]);
});

test('it differs where the reason is known, so often', () => {
  expect([...ofFields, ...ofPairs].filter(isWrittenEmpty).length).toBe(differencesIn('kubernetes-template-fields'));
});
