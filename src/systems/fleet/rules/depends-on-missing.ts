import { appendToPath, toFieldPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding, Severity } from '../../../core/findings/finding';
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

interface NamedData {
  readonly name: string;
}

interface UnseenData extends NamedData {
  /** A bundle of the input with nearly that name. @default - none */
  readonly closest?: string;
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
  severity: ['error', 'warning', 'info'],
  fires:
    'dependsOn names no bundle that Fleet creates from the input, but the folder of one, a bundle that does not reach all clusters of this one, or (as a warning) one that is paused, or that waits for others or for this one. A name of no bundle in the input is a warning if a bundle has nearly that name, else an info.',
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
    circle: defineMessage<NamedData>({
      text: ({ name }) =>
        `dependsOn names bundle "${name}", which waits for this bundle, or for bundles that wait for each other: on a new cluster none of them is ever deployed.`,
      help: () => 'Delete one of these dependencies.',
      sample: { name: 'sleep' },
    }),
    paused: defineMessage<NamedData>({
      text: ({ name }) =>
        `dependsOn names bundle "${name}", which is paused: until it is not, this bundle is not deployed to new clusters, and not updated once "${name}" changes.`,
      help: ({ name }) => `Set paused: false for "${name}" first, or delete the dependency.`,
      sample: { name: 'sleep' },
    }),
    waits: defineMessage<ReachData>({
      text: ({ name, clusters }) =>
        `dependsOn names bundle "${name}", which its own dependencies keep from ${formatClusterNames(clusters)}: this bundle is not deployed there either.`,
      help: ({ name }) => `Correct the dependencies of "${name}".`,
      sample: { name: 'sleep', clusters: { count: 1, names: ['lima'] } },
    }),
    unseen: defineMessage<UnseenData>({
      text: ({ name, closest }) =>
        `dependsOn names bundle "${name}", which is not in the input${closest === undefined ? '' : `, unlike "${closest}"`}: if there is none, this bundle is never deployed.`,
      help: ({ closest }) =>
        closest === undefined
          ? 'Check the name, or add the bundle to the input.'
          : `Write name: ${closest} if that one is meant, or add the other bundle to the input.`,
      sample: { name: 'cert-manager' },
      variants: [{ name: 'slep', closest: 'sleep' }],
    }),
  },
});

/** What is wrong with a dependency. */
export type DependencyProblem =
  | { readonly messageId: 'name'; readonly data: NameData }
  | { readonly messageId: 'reach'; readonly data: ReachData }
  | { readonly messageId: 'circle' | 'paused'; readonly data: NamedData }
  | { readonly messageId: 'waits'; readonly data: ReachData }
  | { readonly messageId: 'unseen'; readonly data: UnseenData };

/** Returns a severity: clusters that have the bundles already keep them, and a bundle that is not in the input may exist. */
function severityOf(problem: DependencyProblem): Severity {
  if (problem.messageId === 'name' || problem.messageId === 'reach') return 'error';
  return problem.messageId === 'unseen' && problem.data.closest === undefined ? 'info' : 'warning';
}

/** Reports a dependency that Fleet does not find. `root` is the path of the options of the bundle. */
export function reportDependency(problem: DependencyProblem, root: FieldPath, index: number): Finding {
  const list = root === '' ? toFieldPath`dependsOn` : toFieldPath`${root}.dependsOn`;
  const path = appendToPath(list, index);
  const at = { path, severity: severityOf(problem) };
  if (problem.messageId === 'name') return dependsOnMissing.createFinding('name', { ...at, data: problem.data });
  if (problem.messageId === 'reach') return dependsOnMissing.createFinding('reach', { ...at, data: problem.data });
  if (problem.messageId === 'waits') return dependsOnMissing.createFinding('waits', { ...at, data: problem.data });
  if (problem.messageId === 'unseen') return dependsOnMissing.createFinding('unseen', { ...at, data: problem.data });
  return dependsOnMissing.createFinding(problem.messageId, { ...at, data: problem.data });
}
