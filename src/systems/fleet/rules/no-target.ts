import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { counted, listed } from '../../../core/words';
import type { ReadBundle } from '../bundle';
import type { Inventory } from '../clusters';
import type { ChosenClusters } from '../targets';
import { CLUSTERS, bundleWith } from './example-bundle';

interface NoTargetsData {
  /** Of the bundle, where it is told. */
  readonly namespace?: string;
}

interface NoneMatchesData extends NoTargetsData {
  /** Clusters of the bundle's namespace. */
  readonly visible: number;
  /** Clusters in view. */
  readonly clusters: number;
  /** The group that stands for targets that are left out. */
  readonly group?: string;
  /** The names of groups in the bundle's namespace, the first few. */
  readonly groups: readonly string[];
}

/** Names that a message lists. */
const NAMED_GROUPS = 5;

function placeText({ namespace }: NoTargetsData): string {
  return namespace === undefined ? '' : ` of namespace "${namespace}"`;
}

function seenText({ visible, clusters, namespace }: NoneMatchesData): string {
  if (visible === 0)
    return `the ${counted(clusters, 'cluster')} in view, which are of other namespaces than "${namespace}"; a bundle sees those of its own`;
  if (visible === clusters || namespace === undefined) return `the ${counted(clusters, 'cluster')} in view`;
  return `the ${counted(visible, 'cluster')} of namespace "${namespace}" (${clusters} in view; a bundle sees those of its own namespace)`;
}

/** A bundle that reaches no cluster. */
export const noTarget = rule({
  code: 'fleet/no-target',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires: 'A Bundle has no targets, or the targets match none of the clusters in view.',
  why:
    'A bundle is deployed to the clusters that its targets match, of its own namespace alone, and Fleet reports nothing where there is none. ' +
    'A Bundle without targets reaches no cluster, ever: an error. A HelmOp without targets, and what a GitRepo without targets finds, ' +
    'go to the cluster group `default`. Source: rancher/fleet builder.go `Targets`, bundlereader/read.go.',
  fix: 'Write targets that match, such as `- clusterSelector: {}` for every cluster of the namespace.',
  example: bundleWith('maxUnavailable: 1').replace('clusterSelector: {}', 'clusterName: prod-3') + CLUSTERS,
  fixed: bundleWith('maxUnavailable: 1').replace('clusterSelector: {}', 'clusterName: prod-2') + CLUSTERS,
  messages: {
    noTargets: message<NoTargetsData>({
      text: () => 'The Bundle has no targets, so it is deployed to no cluster, whatever clusters there are.',
      help: (data) => `Write targets, such as "- clusterSelector: {}" for every cluster${placeText(data)}.`,
      sample: {},
      variants: [{ namespace: 'fleet-default' }],
    }),
    noneMatches: message<NoneMatchesData>({
      text: (data) =>
        data.group === undefined
          ? `The targets match none of ${seenText(data)}: nothing is deployed.`
          : `Without targets the cluster group "${data.group}" is meant, which has none of ${seenText(data)}: nothing is deployed.`,
      help: ({ visible, groups, namespace }) => {
        if (visible === 0)
          return `Put the bundle into the namespace of its clusters, or give the clusters of namespace "${namespace}" with --clusters.`;
        const known = groups.length === 0 ? '' : ` Groups here: ${listed(groups.map((group) => `"${group}"`))}.`;
        return `Correct the labels and names that the targets ask for; "clusterSelector: {}" matches every cluster.${known}`;
      },
      sample: { visible: 3, clusters: 3, groups: [] },
      variants: [
        { namespace: 'fleet-local', visible: 0, clusters: 3, groups: [] },
        { namespace: 'fleet-default', visible: 2, clusters: 3, group: 'default', groups: ['prod', 'staging'] },
      ],
    }),
  },
});

function placed({ namespace }: ReadBundle): NoTargetsData {
  return namespace === undefined ? {} : { namespace };
}

/** A Bundle without targets, which no inventory can change. */
export function withoutTargetsFindings(bundle: ReadBundle): Finding[] {
  const { targeting, targetsPlace } = bundle;
  return targeting.targets.length > 0
    ? []
    : [noTarget.finding('noTargets', { path: targetsPlace.path, severity: 'error', data: placed(bundle) })];
}

/** Targets that match none of the clusters that the bundle sees. One that is matched and left out by doNotDeploy is meant so. */
export function noneMatchesFindings(bundle: ReadBundle, { matched, visible }: ChosenClusters, inventory: Inventory): Finding[] {
  const { targeting, targetsPlace, namespace } = bundle;
  if (targeting.targets.length === 0 || matched > 0 || inventory.clusters.length === 0) return [];
  const groups = inventory.groups.filter((group) => namespace === undefined || (group.namespace ?? namespace) === namespace);
  const source = targetsPlace.locate?.(targetsPlace.path);
  const data = {
    ...placed(bundle),
    visible,
    clusters: inventory.clusters.length,
    ...(bundle.defaultGroup !== undefined && { group: bundle.defaultGroup }),
    groups: groups.slice(0, NAMED_GROUPS).map(({ name }) => name),
  };
  return [noTarget.finding('noneMatches', { path: targetsPlace.path, severity: 'warning', data, ...(source && { source }) })];
}
