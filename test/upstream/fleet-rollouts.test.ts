import type { Fields } from '../../src/core/manifest/manifest';
import type { FleetSimulation, FleetWaves } from '../../src/core/simulations/fleet';
import { planManifests } from '../../src/headless';
import { recorded } from './recording';

interface RecordedWaves {
  readonly waves: readonly string[];
  readonly done: boolean;
  readonly halted: unknown;
  readonly notReleased?: string;
}

interface RecordedBundle {
  readonly namespace: string;
  readonly spec: Fields;
  /** The reason why the controller refuses it. */
  readonly error?: string;
  readonly targets?: string;
  readonly partitions?: readonly { readonly name: string; readonly max: number; readonly in?: string }[];
  readonly maxUnavailable?: number;
  readonly maxUnavailablePartitions?: number;
  readonly install?: RecordedWaves;
  readonly update?: RecordedWaves;
}

interface Fleet {
  readonly inventory: { readonly clusters: readonly { readonly name: string; readonly namespace: string }[] };
  readonly neverReady?: readonly string[];
  readonly notReadyNow?: readonly string[];
  readonly bundles: readonly RecordedBundle[];
}

/** Parses a list of ranges: `0-3,7` is 0, 1, 2, 3 and 7. */
function numbersOf(list = ''): number[] {
  if (list === '') return [];
  return list.split(',').flatMap((range) => {
    const [from, to = from] = range.split('-').map(Number) as [number, number?];
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** Converts a recorded bundle to the form of the plan, with names instead of positions. */
function expectedOf(bundle: RecordedBundle, visible: readonly string[]): object | null {
  if (bundle.error !== undefined) return null;
  const targets = numbersOf(bundle.targets).map((position) => visible[position]!);
  const names = (list?: string) => numbersOf(list).map((position) => targets[position]!);
  const waves = ({ waves: recordedWaves, done, halted, notReleased }: RecordedWaves) => {
    return { waves: recordedWaves.map(names), done, halted, notReleased: names(notReleased) };
  };
  return {
    partitions: bundle.partitions!.map(({ name, max, in: members }) => ({ name, max, members: names(members) })),
    maxUnavailable: bundle.maxUnavailable,
    maxUnavailablePartitions: bundle.maxUnavailablePartitions,
    install: waves(bundle.install!),
    update: waves(bundle.update!),
  };
}

function shownWaves({ waves, done, halted, notReleased }: FleetWaves): object {
  return { waves: waves.map(({ clusters }) => clusters), done, halted, notReleased };
}

function shown({ partitions, maxUnavailable, maxUnavailablePartitions, install, update }: FleetSimulation): object {
  return {
    partitions: partitions.map(({ name, maxUnavailable: max, clusters }) => ({ name, max, members: clusters })),
    maxUnavailable,
    maxUnavailablePartitions,
    install: shownWaves(install),
    update: shownWaves(update),
  };
}

function plannedOf({ namespace, spec }: RecordedBundle, { inventory, neverReady = [], notReadyNow = [] }: Fleet): object | null {
  const bundle = { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Bundle', metadata: { name: 'b', namespace }, spec };
  const { rollouts } = planManifests([bundle], { clusters: inventory, neverReady, notReadyNow });
  const { simulation } = rollouts[0]!;
  return simulation?.kind === 'fleet' ? shown(simulation) : null;
}

describe.each([
  ['fleet-rollouts', 350],
  ['fleet-already-down', 100],
])('the bundles of %s', (name, atLeast) => {
  test('are rolled out to their clusters in the waves of Fleet 0.16.1', () => {
    const fleets = recorded(name) as readonly Fleet[];
    const cases = fleets.flatMap((fleet) => {
      const visible = (namespace: string) => fleet.inventory.clusters.filter((cluster) => cluster.namespace === namespace).toSorted(byName);
      return fleet.bundles.map((bundle) => {
        return {
          bundle,
          fleet: expectedOf(
            bundle,
            visible(bundle.namespace).map((cluster) => cluster.name),
          ),
          plan: plannedOf(bundle, fleet),
        };
      });
    });
    expect(cases.length).toBeGreaterThan(atLeast);
    expect(cases.filter(({ fleet, plan }) => JSON.stringify(fleet) !== JSON.stringify(plan)).slice(0, 3)).toEqual([]);
  });
});
