import { isDeepStrictEqual } from 'node:util';
import { applyObject } from '../../src/change/apiserver/apply';
import { toServerPath } from '../../src/change/apiserver/server-path';
import { toStoredForm } from '../../src/change/apiserver/stored-form';
import { isTemplateEqual } from '../../src/change/apiserver/template-equality';
import type { ApplyOutcome, ApplyRejection, StoredObject } from '../../src/change/apiserver/types';
import { isFields, getValueAt } from '../../src/core/manifest';
import type { Manifest } from '../../src/core/manifest';
import { workloadNameOf } from '../../src/workloads/kinds';
import { DEFAULT_VERSIONS } from '../../src/core/versions';
import { named, recordedChanges } from './changes';
import type { Change, RecordedRefusal } from './changes';
import { differencesIn } from './recordings';

const changes = recordedChanges();
const live = changes.filter((change) => change.live !== undefined);

const READ = new WeakMap<Manifest, StoredObject>();

function storedOf(object: Manifest): StoredObject {
  const read = READ.get(object) ?? toStoredForm(object, DEFAULT_VERSIONS);
  READ.set(object, read);
  return read;
}

/** What the server draws, admission and controllers write: nobody knows it who has only the manifest. */
const DRAWN: readonly string[] = [
  'metadata.finalizers',
  'spec.clusterIP',
  'spec.clusterIPs',
  'spec.ipFamilies',
  'spec.ipFamilyPolicy',
  'spec.healthCheckNodePort',
  'spec.priority',
  'spec.preemptionPolicy',
];

/** An object without what is drawn, and without what an empty value stands for as well as none. */
function known(value: unknown, place: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => known(item, place));
  if (!isFields(value)) return value;
  const entries = Object.entries(value).filter(([name, inner]) => !isLeftOut(name, inner) && !isDrawn([...place, name], value));
  return Object.fromEntries(entries.map(([name, inner]) => [name, known(inner, [...place, name])]));
}

/** Fields that the server writes even where they are empty. */
const ALWAYS_WRITTEN: readonly string[] = ['lun', 'value', 'seconds', 'start'];

function isLeftOut(name: string, value: unknown): boolean {
  return value === null || (ALWAYS_WRITTEN.includes(name) && (value === '' || value === 0));
}

function isDrawn(place: readonly string[], holder: object): boolean {
  const path = place.join('.');
  if (path === 'spec.ports.nodePort') return true;
  if (path === 'metadata.managedFields' || path === 'metadata.annotations.kubectl.kubernetes.io/last-applied-configuration') return true;
  return DRAWN.includes(path) && (path.startsWith('metadata') || !('containers' in holder && path === 'spec.clusterIP'));
}

/** A Job's labels and selector hold its uid, a pod's tolerations what admission adds. */
const IS_DRAWN_FOR: readonly string[] = ['job', 'pod'];

function knownOf(object: Manifest): unknown {
  const read = known(object) as Manifest;
  const annotations = read.metadata?.annotations;
  if (annotations && Object.keys(annotations).length === 0) {
    const { annotations: _, ...metadata } = read.metadata;
    return { ...read, metadata };
  }
  return read;
}

function applying({ old, next, live: before, row }: Change): ApplyOutcome {
  const given = before!;
  return applyObject({ manifest: given, stored: storedOf(given), isLive: true, release: old }, next, row.mode, DEFAULT_VERSIONS);
}

function wordsOf({ code, message = '', causes = [] }: RecordedRefusal): string {
  return causes.length > 0 && code === 422 ? `${causes[0]!.field}: ${causes[0]!.message}` : message;
}

/** Refusals of an update as such, of a patch that cannot be read and of conflicts. All others are rules on values, which are judged beside the rules. */
const OF_UPDATES =
  /immutable|may not change|cannot change|updates to statefulset|does not match template|Apply failed|decoding|unmarshal|not declared|duplicate entries|in tandem|more than 1|unrecognized type|cannot convert|cannot restore|expected (string|numeric)/;

/** Does a refusal say what the server says? Long values are left out of both. */
function says(words: string, { path, message }: ApplyRejection): boolean {
  const [begin = '', end = ''] = message.split('…');
  if (path === '' || message.startsWith('Apply failed')) return words.endsWith(message) || words.includes(message);
  return words.startsWith(`${path}: ${begin}`) && words.includes(end);
}

function answer(change: Change): string | undefined {
  const { row, stored } = change;
  const result = applying(change);
  if (row.refused) {
    const words = wordsOf(row.refused);
    if (!OF_UPDATES.test(words)) return undefined;
    if (!('refusal' in result)) return 'not refused';
    return says(words, result.refusal) ? undefined : `${result.refusal.path}: ${result.refusal.message}`;
  }
  if ('refusal' in result) return `refused: ${result.refusal.path}: ${result.refusal.message}`;
  return isDeepStrictEqual(knownOf(result.stored), knownOf(stored!)) ? undefined : 'stored otherwise';
}

/** Where we differ, and why. */
const DIFFERENCES: readonly (readonly [why: string, is: (change: Change, ours: string) => boolean])[] = [
  [
    'the address that is asked for and refused is called "allocated" in the recording, as those are that the server draws',
    ({ row }, ours) => row.base.startsWith('service') && ours.includes('10.0.0.9'),
  ],
];

/** What is refused for its values, and why we take it. */
const TAKEN: readonly (readonly [why: string, is: (words: string, change: Change) => boolean])[] = [
  ['whether a container may be privileged is a flag of the API server', (words) => words.includes('disallowed by cluster policy')],
];

type Verdict = 'the same words' | 'the same path' | 'another path' | 'taken';

