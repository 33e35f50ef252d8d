import { ROOT_PATH } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { FleetInventory } from '../clusters';
import { EXAMPLE_CLUSTERS, formatBundleExample } from './example-bundle';

/** Rule about a bundle that is planned without clusters. */
export const noInventory = defineRule({
  code: 'fleet/no-inventory',
  since: '0.1.0',
  severity: 'info',
  fires: 'A bundle is planned, but the input contains no clusters (reported once per run).',
  why:
    'The members of each partition, and the waves of the rollout, depend on the clusters. ' +
    'Without clusters only the strategy itself can be validated.',
  fix: 'Export the inventory: `kubectl get clusters.fleet.cattle.io,clustergroups.fleet.cattle.io -A -o yaml > clusters.yaml`, then pass `--clusters clusters.yaml`.',
  example: formatBundleExample('maxUnavailable: 1'),
  fixedExample: formatBundleExample('maxUnavailable: 1') + EXAMPLE_CLUSTERS,
  messages: {
    noClusters: defineMessage<object>({
      text: () => 'The input contains no clusters, so the plan cannot show the clusters, partitions and waves of a bundle.',
      help: () =>
        'Pass the inventory with --clusters, or as the prop inventory: `kubectl get clusters.fleet.cattle.io,clustergroups.fleet.cattle.io -A -o yaml` prints it.',
      sample: {},
    }),
  },
});

/**
 * Reports a missing inventory once for all bundles of a plan.
 *
 * @param plansBundle reports whether the plan has a bundle that Fleet accepts and that could be shown
 */
export function checkNoInventory(inventory: FleetInventory | undefined, plansBundle: () => boolean): Finding[] {
  return inventory || !plansBundle() ? [] : [noInventory.createFinding('noClusters', { path: ROOT_PATH, data: {} })];
}
