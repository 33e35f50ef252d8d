import { ROOT_PATH } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { FleetCluster } from '../clusters';
import { clusterNamesOf } from '../inventory';

interface UnknownData {
  readonly cluster: string;
  /** Clusters of the inventory. */
  readonly clusters: number;
}

/** A cluster named on the command line that is not in the inventory. */
export const unknownCluster = defineRule({
  code: 'input/unknown-cluster',
  since: '0.1.0',
  severity: 'warning',
  fires: '`--never-ready` or `--not-ready-now` names a cluster that the inventory does not hold.',
  why: 'The plan shows a rollout in which that cluster changes nothing, so a typing error looks like a rollout that does not halt.',
  fix: 'Name a cluster of the inventory, or add it to the file given with `--clusters`.',
  example: `# rolloutkit plan --never-ready stagging clusters.yaml
apiVersion: fleet.cattle.io/v1alpha1
kind: Cluster
metadata:
  name: staging
`,
  fixedExample: `# rolloutkit plan --never-ready staging clusters.yaml
apiVersion: fleet.cattle.io/v1alpha1
kind: Cluster
metadata:
  name: staging
`,
  messages: {
    neverReady: defineMessage<UnknownData>({
      text: ({ cluster, clusters }) => `"${cluster}", said never to get ready, names no cluster of the inventory, which has ${clusters}.`,
      help: () => 'Write the name of a Cluster, or give its inventory with --clusters.',
      sample: { cluster: 'stagin', clusters: 12 },
    }),
    notReadyNow: defineMessage<UnknownData>({
      text: ({ cluster, clusters }) => `"${cluster}", said to be down now, names no cluster of the inventory, which has ${clusters}.`,
      help: () => 'Write the name of a Cluster, or give its inventory with --clusters.',
      sample: { cluster: 'stagin', clusters: 12 },
    }),
  },
});

/** Names of clusters as they are given on the command line. */
export interface ClusterNameOptions {
  readonly neverReady: readonly string[];
  readonly notReadyNow: readonly string[];
}

/** Says of each name that is given whether there is such a cluster. */
export function checkUnknownCluster(named: ClusterNameOptions, clusters: readonly FleetCluster[]): Finding[] {
  const names = new Set(clusters.flatMap(clusterNamesOf));
  return (['neverReady', 'notReadyNow'] as const).flatMap((option) =>
    named[option]
      .filter((name) => !names.has(name))
      .map((cluster) => unknownCluster.createFinding(option, { path: ROOT_PATH, data: { cluster, clusters: clusters.length } })),
  );
}
