import { ROOT_PATH } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { pluralize } from '../../../core/text/text-format';
import type { FleetCluster } from '../clusters';
import { EXAMPLE_CLUSTERS, formatBundleExample } from './example-bundle';
import { formatClusterNames } from './named-clusters';
import type { NamedClusters } from './named-clusters';

const EXAMPLE_BUNDLE = formatBundleExample('maxUnavailable: 1');

/** Rule about clusters that Fleet skips because of their status. The plan treats them like any other cluster. */
export const clusterNotReached = defineRule({
  code: 'fleet/cluster-not-reached',
  since: '0.1.0',
  severity: 'warning',
  fires: 'The status of a Cluster has no namespace, or says that the cluster is outside its Schedule.',
  why:
    'A cluster that is not registered has no namespace of its own. Fleet creates no BundleDeployment for it and counts it as unavailable. ' +
    'A cluster outside its Schedule gets no update until the Schedule is active again. The plan shows neither: it assumes that both are reached.',
  fix: 'Register the cluster, or wait for its Schedule. Or pass it with `--not-ready-now`, so that it counts against maxUnavailable.',
  example: `${EXAMPLE_BUNDLE}${EXAMPLE_CLUSTERS}status:
  display: {}
`,
  fixedExample: `${EXAMPLE_BUNDLE}${EXAMPLE_CLUSTERS}status:
  namespace: cluster-fleet-default-prod-2
`,
  messages: {
    notRegistered: defineMessage<NamedClusters>({
      text: (clusters) =>
        `${pluralize(clusters.count, 'cluster')} ${clusters.count === 1 ? 'is' : 'are'} not registered (no status.namespace): ${formatClusterNames(clusters)}. ` +
        `Fleet deploys nothing there and counts ${clusters.count === 1 ? 'it' : 'them'} as unavailable, ` +
        `but the plan assumes that ${clusters.count === 1 ? 'it is' : 'they are'} reached.`,
      help: ({ count }) => `Register ${count === 1 ? 'it, or pass it' : 'them, or pass them'} with --not-ready-now.`,
      sample: { count: 1, names: ['prod-2'] },
    }),
    outsideSchedule: defineMessage<NamedClusters>({
      text: (clusters) =>
        `${pluralize(clusters.count, 'cluster')} ${clusters.count === 1 ? 'is' : 'are'} outside the Schedule: ${formatClusterNames(clusters)}. ` +
        `${clusters.count === 1 ? 'It gets' : 'They get'} no update until the Schedule is active again, but the plan shows the rollout as if it were active.`,
      help: ({ count }) => `Plan again while the Schedule is active, or pass ${count === 1 ? 'it' : 'them'} with --not-ready-now.`,
      sample: { count: 7, names: ['prod-1', 'prod-2', 'prod-3', 'prod-4', 'prod-5'] },
    }),
  },
});

/** Maximum number of names in a finding. */
const MAX_LISTED_NAMES = 5;

/** Reports the states of clusters that the plan does not take into account. */
export function checkClusterNotReached(clusters: readonly FleetCluster[]): Finding[] {
  return (['notRegistered', 'outsideSchedule'] as const).flatMap((state) => {
    const names = clusters.filter((cluster) => cluster[state] === true).map(({ name }) => name);
    if (names.length === 0) return [];
    return [
      clusterNotReached.createFinding(state, { path: ROOT_PATH, data: { count: names.length, names: names.slice(0, MAX_LISTED_NAMES) } }),
    ];
  });
}