/** Of a refusal for values: what we say of it. The recording has the causes in the server's order, and we say one. */
function valueVerdict(change: Change): Verdict {
  const result = applying(change);
  if (!('refusal' in result)) return 'taken';
  const { path, message } = result.refusal;
  const { causes = [], message: whole = '' } = change.row.refused!;
  const alike = causes.filter(({ field }) => toServerPath(field) === path || field === path);
  // The middle of long words is left out of the recording.
  const end = whole.split('…').at(-1)!;
  const isWhole =
    causes.length === 0
      ? whole.endsWith(message) || message.endsWith(end)
      : causes.some((cause) => cause.field === 'patch' && cause.message.endsWith(message));
  if (isWhole || alike.some((cause) => cause.message === message)) return 'the same words';
  return alike.length > 0 ? 'the same path' : 'another path';
}

const differing = live.flatMap((change) => {
  const ours = answer(change);
  return ours === undefined ? [] : [{ change, ours }];
});

const forValues = live.filter(({ row }) => {
  const words = row.refused && wordsOf(row.refused);
  return words !== undefined && !OF_UPDATES.test(words);
});

describe('what is refused for its values', () => {
  const verdicts = forValues.map((change) => ({ change, words: wordsOf(change.row.refused!), verdict: valueVerdict(change) }));

  test('is refused by us at a place that the server names, most often in its words', () => {
    const odd = verdicts.filter(
      ({ words, change, verdict }) => (verdict === 'taken' || verdict === 'another path') && !TAKEN.some(([, is]) => is(words, change)),
    );
    expect(odd.map(({ change, words, verdict }) => `${verdict}: ${named(change)} => ${words}`)).toEqual([]);
  });

  test('so often', () => {
    const kinds: readonly Verdict[] = ['the same words', 'the same path', 'another path', 'taken'];
    expect(kinds.map((kind) => [kind, verdicts.filter(({ verdict }) => verdict === kind).length])).toMatchSnapshot();
  });

  test('and with what a second manifest makes of the first, in all as often as the page of conformance says', () => {
    const taken = verdicts.filter(({ verdict }) => verdict === 'taken').length;
    expect(differing.length + taken).toBe(differencesIn('kubernetes-changes'));
  });
});

/** Many second manifests come over one first. */
function firstOfEach(list: readonly Change[]): Change[] {
  const firsts = new Map(list.map((change) => [JSON.stringify([change.row.base, change.row.mode, change.row.old]), change]));
  return [...firsts.values()];
}

describe('what the API server of Kubernetes 1.34 makes of a manifest that is created', () => {
  test('is the form that we say it stores', () => {
    const made = firstOfEach(live.filter(({ row }) => !row.touches && row.made === undefined && !IS_DRAWN_FOR.includes(row.base)));
    const other = made.filter(({ old, live: before }) => !isDeepStrictEqual(knownOf(storedOf(old)), knownOf(before!)));
    expect(made.length).toBeGreaterThan(300);
    expect(other.map(named)).toEqual([]);
  });
});

describe('what a second manifest makes of it', () => {
  test('is what we say that each kind of apply leaves, or the refusal in the words of the server', () => {
    const unexplained = differing.filter(({ change, ours }) => !DIFFERENCES.some(([, is]) => is(change, ours)));
    expect(live.length).toBeGreaterThan(6000);
    expect(unexplained.map(({ change, ours }) => `${named(change)} => ${ours}`)).toEqual([]);
  });

  test('differs where the reason is known, so often', () => {
    expect(DIFFERENCES.map(([why, is]) => [why, differing.filter(({ change, ours }) => is(change, ours)).length])).toMatchSnapshot();
  });
});

function templateOf(object: Manifest): unknown {
  return getValueAt(storedOf(object), 'spec', 'template');
}

describe('whether the controllers make a new revision', () => {
  const kinds = ['Deployment', 'StatefulSet', 'DaemonSet'];
  const stored = live.filter(({ next, row, stored: after }) => after && kinds.includes(next.kind) && !row.touches);
  const isPaused = (object: Manifest | undefined) => getValueAt(object, 'spec', 'paused') === true;

  test('is told by the templates before and after: by meaning of Deployments, by bytes of StatefulSets and DaemonSets', () => {
    const wrong = stored.filter(({ next, live: before, stored: after, row }) => {
      const bytes = isDeepStrictEqual(templateOf(before!), templateOf(after!));
      const same =
        next.kind === 'Deployment' ? isTemplateEqual('Deployment', templateOf(before!), templateOf(after!), DEFAULT_VERSIONS) : bytes;
      // A Deployment that is paused gets no ReplicaSet, and the one that was made so gets its first when it is resumed.
      const isMade = !isPaused(after) && (!same || isPaused(before));
      return (row.revision ?? false) !== isMade;
    });
    expect(stored.length).toBeGreaterThan(3500);
    expect(stored.filter(({ live: before, stored: after }) => isPaused(before) || isPaused(after)).length).toBe(13);
    expect(wrong.map(named)).toEqual([]);
  });

  test('a StatefulSet replaces its pods for a revision, a DaemonSet only when its generation is raised too', () => {
    const wrong = stored.filter(({ next, live: before, stored: after, row }) => {
      if (next.kind === 'Deployment') return false;
      const replaces = row.revision === true && (next.kind === 'StatefulSet' || row.generation === true);
      return isTemplateEqual(workloadNameOf(next)!, templateOf(before!), templateOf(after!), DEFAULT_VERSIONS) === replaces;
    });
    expect(wrong.map(named)).toEqual([]);
  });
});
