import { isDeepStrictEqual } from 'node:util';
import { applyObject } from '../../src/change/apiserver/apply';
import { isTemplateEqual } from '../../src/change/apiserver/template-equality';
import type { ApplyOutcome } from '../../src/change/apiserver/types';
import { getValueAt } from '../../src/core/manifest/manifest';
import type { Manifest } from '../../src/core/manifest/manifest';
import { workloadNameOf } from '../../src/workloads/kinds';
import { named, recordedChanges } from './changes';
import type { Change } from './changes';
import {
  compareValueRefusal,
  determinedFieldsOf,
  matchesText,
  SERVER_ASSIGNED_ELSEWHERE,
  readOf,
  storedOf,
  textOf,
  UPDATE_REFUSALS,
} from './compare-changes';
import type { Verdict } from './compare-changes';
import { RECORDED_VERSIONS } from './recording';
import { differencesIn } from './recordings';
import { GATE_STEP, RECORDING_STEP, sampleOf } from '../setup/recording-step';

const changes = recordedChanges();
const recordedLive = changes.filter((change) => change.live !== undefined);
const live = sampleOf(recordedLive);
const isWhole = RECORDING_STEP === 1;
/** The cases whose results are counted, which every run compares. */
const counted = new Set(recordedLive.filter((_, index) => index % GATE_STEP === 0));

function applyChange({ old, next, live: before, row }: Change): ApplyOutcome {
  const manifest = before!;
  return applyObject({ manifest, ...readOf(manifest), isLive: true, release: old }, next, row.mode, RECORDED_VERSIONS);
}

function answer(change: Change): string | undefined {
  const { row, stored } = change;
  const result = applyChange(change);
  if (row.refused) {
    const text = textOf(row.refused);
    if (!UPDATE_REFUSALS.test(text)) return undefined;
    if (!('refusal' in result)) return 'not refused';
    return matchesText(text, result.refusal) ? undefined : `${result.refusal.path}: ${result.refusal.message}`;
  }
  if ('refusal' in result) return `refused: ${result.refusal.path}: ${result.refusal.message}`;
  return isDeepStrictEqual(determinedFieldsOf(result.stored), determinedFieldsOf(stored!)) ? undefined : 'stored differently';
}

/** Known differences, with their reasons. */
const DIFFERENCES: readonly (readonly [why: string, is: (change: Change, ours: string) => boolean])[] = [
  [
    'the recording replaces the refused address with "allocated", as it does with every address that the server assigns',
    ({ row }, ours) => row.base.startsWith('service') && ours.includes('10.0.0.9'),
  ],
];

/** Values that the server refuses and we accept, with the reasons. */
const ACCEPTED: readonly (readonly [why: string, is: (text: string, change: Change) => boolean])[] = [
  ['a flag of the API server decides whether a container may be privileged', (text) => text.includes('disallowed by cluster policy')],
];

const differing = live.flatMap((change) => {
  const ours = answer(change);
  return ours === undefined ? [] : [{ change, ours }];
});

const valueRefusals = live.filter(({ row }) => {
  const text = row.refused && textOf(row.refused);
  return text !== undefined && !UPDATE_REFUSALS.test(text);
});

describe('an object whose values the server refuses', () => {
  const verdicts = valueRefusals.map((change) => ({
    change,
    text: textOf(change.row.refused!),
    verdict: compareValueRefusal(applyChange(change), change.row.refused!),
  }));

  test('is refused by us at a path that the server names, usually with the same text', () => {
    const odd = verdicts.filter(
      ({ text, change, verdict }) => (verdict === 'accepted' || verdict === 'other path') && !ACCEPTED.some(([, is]) => is(text, change)),
    );
    expect(odd.map(({ change, text, verdict }) => `${verdict}: ${named(change)} => ${text}`)).toEqual([]);
  });

  test('has each verdict as often as recorded, in every seventeenth case', () => {
    const kinds: readonly Verdict[] = ['same text', 'same path', 'other path', 'accepted'];
    expect(
      kinds.map((kind) => [kind, verdicts.filter(({ verdict, change }) => verdict === kind && counted.has(change)).length]),
    ).toMatchSnapshot();
  });

  test('accounts, together with the differing second manifests, for the total on the conformance page', () => {
    const accepted = verdicts.filter(({ verdict }) => verdict === 'accepted').length;
    const total = differencesIn('kubernetes-changes');
    expect(differing.length + accepted).toBeLessThanOrEqual(total);
    expect(isWhole ? differing.length + accepted : total).toBe(total);
  });
});

