import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { pluralize, joinWords } from '../../../core/text/text-format';
import type { ParsedBundle } from '../bundle';
import type { FleetInventory } from '../clusters';
import type { ChosenClusters } from '../targets';
import { EXAMPLE_CLUSTERS, formatBundleExample } from './example-bundle';

interface NoTargetsData {
  /** Namespace of the bundle, if known. */
  readonly namespace?: string;
}

interface NoneMatchesData extends NoTargetsData {
  /** Number of clusters in the bundle's namespace. */
  readonly visible: number;
  /** Number of clusters in the inventory. */
  readonly clusters: number;
  /** The group that is used if there are no targets. */
  readonly group?: string;
  /** Names of the first few groups in the bundle's namespace. */
  readonly groups: readonly string[];
}

/** Maximum number of names in a message. */
const MAX_LISTED_GROUPS = 5;

function formatNamespace({ namespace }: NoTargetsData): string {
  return namespace === undefined ? '' : ` in namespace "${namespace}"`;
}

function formatVisibleClusters({ visible, clusters, namespace }: NoneMatchesData): string {
  if (visible === 0 || visible === clusters || namespace === undefined) return `the ${pluralize(clusters, 'cluster')} in the inventory`;
  return `the ${pluralize(visible, 'cluster')} in namespace "${namespace}"`;
}

/** Explains why a bundle does not see every cluster of the inventory, as a further sentence. */
function formatVisibilityNote({ visible, clusters, namespace }: NoneMatchesData): string {
  if (visible === clusters || namespace === undefined) return '';
  const others =
    visible === 0
      ? `No cluster in the inventory is in namespace "${namespace}"`
      : `The inventory has ${pluralize(clusters, 'cluster')} in all namespaces`;
  return ` ${others}; a bundle sees only the clusters in its own namespace.`;
}

/** Rule about a bundle that reaches no cluster. */
export const noTarget = defineRule({
  code: 'fleet/no-target',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires: 'A Bundle has no targets, or its targets match no cluster in the inventory. Constructs also report a bundle without a namespace.',
  why:
    'A bundle is deployed only to clusters in its own namespace that its targets match. Fleet reports nothing if no cluster matches. ' +
    'A Bundle without targets never reaches any cluster, which is an error. A HelmOp or GitRepo without targets ' +
    'deploys to the cluster group `default`. Source: rancher/fleet builder.go `Targets`, bundlereader/read.go.',
  fix: 'Set targets that match, such as `- clusterSelector: {}` for every cluster in the namespace.',
  example: formatBundleExample('maxUnavailable: 1').replace('clusterSelector: {}', 'clusterName: prod-3') + EXAMPLE_CLUSTERS,
  fixedExample: formatBundleExample('maxUnavailable: 1').replace('clusterSelector: {}', 'clusterName: prod-2') + EXAMPLE_CLUSTERS,
  messages: {
    noNamespace: defineMessage({
      text: () => 'The bundle has no namespace, so it gets that of the apply, and Fleet deploys it only to clusters of that namespace.',
      help: () => "Write metadata: { namespace: 'fleet-default' }. In cdk8s, the namespace of the chart is enough.",
      sample: {},
    }),
    noTargets: defineMessage<NoTargetsData>({
      text: () => 'The Bundle has no targets, so it is never deployed to any cluster.',
      help: (data) => `Add targets, such as "- clusterSelector: {}" for every cluster${formatNamespace(data)}.`,
      sample: {},
      variants: [{ namespace: 'fleet-default' }],
    }),
    noneMatches: defineMessage<NoneMatchesData>({
      text: (data) =>
        data.group === undefined
          ? `The targets match none of ${formatVisibleClusters(data)}, so nothing is deployed.${formatVisibilityNote(data)}`
          : `Without targets the bundle is deployed to the cluster group "${data.group}", which contains none of ${formatVisibleClusters(data)}, ` +
            `so nothing is deployed.${formatVisibilityNote(data)}`,
      help: ({ visible, groups, namespace }) => {
        if (visible === 0)
          return `Move the bundle to the namespace of its clusters, or pass the clusters of namespace "${namespace}" with --clusters, or in the prop inventory.`;
        const groupsText = groups.length === 0 ? '' : ` Groups in this namespace: ${joinWords(groups.map((group) => `"${group}"`))}.`;
        return `Correct the labels and names in the targets; "clusterSelector: {}" matches every cluster.${groupsText}`;
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

/** Reports a Bundle without targets. It reaches no cluster with any inventory. */
export function checkNoTarget(bundle: ParsedBundle): Finding[] {
  const { targeting, targetsLocation } = bundle;
  return targeting.targets.length > 0
    ? []
    : [noTarget.createFinding('noTargets', { path: targetsLocation.path, severity: 'error', data: buildNoTargetsData(bundle) })];
}

/**
 * Reports targets that match no cluster that the bundle sees.
 *
 * A cluster that doNotDeploy excludes counts as matched, because that is intended.
 */
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

/** Creates the finding about a bundle without a namespace. */
export function createNoNamespaceFinding(): Finding {
  return noTarget.createFinding('noNamespace', { path: toFieldPath`metadata.namespace`, data: {}, severity: 'warning' });
}
