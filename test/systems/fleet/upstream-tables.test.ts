import { fleetBehaviourOf } from '../../../src/systems/fleet/behaviour';
import type { FleetCluster, FleetClusterGroup, VisibleClusters } from '../../../src/systems/fleet/clusters';
import { resolveLimit } from '../../../src/systems/fleet/limit';
import { DISPLAY_NAME_LABEL } from '../../../src/systems/fleet/lookup';
import { compileCriteria, matchesCluster } from '../../../src/systems/fleet/matching';
import { splitTargets } from '../../../src/systems/fleet/partitions';
import { runRollout } from '../../../src/systems/fleet/rollout-loop';
import type { RolloutSettings } from '../../../src/systems/fleet/rollout-loop';
import { compileTargets, isCustomization } from '../../../src/systems/fleet/targets';
import { findDependencyErrors } from '../../../src/systems/fleet/rules/wrong-type';
import { installed, isPartitionUnavailable, isUnavailable, isUpToDate, notInstalled, reconcile } from './fleet-controller';
import type { BundleDeployment } from './fleet-controller';
import { FLEET_TABLES } from './upstream-cases';
import type { ValuedTarget } from './upstream-cases';

const NEWEST = fleetBehaviourOf('0.16.1');

/** Returns the rows of a table with a result that differs from upstream. */
function differences<Row>(rows: readonly Row[], outcome: (row: Row) => unknown, expected: (row: Row) => unknown) {
  return rows
    .map((row) => ({ row, outcome: outcome(row), expected: expected(row) }))
    .filter((compared) => JSON.stringify(compared.outcome) !== JSON.stringify(compared.expected));
}

function cluster(name: string, labels: Record<string, string> = {}): FleetCluster {
  return { name, labels };
}

function group(name: string): FleetClusterGroup {
  return { name };
}

/** Builds deployments from the letters of the tables: A available and up to date, M another ID applied, N not ready, 0 no BundleDeployment. */
function deploymentsOf(letters: string): (BundleDeployment | undefined)[] {
  return letters
    .split('')
    .map((letter) =>
      letter === '0' ? undefined : { stagedId: 'id', id: 'id', appliedId: letter === 'M' ? 'other' : 'id', ready: letter !== 'N' },
    );
}

/** Returns one partition of all targets without limits. */
function unlimited(targets: number, maxNew: number): RolloutSettings {
  const members = Array.from({ length: targets }, (_, position) => position);
  return {
    targets,
    partitions: [{ name: 'All', maxUnavailable: targets, members }],
    maxUnavailable: targets,
    maxUnavailablePartitions: 0,
    maxNew,
    isPaused: () => false,
    isNeverReady: () => false,
    isDown: () => false,
    listsTargets: true,
  };
}

/** Returns partitions in the notation of the tables: first and last target, counted from 1, and the limit. */
function rangesOf(strategy: object, targets: VisibleClusters): number[][] {
  return splitTargets(strategy, targets, NEWEST).map(({ members, maxUnavailable }) => [
    members[0]! + 1,
    members.at(-1)! + 1,
    maxUnavailable,
  ]);
}

describe("Fleet's own tables of limits and availability", () => {
  test('a limit is the first value that is set, rounded down and clamped to the count', () => {
    expect(
      differences(
        FLEET_TABLES.limits.cases,
        ({ count, values }) => resolveLimit(count, values, NEWEST),
        ({ limit }) => limit,
      ),
    ).toEqual([]);
  });

  test('maxUnavailable for a number of targets', () => {
    const found = differences(
      FLEET_TABLES.limitOfTargets.cases,
      ({ targets, maxUnavailable }) => resolveLimit(targets, [maxUnavailable], NEWEST),
      ({ limit }) => limit,
    );
    expect(found).toEqual([]);
  });

  test('a target is unavailable with another ID applied or if it is not ready, but not without a BundleDeployment', () => {
    const found = differences(
      FLEET_TABLES.unavailableOne.cases,
      ({ deployment }) => isUnavailable(deployment ? { ...deployment, stagedId: deployment.id } : undefined),
      ({ unavailable }) => unavailable,
    );
    expect(found).toEqual([]);
  });

  test('a target is up to date if staged, released and applied are equal', () => {
    const found = differences(
      FLEET_TABLES.upToDate.cases,
      ({ wanted, deployment }) => isUpToDate(deployment ? { ...deployment, ready: true } : undefined, wanted),
      ({ upToDate }) => upToDate,
    );
    expect(found).toEqual([]);
  });

  test('a partition is unavailable with more unavailable targets than its limit', () => {
    const found = differences(
      FLEET_TABLES.unavailablePartition.cases,
      ({ targets, maxUnavailable }) => isPartitionUnavailable(deploymentsOf(targets), 'id', maxUnavailable),
      ({ unavailable }) => unavailable,
    );
    expect(found).toEqual([]);
  });

  test('the number of unavailable targets', () => {
    const found = differences(
      FLEET_TABLES.unavailableTargets.cases,
      ({ targets }) => deploymentsOf(targets).filter(isUnavailable).length,
      ({ unavailable }) => unavailable,
    );
    expect(found).toEqual([]);
  });
});

