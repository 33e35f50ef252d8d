import { fleetBehaviour } from '../../../src/systems/fleet/behaviour';
import type { FleetCluster, FleetClusterGroup, VisibleClusters } from '../../../src/systems/fleet/clusters';
import { resolveLimit } from '../../../src/systems/fleet/limit';
import { DISPLAY_NAME_LABEL } from '../../../src/systems/fleet/lookup';
import { compileCriteria, matches } from '../../../src/systems/fleet/matching';
import { partitionTargets } from '../../../src/systems/fleet/partitions';
import { rollOut } from '../../../src/systems/fleet/rollout-loop';
import type { RolloutSetting } from '../../../src/systems/fleet/rollout-loop';
import { compileTargets, isCustomization } from '../../../src/systems/fleet/targets';
import type { BundleTarget } from '../../../src/systems/fleet/types';
import { dependencyErrors } from '../../../src/systems/fleet/validation';
import { installed, isPartitionUnavailable, isUnavailable, isUpToDate, notInstalled, reconcile } from './fleet-controller';
import type { BundleDeployment } from './fleet-controller';
import { describeUpstream, upstreamRows, upstreamTableSizes } from './upstream-cases';
import type { UpstreamRow } from './upstream-cases';

const NEWEST = fleetBehaviour('0.16.1');

/** The rows of a table that come out otherwise than upstream expects. */
function differences(table: string, outcome: (row: UpstreamRow) => unknown, expected: (row: UpstreamRow) => unknown) {
  return upstreamRows(table)
    .map((row) => ({ row, outcome: outcome(row), expected: expected(row) }))
    .filter((compared) => JSON.stringify(compared.outcome) !== JSON.stringify(compared.expected));
}

function last(row: UpstreamRow): unknown {
  return row.at(-1);
}

function cluster(name: string, labels: Record<string, string> = {}): FleetCluster {
  return { name, labels };
}

function group(name: string): FleetClusterGroup {
  return { name };
}

/** Letters of the tables: A available and up to date, M another ID applied, N not ready, 0 no BundleDeployment. */
function deploymentsOf(letters: string): (BundleDeployment | undefined)[] {
  return letters
    .split('')
    .map((letter) =>
      letter === '0' ? undefined : { stagedId: 'id', id: 'id', appliedId: letter === 'M' ? 'other' : 'id', ready: letter !== 'N' },
    );
}

/** One partition of all targets that nothing limits. */
function unlimited(targets: number, maxNew: number): RolloutSetting {
  const members = Array.from({ length: targets }, (_, position) => position);
  return {
    targets,
    partitions: [{ name: 'All', maxUnavailable: targets, members }],
    maxUnavailable: targets,
    maxUnavailablePartitions: 0,
    maxNew,
    isPaused: () => false,
    isNeverReady: () => false,
    listsTargets: true,
  };
}

/** Partitions as the tables write them: first and last target counted from 1, and the limit. */
function rangesOf(strategy: object, targets: VisibleClusters): number[][] {
  return partitionTargets(strategy, targets, NEWEST).map(({ members, maxUnavailable }) => [
    members[0]! + 1,
    members.at(-1)! + 1,
    maxUnavailable,
  ]);
}

describeUpstream("Fleet's own tables of limits and availability", () => {
  test('Test_limit: the first value that is there, rounded down, held to the count', () => {
    expect(differences('limit', ([, count, values]) => resolveLimit(count, values, NEWEST), last)).toEqual([]);
  });

  test('TestMaxUnavailable: a limit of so many targets', () => {
    expect(differences('maxUnavailable', ([, targets, value]) => resolveLimit(targets, [value], NEWEST), last)).toEqual([]);
  });

  test('Test_isUnavailable: another ID applied, or not ready; not without a BundleDeployment', () => {
    const found = differences(
      'isUnavailable',
      ([, deployment]: UpstreamRow) => {
        if (deployment === null) return isUnavailable(undefined);
        const [id, appliedId, ready] = deployment;
        return isUnavailable({ stagedId: id, id, appliedId, ready });
      },
      last,
    );
    expect(found).toEqual([]);
  });

  test('Test_upToDate: staged, released and applied alike', () => {
    const found = differences(
      'upToDate',
      ([, wanted, deployment]: UpstreamRow) => {
        if (deployment === null) return isUpToDate(undefined, wanted);
        const [stagedId, id, appliedId] = deployment;
        return isUpToDate({ stagedId, id, appliedId, ready: true }, wanted);
      },
      last,
    );
    expect(found).toEqual([]);
  });

  test('Test_updateStatusAndCheckUnavailable: a partition is unavailable with more than its limit', () => {
    const found = differences(
      'updatePartitionStatus',
      ([, maxUnavailable, letters]: UpstreamRow) => isPartitionUnavailable(deploymentsOf(letters), 'id', maxUnavailable),
      last,
    );
    expect(found).toEqual([]);
  });

  test('TestUnavailable: how many of the targets are', () => {
    expect(differences('unavailable', ([letters]) => deploymentsOf(letters).filter(isUnavailable).length, last)).toEqual([]);
  });
});

