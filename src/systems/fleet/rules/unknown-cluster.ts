import { ROOT_PATH } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { pluralize } from '../../../core/text/text-format';
import type { FleetCluster } from '../clusters';
import { clusterNamesOf } from '../inventory';

interface UnknownData {
  readonly cluster: string;
  /** Number of clusters in the inventory. */
  readonly clusters: number;
}

/** Rule about a cluster on the command line that is not in the inventory. */
export const unknownCluster = defineRule({
  code: 'input/unknown-cluster',
  since: '0.1.0',
  severity: 'warning',
  fires: '`--never-ready` or `--not-ready-now` names a cluster that is not in the inventory.',
  why: 'The name then has no effect on the plan, so a typo looks like a rollout that does not halt.',
  fix: 'Use the name of a cluster in the inventory, or add the cluster to the `--clusters` file.',
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
      text: ({ cluster, clusters }) =>
        `--never-ready names "${cluster}", but none of the ${pluralize(clusters, 'cluster')} in the inventory has this name.`,
      help: () => 'Correct the name, or pass an inventory that contains the cluster with --clusters.',
      sample: { cluster: 'stagin', clusters: 12 },
    }),
    notReadyNow: defineMessage<UnknownData>({
      text: ({ cluster, clusters }) =>
        `--not-ready-now names "${cluster}", but none of the ${pluralize(clusters, 'cluster')} in the inventory has this name.`,
      help: () => 'Correct the name, or pass an inventory that contains the cluster with --clusters.',
      sample: { cluster: 'stagin', clusters: 12 },
    }),
  },
});

/** Names of clusters from the command line. */
export interface ClusterNameOptions {
  readonly neverReady: readonly string[];
  readonly notReadyNow: readonly string[];
}

/** Reports each name that matches no cluster. */
export function checkUnknownCluster(named: ClusterNameOptions, clusters: readonly FleetCluster[]): Finding[] {
  const names = new Set(clusters.flatMap(clusterNamesOf));
  return (['neverReady', 'notReadyNow'] as const).flatMap((option) =>
    named[option]
      .filter((name) => !names.has(name))
      .map((cluster) => unknownCluster.createFinding(option, { path: ROOT_PATH, data: { cluster, clusters: clusters.length } })),
  );
}
