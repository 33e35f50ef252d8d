import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { pluralize, joinWords } from '../../../core/text-format';
import type { ParsedBundle } from '../bundle';
import type { FleetInventory } from '../clusters';
import type { ChosenClusters } from '../targets';
import { EXAMPLE_CLUSTERS, formatBundleExample } from './example-bundle';

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
const MAX_LISTED_GROUPS = 5;

function formatNamespace({ namespace }: NoTargetsData): string {
  return namespace === undefined ? '' : ` of namespace "${namespace}"`;
}

function formatVisibleClusters({ visible, clusters, namespace }: NoneMatchesData): string {
  if (visible === 0)
    return `the ${pluralize(clusters, 'cluster')} in view, which are of other namespaces than "${namespace}"; a bundle sees those of its own`;
  if (visible === clusters || namespace === undefined) return `the ${pluralize(clusters, 'cluster')} in view`;
  return `the ${pluralize(visible, 'cluster')} of namespace "${namespace}" (${clusters} in view; a bundle sees those of its own namespace)`;
}

/** A bundle that reaches no cluster. */
export const noTarget = defineRule({
  code: 'fleet/no-target',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires: 'A Bundle has no targets, or the targets match none of the clusters in view.',
  why:
    'A bundle is deployed to the clusters that its targets match, of its own namespace alone, and Fleet reports nothing where there is none. ' +
    'A Bundle without targets reaches no cluster, ever: an error. A HelmOp without targets, and what a GitRepo without targets finds, ' +
    'go to the cluster group `default`. Source: rancher/fleet builder.go `Targets`, bundlereader/read.go.',
  fix: 'Write targets that match, such as `- clusterSelector: {}` for every cluster of the namespace.',
  example: formatBundleExample('maxUnavailable: 1').replace('clusterSelector: {}', 'clusterName: prod-3') + EXAMPLE_CLUSTERS,
  fixedExample: formatBundleExample('maxUnavailable: 1').replace('clusterSelector: {}', 'clusterName: prod-2') + EXAMPLE_CLUSTERS,
  messages: {
    noTargets: defineMessage<NoTargetsData>({
      text: () => 'The Bundle has no targets, so it is deployed to no cluster, whatever clusters there are.',
      help: (data) => `Write targets, such as "- clusterSelector: {}" for every cluster${formatNamespace(data)}.`,
      sample: {},
      variants: [{ namespace: 'fleet-default' }],
    }),
    noneMatches: defineMessage<NoneMatchesData>({
      text: (data) =>
        data.group === undefined
          ? `The targets match none of ${formatVisibleClusters(data)}: nothing is deployed.`
          : `Without targets the cluster group "${data.group}" is meant, which has none of ${formatVisibleClusters(data)}: nothing is deployed.`,
      help: ({ visible, groups, namespace }) => {
        if (visible === 0)
          return `Put the bundle into the namespace of its clusters, or give the clusters of namespace "${namespace}" with --clusters.`;
        const groupsText = groups.length === 0 ? '' : ` Groups here: ${joinWords(groups.map((group) => `"${group}"`))}.`;
        return `Correct the labels and names that the targets ask for; "clusterSelector: {}" matches every cluster.${groupsText}`;
      },
      sample: { visible: 3, clusters: 3, groups: [] },
      variants: [
        { namespace: 'fleet-local', visible: 0, clusters: 3, groups: [] },
        { namespace: 'fleet-default', visible: 2, clusters: 3, group: 'default', groups: ['prod', 'staging'] },
      ],
    }),
  },
});

function buildNoTargetsData({ namespace }: ParsedBundle): NoTargetsData {
  return namespace === undefined ? {} : { namespace };
}

/** A Bundle without targets, which no inventory can change. */
export function checkNoTarget(bundle: ParsedBundle): Finding[] {
  const { targeting, targetsLocation } = bundle;
  return targeting.targets.length > 0
    ? []
    : [noTarget.createFinding('noTargets', { path: targetsLocation.path, severity: 'error', data: buildNoTargetsData(bundle) })];
}

/** Targets that match none of the clusters that the bundle sees. One that is matched and left out by doNotDeploy is meant so. */
export function checkNoMatchingTarget(bundle: ParsedBundle, { matched, visible }: ChosenClusters, inventory: FleetInventory): Finding[] {
  const { targeting, targetsLocation, namespace } = bundle;
  if (targeting.targets.length === 0 || matched > 0 || inventory.clusters.length === 0) return [];
  const groups = inventory.groups.filter((group) => namespace === undefined || (group.namespace ?? namespace) === namespace);
  const source = targetsLocation.locate?.(targetsLocation.path);
  const data = {
    ...buildNoTargetsData(bundle),
    visible,
    clusters: inventory.clusters.length,
    ...(bundle.defaultGroup !== undefined && { group: bundle.defaultGroup }),
    groups: groups.slice(0, MAX_LISTED_GROUPS).map(({ name }) => name),
  };
  return [noTarget.createFinding('noneMatches', { path: targetsLocation.path, severity: 'warning', data, ...(source && { source }) })];
}
