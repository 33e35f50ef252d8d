import { findingsOf } from '../../core/finding';
import type { FindingCatalogue } from '../../core/finding';

/** Three clusters, two of them labelled as production. */
const CLUSTERS = `---
apiVersion: fleet.cattle.io/v1alpha1
kind: Cluster
metadata:
  name: staging-1
  labels:
    env: staging
---
apiVersion: fleet.cattle.io/v1alpha1
kind: Cluster
metadata:
  name: prod-1
  labels:
    env: prod
---
apiVersion: fleet.cattle.io/v1alpha1
kind: Cluster
metadata:
  name: prod-2
  labels:
    env: prod
`;

/** A Bundle for all clusters, with the lines given as its rolloutStrategy. */
function bundle(...rolloutStrategy: readonly string[]): string {
  return `apiVersion: fleet.cattle.io/v1alpha1
kind: Bundle
metadata:
  name: shop
spec:
  targets:
    - clusterSelector: {}
  rolloutStrategy:
${rolloutStrategy.map((line) => `    ${line}\n`).join('')}`;
}

/** A partition by one label, as lines. */
function partition(name: string, env: string, ...more: readonly string[]): string[] {
  return [`  - name: ${name}`, '    clusterSelector:', '      matchLabels:', `        env: ${env}`, ...more.map((line) => `    ${line}`)];
}