describeUpstream("Fleet's own tables of partitions", () => {
  test('Test_autoPartition: sizes, thresholds, remainders, limits', () => {
    const found = differences(
      'autoPartition',
      ([, count, strategy]: UpstreamRow) =>
        rangesOf(strategy, { clusters: Array.from({ length: count }, (_, index) => cluster(`cluster-${index}`)), groupsOf: () => [] }),
      last,
    );
    expect(found).toEqual([]);
  });

  test('Test_manualPartition: by name and by group, in several, in none', () => {
    const found = differences(
      'manualPartition',
      ([, ranges, strategy]: UpstreamRow) => {
        const groupNames = new Map<FleetCluster, string>();
        const clusters = ranges.flatMap(([from, to, { name = 'any', group: groupName, labels }]: UpstreamRow) =>
          Array.from({ length: to - from + 1 }, () => {
            const member = cluster(name, labels);
            if (groupName) groupNames.set(member, groupName);
            return member;
          }),
        );
        return rangesOf(strategy, { clusters, groupsOf: (member) => (groupNames.has(member) ? [group(groupNames.get(member)!)] : []) });
      },
      last,
    );
    expect(found).toEqual([]);
  });

  test('Test_UpdatePartitions_MaxNew: BundleDeployments that one reconcile creates', () => {
    const found = differences(
      'maxNew',
      ([, maxNew, targets]: UpstreamRow) => reconcile(unlimited(targets, maxNew ?? 50), notInstalled(targets)).created,
      last,
    );
    expect(found).toEqual([]);
  });

  test('and none of them for an update, whose BundleDeployments are there', () => {
    expect(reconcile(unlimited(100, 10), installed(100)).released).toHaveLength(100);
  });

  test('`fleet target`, which stages all: as many as there are targets, whatever maxNew says', () => {
    expect(
      differences('cliTargetStagesAll', ([targets]) => rollOut('install', unlimited(targets, targets)).waves[0]?.count ?? 0, last),
    ).toEqual([]);
  });
});

describeUpstream("Fleet's own tables of matching", () => {
  test('clustermatcher_test.go: criteria are ANDed, the display name counts as a name, no criterion matches nothing', () => {
    const found = differences(
      'clusterMatcher',
      ([criteria, { name, group: groupName, displayName }]: UpstreamRow) =>
        matches(
          compileCriteria(criteria, NEWEST),
          cluster(name, displayName ? { [DISPLAY_NAME_LABEL]: displayName } : {}),
          groupName ? [group(groupName)] : [],
        ),
      last,
    );
    expect(found).toEqual([]);
  });

  test('bundlematch_test.go: all customizations that match, in their order; one of them with FirstMatch', () => {
    const found = differences(
      'matchAllTargetCustomizations',
      ([name, customizations, labels]: UpstreamRow) => {
        const targets = customizations.map(([customization, matchLabels]: UpstreamRow) => ({
          name: customization,
          clusterSelector: { matchLabels },
        }));
        const restrictions = [{ clusterSelector: {} }];
        const mode = name === 'FirstMatch mode' ? 'FirstMatch' : 'AllMatches';
        const choose = compileTargets({ targets: [...targets, ...restrictions], restrictions, mode }, NEWEST);
        return choose(cluster('any', labels), [])!.applied.map((position) => targets[position].name);
      },
      last,
    );
    expect(found).toEqual([]);
  });

  test('bundlematch_test.go: a customization is told by its position', () => {
    expect(
      differences(
        'determineIsCustomization',
        ([index, customizations, restrictions]) => isCustomization(index, customizations, restrictions),
        last,
      ),
    ).toEqual([]);
  });

  test('bundle_targets_test.go: which clusters get the bundle, and with which options', () => {
    const found = differences(
      'bundleTargets',
      ([, mode, customizations, gitRepoTargets]: UpstreamRow) => deployedTo(mode, customizations, gitRepoTargets),
      last,
    );
    expect(found).toEqual([]);
  });

  test('validate_fleetyaml_test.go: the states that a dependency may accept, and that it needs a name or selector', () => {
    const found = differences(
      'dependsOnAcceptedStates',
      ([acceptedStates]: UpstreamRow) => {
        const dependency = Array.isArray(acceptedStates) ? { name: 'base', acceptedStates } : {};
        return dependencyErrors([dependency]).length === 0;
      },
      last,
    );
    expect(found).toEqual([]);
  });
});

type Valued = BundleTarget & { readonly replicas?: string; readonly values?: Record<string, string> };

/** The clusters one, two and three, each in a group of its name and in the group all; what the merged options give each that is deployed to. */
function deployedTo(mode: 'FirstMatch' | 'AllMatches', customizations: readonly Valued[] | null, gitRepoTargets: readonly Valued[]) {
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

describeUpstream('Every row of every table', () => {
  test('is run above: 103 rows', () => {
    expect(upstreamTableSizes()).toEqual({
      limit: 14,
      maxUnavailable: 5,
      isUnavailable: 3,
      upToDate: 5,
      updatePartitionStatus: 3,
      unavailable: 3,
      autoPartition: 9,
      manualPartition: 4,
      maxNew: 4,
      cliTargetStagesAll: 4,
      clusterMatcher: 12,
      matchAllTargetCustomizations: 8,
      determineIsCustomization: 7,
      bundleTargets: 13,
      dependsOnAcceptedStates: 9,
    });
    expect(Object.values(upstreamTableSizes()).reduce((sum, size) => sum + size)).toBe(103);
  });
});
