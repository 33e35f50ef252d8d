import { appendToPath, toFieldPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { formatClusterNames } from './named-clusters';
import type { NamedClusters } from './named-clusters';

interface NameData {
  /** The name that the bundle depends on. */
  readonly name: string;
  /** The name of the bundle that is meant. */
  readonly actual: string;
}

interface ReachData {
  readonly name: string;
  readonly clusters: NamedClusters;
}

interface CircleData {
  readonly name: string;
}

function renderBundle(dependency: string): string {
  return `apiVersion: fleet.cattle.io/v1alpha1
kind: Bundle
metadata: { name: followup, namespace: fleet-default }
spec:
  dependsOn: [{ name: sleep }]
  targets: [{ clusterSelector: {} }]
---
apiVersion: fleet.cattle.io/v1alpha1
kind: Bundle
metadata: { name: sleep, namespace: fleet-default }
spec:
  targets: ${dependency}
---
apiVersion: fleet.cattle.io/v1alpha1
kind: Cluster
metadata: { name: paris, namespace: fleet-default }
---
apiVersion: fleet.cattle.io/v1alpha1
kind: Cluster
metadata: { name: lima, namespace: fleet-default, labels: { env: edge } }
`;
}

/** A dependency that is no bundle on a cluster, so that Fleet never deploys there. */
export const dependsOnMissing = defineRule({
  code: 'fleet/depends-on-missing',
  since: '0.1.0',
  severity: 'error',
  fires:
    'dependsOn names no bundle that Fleet creates from the input, but the folder of one, a bundle that does not reach all clusters of this one, or one that waits for this one (a warning).',
  why:
    'On each cluster the agent looks for the deployments of the named bundle there. If it finds none, it reports an error and never deploys this bundle. ' +
    'Without `name` in its fleet.yaml, a bundle is named after its GitRepo and its path.',
  fix: 'Write the name of the bundle, or give it a name in its fleet.yaml. Target the clusters of both in the same way.',
  example: renderBundle('[{ clusterSelector: { matchLabels: { env: edge } } }]'),
  fixedExample: renderBundle('[{ clusterSelector: {} }]'),
  messages: {
    name: defineMessage<NameData>({
      text: ({ name, actual }) =>
        `dependsOn names bundle "${name}", but Fleet names that bundle "${actual}": no bundle matches, so this one is never deployed.`,
      // Only the length of the checksum in a name is known.
      help: ({ name, actual }) =>
        actual.includes('<')
          ? `Give the other bundle name: ${name} in its fleet.yaml.`
          : `Write name: ${actual}, or give the other bundle name: ${name} in its fleet.yaml.`,
      sample: { name: 'sleep', actual: 'infra-sleep' },
      variants: [{ name: 'infra-apps-x', actual: 'infra-apps-x-<8 characters of a checksum>' }],
    }),
    reach: defineMessage<ReachData>({
      text: ({ name, clusters }) =>
        `dependsOn names bundle "${name}", which is not deployed to ${formatClusterNames(clusters)}: this bundle is never deployed there.`,
      help: ({ name }) => `Deploy "${name}" to these clusters too, or exclude them from this bundle.`,
      sample: { name: 'sleep', clusters: { count: 1, names: ['lima'] } },
    }),
    circle: defineMessage<CircleData>({
      text: ({ name }) =>
        `dependsOn names bundle "${name}", which waits for this bundle, or for bundles that wait for each other: on a new cluster none of them is ever deployed.`,
      help: () => 'Delete one of these dependencies.',
      sample: { name: 'sleep' },
    }),
  },
});

/** What is wrong with a dependency. */
export type DependencyProblem =
  | { readonly messageId: 'name'; readonly data: NameData }
  | { readonly messageId: 'reach'; readonly data: ReachData }
  | { readonly messageId: 'circle'; readonly data: CircleData };

/** Reports a dependency that Fleet does not find. `root` is the path of the options of the bundle. */
export function reportDependency(problem: DependencyProblem, root: FieldPath, index: number): Finding {
  const list = root === '' ? toFieldPath`dependsOn` : toFieldPath`${root}.dependsOn`;
  const path = appendToPath(list, index);
  // Clusters that have the bundles already keep them.
  if (problem.messageId === 'circle') return dependsOnMissing.createFinding('circle', { path, severity: 'warning', data: problem.data });
  return problem.messageId === 'name'
    ? dependsOnMissing.createFinding('name', { path, data: problem.data })
    : dependsOnMissing.createFinding('reach', { path, data: problem.data });
}