/** The findings about Bundles, HelmOps and fleet.yaml files. */
export const FLEET_CATALOGUE = {
  'fleet/unmatched-clusters': {
    severity: 'warning',
    fires: 'Clusters that the bundle targets are in none of the partitions.',
    why:
      'With partitions written by hand, a cluster that none of them matches never gets a BundleDeployment; one that has it already ' +
      'stays on the old version for ever. ' +
      'Fleet reports no error and no status. (The CRD says that such clusters are added at the end; they are not.) Source: rollout.go ' +
      '`manualPartition`.',
    fix: 'Add a last partition for the rest: the labels of the others with operator NotIn, which a missing label satisfies too.',
    example: bundle('maxUnavailable: 1', 'partitions:', ...partition('staging', 'staging')) + CLUSTERS,
    fixed:
      bundle(
        'maxUnavailable: 1',
        'partitions:',
        ...partition('staging', 'staging'),
        '  - name: rest',
        '    clusterSelector:',
        '      matchExpressions:',
        '        - key: env',
        '          operator: NotIn',
        '          values: [staging]',
      ) + CLUSTERS,
  },
  'fleet/overlapping-partitions': {
    severity: 'warning',
    fires: 'A cluster is in two partitions.',
    why:
      'Fleet does not take duplicates out. The cluster is counted in each partition, so limits in percent grow and its failure counts ' +
      'twice, and it is released with the first one that is reached. ' +
      'A gate (maxUnavailable 0 and the criteria of a partition before it) is meant so, and is not told.',
    fix: 'Narrow one of the two criteria so that each cluster is in one partition.',
    example:
      bundle('maxUnavailable: 1', 'partitions:', ...partition('staging', 'staging'), '  - name: all', '    clusterSelector: {}') + CLUSTERS,
    fixed: bundle('maxUnavailable: 1', 'partitions:', ...partition('staging', 'staging'), ...partition('prod', 'prod')) + CLUSTERS,
  },
  'fleet/empty-partition': {
    severity: 'warning',
    fires: 'A partition matches none of the targeted clusters.',
    why:
      'Fleet passes over an empty partition without a word, so a typing error in a label looks like a partition that is done, and its ' +
      'clusters wait in another one or in none. ' +
      'A last partition that only excludes labels, with NotIn or DoesNotExist, is for what comes later, and may be empty.',
    fix:
      'Compare the criteria with the labels of the clusters (`kubectl get clusters.fleet.cattle.io --show-labels`), or delete the ' +
      'partition.',
    example:
      bundle(
        'maxUnavailable: 1',
        'partitions:',
        ...partition('canary', 'canary'),
        ...partition('staging', 'staging'),
        ...partition('prod', 'prod'),
      ) + CLUSTERS,
    fixed: bundle('maxUnavailable: 1', 'partitions:', ...partition('staging', 'staging'), ...partition('prod', 'prod')) + CLUSTERS,
  },
  'fleet/criteria-less-partition': {
    severity: 'error',
    fires: 'A partition has none of clusterName, clusterSelector, clusterGroup and clusterGroupSelector.',
    why:
      'Without a criterion a partition matches nothing, and not everything as one may expect: it can never hold a cluster. An empty ' +
      'name counts as absent; `clusterSelector: {}` is a criterion and matches everything.',
    fix: 'Write a criterion, or delete the partition.',
    example:
      bundle('maxUnavailable: 1', 'partitions:', ...partition('staging', 'staging'), ...partition('prod', 'prod'), '  - name: rest') +
      CLUSTERS,
    fixed: bundle('maxUnavailable: 1', 'partitions:', ...partition('staging', 'staging'), ...partition('prod', 'prod')) + CLUSTERS,
  },
  'fleet/zero-max-unavailable': {
    severity: 'error',
    fires: 'maxUnavailable is the whole number 0, for the whole bundle or in a partition.',
    why:
      'Fleet updates a ready cluster only while fewer than maxUnavailable clusters are unavailable, and none is fewer than 0: an ' +
      'install works, and then no update ever starts. ' +
      'The guide proposes 0 for strict readiness. With 1, an update goes cluster by cluster and one failing cluster stops it. Not ' +
      'meant is a gate: a partition with 0 and the criteria of one ' +
      'before it, which releases nothing and makes later partitions wait until all of its clusters are ready. Source: partition.go ' +
      '`updateDeploymentFromStaged`.',
    fix: 'Write 1. To wait for every cluster of a partition, put a second one with the same criteria and maxUnavailable 0 behind it.',
    example:
      bundle(
        'maxUnavailable: 0',
        'maxUnavailablePartitions: 0',
        'partitions:',
        ...partition('staging', 'staging'),
        ...partition('prod', 'prod'),
      ) + CLUSTERS,
    fixed:
      bundle(
        'maxUnavailable: 1',
        'maxUnavailablePartitions: 0',
        'partitions:',
        ...partition('staging', 'staging'),
        ...partition('prod', 'prod'),
      ) + CLUSTERS,
  },
  'fleet/zero-percent-is-one': {
    severity: 'info',
    fires: 'A limit is 0 percent or less.',
    why:
      'Fleet rounds percentages down, and then makes everything below 1 a 1: "0%" tolerates one unavailable cluster or partition, and ' +
      'as autoPartitionSize makes partitions of one cluster. Source: status.go `limit`.',
    fix: 'Write the whole number that is meant.',
    example: bundle('maxUnavailable: 1', 'maxUnavailablePartitions: 0%') + CLUSTERS,
    fixed: bundle('maxUnavailable: 1', 'maxUnavailablePartitions: 0') + CLUSTERS,
  },
  'fleet/never-pauses': {
    severity: 'warning',
    fires:
      'maxUnavailablePartitions, partitions or autoPartitionSize is written, and no limit is below the number of clusters that it is ' +
      'about.',
    why:
      'maxUnavailable is 100% by default. A partition counts as not ready only when more clusters than that are not ready, which ' +
      'cannot be: the rollout never waits between partitions, ' +
      'an update reaches all clusters in one go, and registries meet every image pull at once. The guide’s scenario of 200 clusters ' +
      'with maxUnavailablePartitions 1 and autoPartitionSize 10% is one of these.',
    fix: 'Write maxUnavailable as well.',
    example:
      bundle('maxUnavailablePartitions: 0', 'partitions:', ...partition('staging', 'staging'), ...partition('prod', 'prod')) + CLUSTERS,
    fixed:
      bundle(
        'maxUnavailable: 1',
        'maxUnavailablePartitions: 0',
        'partitions:',
        ...partition('staging', 'staging'),
        ...partition('prod', 'prod'),
      ) + CLUSTERS,
  },
  'fleet/batches-not-checked': {
    severity: 'info',
    fires:
      'A partition’s maxUnavailable is 2 or more, but below the number of its clusters and not above the bundle’s. Only ' +
      'the first such partition of a bundle is told, and none where a gate is among the partitions.',
    why:
      'The guide says that a partition goes in batches of up to 50, and that maxUnavailable is checked after each. There are no such ' +
      'batches. An install takes the whole partition at once, whatever is ready: maxNew (50) only ends a reconcile, and the next one ' +
      'follows at once. An update has none either: it goes on while fewer than maxUnavailable clusters of the partition, and of the ' +
      'bundle, are unavailable. An install waits between partitions alone. Source: partition.go `UpdatePartitions`.',
    fix:
      'If that is what you want, leave it. For batches with a check, make each one a partition, and put a gate behind it: a second one ' +
      'with the same criteria and maxUnavailable 0.',
    example: bundle('maxUnavailable: 2') + CLUSTERS,
    fixed:
      bundle(
        'maxUnavailable: 2',
        'partitions:',
        ...partition('staging', 'staging'),
        ...partition('staging-ready', 'staging', 'maxUnavailable: 0'),
        ...partition('prod', 'prod'),
      ) + CLUSTERS,
  },
  'fleet/partition-above-bundle-limit': {
    severity: 'warning',
    fires: 'A partition’s own maxUnavailable lets more clusters update at once than the bundle-wide one.',
    why:
      'Both limits hold for an update: a cluster is released only while its partition and the whole bundle have room. The bundle-wide ' +
      'limit throttles the partition below what is written there, and failures in other partitions take from it.',
    fix: 'Raise rolloutStrategy.maxUnavailable to the largest limit of a partition, or lower the partition’s.',
    example:
      bundle('maxUnavailable: 1', 'partitions:', ...partition('staging', 'staging'), ...partition('prod', 'prod', 'maxUnavailable: 2')) +
      CLUSTERS,
    fixed:
      bundle('maxUnavailable: 2', 'partitions:', ...partition('staging', 'staging'), ...partition('prod', 'prod', 'maxUnavailable: 2')) +
      CLUSTERS,
  },
  'fleet/invalid-limit': {
    severity: ['error', 'warning'],
    fires: 'A limit is text that is neither a whole number above 0 nor a percentage: "abc", "0", "10 %".',
    why:
      'The API server takes any text. The controller fails to reconcile the bundle, sets Ready=False and does not try again: nothing ' +
      'is rolled out to any cluster. ' +
      'A value that it never reads (of an empty partition, or autoPartitionSize beside partitions) does no harm yet, and is a ' +
      'warning. Source: status.go `limit`.',
    fix: 'Write a whole number, or a percentage with its sign and without spaces.',
    example: bundle('maxUnavailable: 10 %') + CLUSTERS,
    fixed: bundle('maxUnavailable: 10%') + CLUSTERS,
  },
  'fleet/invalid-selector': {
    severity: ['error', 'warning'],
    fires: 'A label selector has an operator, a key or values that Kubernetes refuses.',
    why:
      'The API server does not check it. In a target or partition the controller fails to reconcile the bundle and does not try ' +
      'again; in a ClusterGroup it logs the error and the group has no members.',
    fix: 'Write one of the operators In, NotIn, Exists and DoesNotExist; the first two with values, the others without.',
    example:
      bundle(
        'maxUnavailable: 1',
        'partitions:',
        '  - name: all',
        '    clusterSelector:',
        '      matchExpressions:',
        '        - key: env',
        '          operator: Equals',
        '          values: [staging, prod]',
      ) + CLUSTERS,
    fixed:
      bundle(
        'maxUnavailable: 1',
        'partitions:',
        '  - name: all',
        '    clusterSelector:',
        '      matchExpressions:',
        '        - key: env',
        '          operator: In',
        '          values: [staging, prod]',
      ) + CLUSTERS,
  },
  'fleet/max-new-zero': {
    severity: 'error',
    fires: 'maxNew is 0 or less.',
    why:
      'Every reconcile creates at most maxNew BundleDeployments; with 0 none is ever created, and Fleet reports no error. maxNew is ' +
      'no way to slow an install down either: the next reconcile follows at once. Since Fleet 0.16.',
    fix: 'Delete maxNew (50 is the default), or write at least 1.',
    example: bundle('maxUnavailable: 1', 'maxNew: 0') + CLUSTERS,
    fixed: bundle('maxUnavailable: 1') + CLUSTERS,
  },
  'fleet/no-inventory': {
    severity: 'info',
    fires: 'No clusters are in view.',
    why:
      'Which clusters a partition holds, and how a rollout goes through them, depends on the clusters there are. Only what the ' +
      'strategy says by itself can be judged.',
    fix:
      'Give the inventory: `kubectl get clusters.fleet.cattle.io,clustergroups.fleet.cattle.io -A -o yaml > clusters.yaml`, then ' +
      '`--clusters clusters.yaml`.',
    example: bundle('maxUnavailable: 1'),
    fixed: bundle('maxUnavailable: 1') + CLUSTERS,
  },
} satisfies FindingCatalogue;

/** Makes findings about Fleet rollouts. */
export const fleetFinding = findingsOf(FLEET_CATALOGUE);