/** Deduplicates first manifests: many second manifests are applied over the same first one. */
function firstOfEach(list: readonly Change[]): Change[] {
  const firsts = new Map(list.map((change) => [JSON.stringify([change.row.base, change.row.mode, change.row.old]), change]));
  return [...firsts.values()];
}

describe('a manifest that the API server of Kubernetes 1.34 creates', () => {
  test('is stored in the form that we predict', () => {
    const created = firstOfEach(
      live.filter(({ row }) => !row.touches && row.made === undefined && !SERVER_ASSIGNED_ELSEWHERE.includes(row.base)),
    );
    const other = created.filter(
      ({ old, live: before }) => !isDeepStrictEqual(determinedFieldsOf(storedOf(old)), determinedFieldsOf(before!)),
    );
    expect(created.length).toBeGreaterThan(300 / RECORDING_STEP);
    expect(other.map(named)).toEqual([]);
  });
});

describe('a second manifest applied over it', () => {
  test('results in the object that we predict for each apply mode, or in the refusal with the text of the server', () => {
    const unexplained = differing.filter(({ change, ours }) => !DIFFERENCES.some(([, is]) => is(change, ours)));
    expect(recordedLive.length).toBeGreaterThan(6000);
    expect(unexplained.map(({ change, ours }) => `${named(change)} => ${ours}`)).toEqual([]);
  });

  test('differs only for known reasons, each as often as recorded, in every seventeenth case', () => {
    expect(
      DIFFERENCES.map(([why, is]) => [why, differing.filter(({ change, ours }) => counted.has(change) && is(change, ours)).length]),
    ).toMatchSnapshot();
  });
});

function templateOf(object: Manifest): unknown {
  return getValueAt(storedOf(object), 'spec', 'template');
}

describe('whether the controllers create a new revision', () => {
  const kinds = ['Deployment', 'StatefulSet', 'DaemonSet'];
  const stored = live.filter(({ next, row, stored: after }) => after && kinds.includes(next.kind) && !row.touches);
  const isPaused = (object: Manifest | undefined) => getValueAt(object, 'spec', 'paused') === true;

  test('depends on the templates before and after: their meaning for Deployments, their bytes for StatefulSets and DaemonSets', () => {
    const wrong = stored.filter(({ next, live: before, stored: after, row }) => {
      const bytes = isDeepStrictEqual(templateOf(before!), templateOf(after!));
      const same =
        next.kind === 'Deployment' ? isTemplateEqual('Deployment', templateOf(before!), templateOf(after!), RECORDED_VERSIONS) : bytes;
      // A paused Deployment gets no ReplicaSet. One that was created paused gets its first ReplicaSet when it is resumed.
      const isCreated = !isPaused(after) && (!same || isPaused(before));
      return (row.revision ?? false) !== isCreated;
    });
    expect(stored.length).toBeGreaterThan(3500 / RECORDING_STEP);
    expect(stored.some(({ live: before, stored: after }) => isPaused(before) || isPaused(after))).toBe(true);
    expect(wrong.map(named)).toEqual([]);
  });

  test('a StatefulSet replaces its pods for a revision, a DaemonSet only when its generation is raised too', () => {
    const wrong = stored.filter(({ next, live: before, stored: after, row }) => {
      if (next.kind === 'Deployment') return false;
      const replaces = row.revision === true && (next.kind === 'StatefulSet' || row.generation === true);
      return isTemplateEqual(workloadNameOf(next)!, templateOf(before!), templateOf(after!), RECORDED_VERSIONS) === replaces;
    });
    expect(wrong.map(named)).toEqual([]);
  });
});
