import { planChange } from '../../src/headless';
import { namedChange, recordedServiceChanges } from './kserve-changes';
import type { ServiceChange } from './kserve-changes';
import { differencesIn } from './recordings';

const changes = recordedServiceChanges();

type Kind = 'refused' | 'rolls' | 'scales' | 'rolls and scales' | 'no pods';

/** Who keeps the pods of a Deployment, and how many at the least: `2`, `hpa 2-4`, `keda 0-4`. */
function scaleOf(text: string): { readonly by: string; readonly pods: number } {
  const [first = '', bounds] = text.split(' ');
  return bounds === undefined ? { by: 'KServe', pods: Number(first) } : { by: first, pods: Math.max(1, Number(bounds.split('-')[0])) };
}

function isScaled(part: string): boolean {
  if (part === 'create' || part === 'delete') return true;
  const [before, after] = (/replicas (.*) > (.*)$/.exec(part)?.slice(1) ?? []).map(scaleOf);
  // With another autoscaler the pods that run stay until it moves them.
  return before !== undefined && after !== undefined && before.by === after.by && before.pods !== after.pods;
}

/** What becomes of the pods by the Deployments that KServe made otherwise. */
function madeOf({ row }: ServiceChange): Kind {
  if (row.refused !== undefined) return 'refused';
  const parts = Object.values(row.made ?? {});
  if (parts.some((part) => part.includes('template') && isScaled(part))) return 'rolls and scales';
  if (parts.some((part) => part.includes('template'))) return 'rolls';
  return parts.some(isScaled) ? 'scales' : 'no pods';
}

const KINDS: Readonly<Record<string, Kind>> = { refused: 'refused', roll: 'rolls', scale: 'scales', 'roll-and-scale': 'rolls and scales' };

function toldOf({ old, next }: ServiceChange): Kind {
  const { change } = planChange(old, next, { versions: { kserve: '0.17' } });
  return KINDS[change.objects[0]!.effect] ?? 'no pods';
}

/** What the controller cannot reconcile stays as it is: we say so, or that nothing is known. */
function isRight(change: ServiceChange, told: Kind): boolean {
  if (change.row.failed !== undefined) return told === 'refused' || told === 'no pods';
  return told === madeOf(change);
}

const edits = ({ row }: ServiceChange) => [...(row.old ?? []), ...(row.new ?? [])];
const has =
  (...names: readonly string[]) =>
  (change: ServiceChange) =>
    edits(change).some((edit) => names.includes(edit));

/** Where we differ, and why: the first that fits counts. */
const DIFFERENCES: readonly (readonly [why: string, is: (change: ServiceChange) => boolean])[] = [
  [
    'the ConfigMap of models is another fake to the controller than the one that it looks at',
    ({ row }) => row.failed?.includes('modelconfig') === true,
  ],
  ['no service of the recording is Ready, and one that is turns back', has('auto-update off')],
  [
    'another autoscaler: how many pods it leaves is not in the recording',
    (change) => edits(change).some((edit) => edit.startsWith('autoscaler')),
  ],
  ['a service that was in mode ModelMesh by its default has no mode in its status', has('mode ModelMesh')],
  ["resources of the platform's are written into the service when that is written next", has("platform's resources")],
  [
    'hostNetwork false, which the recording leaves out as Go does: a server stores it, and raises the generation that the pods of several nodes bear',
    has('hostNetwork false'),
  ],
];

interface WrongChange {
  readonly change: ServiceChange;
  readonly told: Kind;
}

function wrongIn(part: readonly ServiceChange[]): readonly WrongChange[] {
  return part.flatMap((change) => {
    const told = toldOf(change);
    return isRight(change, told) ? [] : [{ change, told }];
  });
}

/** So many changes are one test: whoever asks what a change of our code breaks need not wait for all of them. */
const AT_ONCE = 100;
const parts = Array.from({ length: Math.ceil(changes.length / AT_ONCE) }, (_, index) => ({
  from: index * AT_ONCE,
  part: changes.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
}));
/** What the tests of the parts have found wrong, by the first change of each. */
const found = new Map<number, readonly WrongChange[]>();

test.each(parts)(
  'what a change does to the pods of an InferenceService is what KServe made of it: those from $from on',
  ({ from, part }) => {
    const wrong = wrongIn(part);
    found.set(from, wrong);
    const unexplained = wrong.filter(({ change }) => !DIFFERENCES.some(([, is]) => is(change)));
    expect(unexplained.map(({ change, told }) => `${told}, not ${madeOf(change)}: ${namedChange(change)}`)).toEqual([]);
  },
);

test('it differs where the reason is known, so often', () => {
  const wrong = parts.flatMap(({ from, part }) => found.get(from) ?? wrongIn(part));
  const first = (change: ServiceChange) => DIFFERENCES.findIndex(([, is]) => is(change));
  expect(changes.length).toBeGreaterThan(2900);
  expect(wrong.length).toBe(differencesIn('kserve-changes'));
  expect(DIFFERENCES.map(([why], index) => [why, wrong.filter(({ change }) => first(change) === index).length])).toMatchSnapshot();
});
