import { planChange } from '../../src/headless';
import { RECORDING_STEP, sampleOf } from '../setup/recording-step';
import { namedChange, recordedServiceChanges } from './kserve-changes';
import type { ServiceChange } from './kserve-changes';
import { differencesIn } from './recordings';

const changes = recordedServiceChanges();
const compared = sampleOf(changes);

type Kind = 'refused' | 'rolls' | 'scales' | 'rolls and scales' | 'no pods';

/** Parses what scales a Deployment and its minimum of pods: `2`, `hpa 2-4`, `keda 0-4`. */
function scaleOf(text: string): { readonly by: string; readonly pods: number } {
  const [first = '', bounds] = text.split(' ');
  return bounds === undefined ? { by: 'KServe', pods: Number(first) } : { by: first, pods: Math.max(1, Number(bounds.split('-')[0])) };
}

function isScaled(part: string): boolean {
  if (part === 'create' || part === 'delete') return true;
  const [before, after] = (/replicas (.*) > (.*)$/.exec(part)?.slice(1) ?? []).map(scaleOf);
  // A new autoscaler keeps the running pods until it scales them.
  return before !== undefined && after !== undefined && before.by === after.by && before.pods !== after.pods;
}

/** Returns the effect on the pods, from the Deployments that KServe changed. */
function recordedEffectOf({ row }: ServiceChange): Kind {
  if (row.refused !== undefined) return 'refused';
  const parts = Object.values(row.made ?? {});
  if (parts.some((part) => part.includes('template') && isScaled(part))) return 'rolls and scales';
  if (parts.some((part) => part.includes('template'))) return 'rolls';
  return parts.some(isScaled) ? 'scales' : 'no pods';
}

const KINDS: Readonly<Record<string, Kind>> = { refused: 'refused', roll: 'rolls', scale: 'scales', 'roll-and-scale': 'rolls and scales' };

function plannedEffectOf({ old, next }: ServiceChange): Kind {
  const { change } = planChange(old, next, { versions: { kserve: '0.17' } });
  return KINDS[change.objects[0]!.effect] ?? 'no pods';
}

/** Reports whether our effect matches. A change that the controller cannot reconcile keeps the pods: we report a refusal, or no pods. */
function isRight(change: ServiceChange, planned: Kind): boolean {
  if (change.row.failed !== undefined) return planned === 'refused' || planned === 'no pods';
  return planned === recordedEffectOf(change);
}

const edits = ({ row }: ServiceChange) => [...(row.old ?? []), ...(row.new ?? [])];
const has =
  (...names: readonly string[]) =>
  (change: ServiceChange) =>
    edits(change).some((edit) => names.includes(edit));

/** Known differences, with their reasons and their number in the complete recording. The first one that applies counts. */
const DIFFERENCES: readonly (readonly [why: string, times: number, is: (change: ServiceChange) => boolean])[] = [
  [
    'in the recording the controller reads the ConfigMap of models from another fake client',
    11,
    ({ row }) => row.failed?.includes('modelconfig') === true,
  ],
  ['no service in the recording is Ready, and a Ready service rolls back', 16, has('auto-update off')],
  [
    'another autoscaler: the recording does not include how many pods it keeps',
    3,
    (change) => edits(change).some((edit) => edit.startsWith('autoscaler')),
  ],
  ['a service in mode ModelMesh by default has no mode in its status', 1, has('mode ModelMesh')],
  ['the next write of the service also stores the resources of the platform in it', 2, has("platform's resources")],
  [
    'hostNetwork false: the recording omits it as Go does. A server stores it and raises the generation, which is in the pods of multi-node services',
    2,
    has('hostNetwork false'),
  ],
];

interface WrongChange {
  readonly change: ServiceChange;
  readonly planned: Kind;
}

function wrongIn(part: readonly ServiceChange[]): readonly WrongChange[] {
  return part.flatMap((change) => {
    const planned = plannedEffectOf(change);
    return isRight(change, planned) ? [] : [{ change, planned }];
  });
}

/** Changes per test, so that one part can be run without waiting for all of them. */
const CHANGES_PER_TEST = 100;
const parts = Array.from({ length: Math.ceil(compared.length / CHANGES_PER_TEST) }, (_, index) => ({
  from: index * CHANGES_PER_TEST,
  part: compared.slice(index * CHANGES_PER_TEST, (index + 1) * CHANGES_PER_TEST),
}));

/** Wrong changes found by each part, by the index of its first change. */
const wrongByPart = new Map<number, readonly WrongChange[]>();

test.each(parts)('a change has the same effect on the pods of an InferenceService as in KServe: changes from $from', ({ from, part }) => {
  const wrong = wrongIn(part);
  wrongByPart.set(from, wrong);
  const unexplained = wrong.filter(({ change }) => !DIFFERENCES.some(([, , is]) => is(change)));
  expect(unexplained.map(({ change, planned }) => `${planned}, not ${recordedEffectOf(change)}: ${namedChange(change)}`)).toEqual([]);
});

test('the plan differs only for known reasons, each as often as recorded', () => {
  const wrong = parts.flatMap(({ from, part }) => wrongByPart.get(from) ?? wrongIn(part));
  const first = (change: ServiceChange) => DIFFERENCES.findIndex(([, , is]) => is(change));
  const found = DIFFERENCES.map(([why, times], index) => ({
    why,
    times,
    found: wrong.filter(({ change }) => first(change) === index).length,
  }));
  expect(changes.length).toBeGreaterThan(2900);
  expect(DIFFERENCES.reduce((sum, [, times]) => sum + times, 0)).toBe(differencesIn('kserve-changes'));
  const isWrong = (times: number, count: number) => (RECORDING_STEP === 1 ? count !== times : count > times);
  expect(found.filter(({ times, found: count }) => isWrong(times, count))).toEqual([]);
});