describe("Fleet's own tables of partitions", () => {
  test('automatic partitions: sizes, thresholds, remainders, limits', () => {
    const found = differences(
      FLEET_TABLES.automaticPartitions.cases,
      ({ clusters, rollout }) =>
        rangesOf(rollout, { clusters: Array.from({ length: clusters }, (_, index) => cluster(`cluster-${index}`)), groupsOf: () => [] }),
      ({ partitions }) => partitions,
    );
    expect(found).toEqual([]);
  });

  test('manual partitions: by name and by group, in several, in none', () => {
    const found = differences(
      FLEET_TABLES.writtenPartitions.cases,
      ({ targets, rollout }) => {
        const groupNames = new Map<FleetCluster, string>();
        const clusters = targets.flatMap(({ from, to, name = 'any', group: groupName, labels }) =>
          Array.from({ length: to - from + 1 }, () => {
            const member = cluster(name, labels);
            if (groupName) groupNames.set(member, groupName);
            return member;
          }),
        );
        return rangesOf(rollout, { clusters, groupsOf: (member) => (groupNames.has(member) ? [group(groupNames.get(member)!)] : []) });
      },
      ({ partitions }) => partitions,
    );
    expect(found).toEqual([]);
  });

  test('maxNew: BundleDeployments that one reconcile creates', () => {
    const found = differences(
      FLEET_TABLES.createdAtOnce.cases,
      ({ maxNew, targets }) => reconcile(unlimited(targets, maxNew ?? 50), notInstalled(targets)).created,
      ({ created }) => created,
    );
    expect(found).toEqual([]);
  });

  test('maxNew: none for an update, because the BundleDeployments exist', () => {
    expect(reconcile(unlimited(100, 10), installed(100)).released).toHaveLength(100);
  });

  test('`fleet target` stages all targets, with any maxNew', () => {
    const found = differences(
      FLEET_TABLES.stagedAtOnce.cases,
      ({ targets }) => runRollout('install', unlimited(targets, targets)).waves[0]?.count ?? 0,
      ({ staged }) => staged,
    );
    expect(found).toEqual([]);
  });
});

describe("Fleet's own tables of matching", () => {
  test('criteria are ANDed, the display name counts as a name, no criterion matches nothing', () => {
    const found = differences(
      FLEET_TABLES.criteria.cases,
      ({ criteria, cluster: { name, group: groupName, displayName } }) =>
        matchesCluster(
          compileCriteria(criteria, NEWEST),
          cluster(name, displayName ? { [DISPLAY_NAME_LABEL]: displayName } : {}),
          groupName ? [group(groupName)] : [],
        ),
      (row) => row.matches,
    );
    expect(found).toEqual([]);
  });

  test('all matching customizations, in order; only one with FirstMatch', () => {
    const found = differences(
      FLEET_TABLES.customizations.cases,
      ({ mode, customizations, clusterLabels }) => {
        const targets = customizations.map(({ labels, ...rest }) => ({ ...rest, clusterSelector: { matchLabels: labels } }));
        const restrictions = [{ clusterSelector: {} }];
        const choose = compileTargets({ targets: [...targets, ...restrictions], restrictions, mode }, NEWEST);
        return choose(cluster('any', clusterLabels), [])!.applied.map((position) => targets[position]!.name);
      },
      ({ applied }) => applied,
    );
    expect(found).toEqual([]);
  });

  test('a customization is identified by its position', () => {
    const found = differences(
      FLEET_TABLES.customizationAt.cases,
      ({ position, customizations, restrictions }) => isCustomization(position, customizations, restrictions),
      (row) => row.isCustomization,
    );
    expect(found).toEqual([]);
  });

  test('the clusters that get the bundle, and their options', () => {
    const found = differences(
      FLEET_TABLES.deployedTo.cases,
      ({ mode, customizations, targets }) => deployedTo(mode, customizations, targets),
      ({ deployed }) => deployed,
    );
    expect(found).toEqual([]);
  });

  test('the states that a dependency may accept, and the required name or selector', () => {
    const found = differences(
      FLEET_TABLES.acceptedStates.cases,
      ({ dependency }) => findDependencyErrors([dependency]).length === 0,
      ({ valid }) => valid,
    );
    expect(found).toEqual([]);
  });
});

/** Returns the merged options of each deployed cluster. The clusters one, two and three are each in a group of their name and in the group all. */
function deployedTo(
  mode: 'FirstMatch' | 'AllMatches',
  customizations: readonly ValuedTarget[] | null,
  gitRepoTargets: readonly ValuedTarget[],
) {
  const targets = [...(customizations ?? []), ...gitRepoTargets];
  const restrictions = customizations === null ? [] : gitRepoTargets;
  const choose = compileTargets({ targets, restrictions, mode }, NEWEST);
  const entries = ['one', 'two', 'three'].flatMap((name) => {
    const choice = choose(cluster(name), [group('all'), group(name)]);
    if (!choice?.deployed) return [];
    const options = (choice.applied.length > 0 ? choice.applied : [choice.target]).map((position) => targets[position]!);
    const values = options.flatMap(({ values: own }) => (own ? [own] : []));
    return [[name, values.length > 0 ? Object.assign({}, ...values) : (options[0]!.replicas ?? null)] as const];
  });
  return Object.fromEntries(entries);
}

test('every row of every table is run above: 103 rows', () => {
  const sizes = Object.fromEntries(Object.entries(FLEET_TABLES).map(([table, { cases }]) => [table, cases.length]));
  expect(sizes).toEqual({
    limits: 14,
    limitOfTargets: 5,
    unavailableOne: 3,
    upToDate: 5,
    unavailablePartition: 3,
    unavailableTargets: 3,
    automaticPartitions: 9,
    writtenPartitions: 4,
    createdAtOnce: 4,
    stagedAtOnce: 4,
    criteria: 12,
    customizations: 8,
    customizationAt: 7,
    deployedTo: 13,
    acceptedStates: 9,
  });
  expect(Object.values(sizes).reduce((sum, size) => sum + size)).toBe(103);
});
