import { ROOT_PATH } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { FleetInventory } from '../clusters';
import { EXAMPLE_CLUSTERS, formatBundleExample } from './example-bundle';

/** Nothing to roll out over. */
export const noInventory = defineRule({
  code: 'fleet/no-inventory',
  since: '0.1.0',
  severity: 'info',
  fires: 'No clusters are in view, and a bundle is planned; once a run.',
  why:
    'Which clusters a partition holds, and how a rollout goes through them, depends on the clusters there are. ' +
    'Only what the strategy says by itself can be judged.',
  fix: 'Give the inventory: `kubectl get clusters.fleet.cattle.io,clustergroups.fleet.cattle.io -A -o yaml > clusters.yaml`, then `--clusters clusters.yaml`.',
  example: formatBundleExample('maxUnavailable: 1'),
  fixedExample: formatBundleExample('maxUnavailable: 1') + EXAMPLE_CLUSTERS,
  messages: {
    noClusters: defineMessage<object>({
      text: () => "No clusters are in view: which of them a bundle reaches, in which partitions and waves, can't be shown.",
      help: () =>
        'Give the inventory with --clusters: `kubectl get clusters.fleet.cattle.io,clustergroups.fleet.cattle.io -A -o yaml` prints it.',
      sample: {},
    }),
  },
});

/**
 * One finding for all bundles of a plan.
 *
 * @param plansBundle whether there is a bundle that Fleet does not refuse, whose rollout could be shown
 */
export function checkNoInventory(inventory: FleetInventory | undefined, plansBundle: () => boolean): Finding[] {
  return inventory || !plansBundle() ? [] : [noInventory.createFinding('noClusters', { path: ROOT_PATH, data: {} })];
}
