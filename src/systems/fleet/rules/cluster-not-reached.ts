import { ROOT_PATH } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { pluralize } from '../../../core/text-format';
import type { FleetCluster } from '../clusters';
import { EXAMPLE_CLUSTERS, formatBundleExample } from './example-bundle';
import { formatClusterNames } from './named-clusters';
import type { NamedClusters } from './named-clusters';

const EXAMPLE_BUNDLE = formatBundleExample('maxUnavailable: 1');

/** Clusters that Fleet passes over for what their status says, which the plan takes as any other. */
export const clusterNotReached = defineRule({
  code: 'fleet/cluster-not-reached',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A Cluster as it runs has a status without a namespace, or is outside of its Schedule.',
  why:
    'A cluster that has not registered has no namespace of its own: Fleet makes no BundleDeployment for it, and counts it as unavailable. ' +
    'Outside of its Schedule a cluster gets no update until the Schedule is on again. The plan shows neither: it takes both for clusters that are reached.',
  fix: 'Register the cluster, or wait for its Schedule; or name it with `--not-ready-now`, where it takes up a place of the limit.',
  example: `${EXAMPLE_BUNDLE}${EXAMPLE_CLUSTERS}status:
  display: {}
`,
  fixedExample: `${EXAMPLE_BUNDLE}${EXAMPLE_CLUSTERS}status:
  namespace: cluster-fleet-default-prod-2
`,
  messages: {
    notRegistered: defineMessage<NamedClusters>({
      text: (clusters) =>
        `${pluralize(clusters.count, 'cluster')} ${clusters.count === 1 ? 'has' : 'have'} not registered (no status.namespace): ${formatClusterNames(clusters)}. ` +
        'Fleet deploys nothing there and counts them as unavailable; the plan takes them for clusters that are reached.',
      help: () => 'Register them, or name them with --not-ready-now.',
      sample: { count: 1, names: ['prod-2'] },
    }),
    outsideSchedule: defineMessage<NamedClusters>({
      text: (clusters) =>
        `${pluralize(clusters.count, 'cluster')} ${clusters.count === 1 ? 'is' : 'are'} outside of the Schedule: ${formatClusterNames(clusters)}. ` +
        'They get no update until it is on again; the plan shows the rollout as if it were.',
      help: () => 'Plan again while the Schedule is on, or name them with --not-ready-now.',
      sample: { count: 7, names: ['prod-1', 'prod-2', 'prod-3', 'prod-4', 'prod-5'] },
    }),
  },
});

/** Names that a finding holds. */
const MAX_LISTED_NAMES = 5;

/** What the status of clusters says that the plan does not follow. */
export function checkClusterNotReached(clusters: readonly FleetCluster[]): Finding[] {
  return (['notRegistered', 'outsideSchedule'] as const).flatMap((state) => {
    const names = clusters.filter((cluster) => cluster[state] === true).map(({ name }) => name);
    if (names.length === 0) return [];
    return [
      clusterNotReached.createFinding(state, { path: ROOT_PATH, data: { count: names.length, names: names.slice(0, MAX_LISTED_NAMES) } }),
    ];
  });
}
