import { WHOLE_OBJECT } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { Inventory } from '../clusters';
import { CLUSTERS, bundleWith } from './example-bundle';

/** Nothing to roll out over. */
export const noInventory = rule({
  code: 'fleet/no-inventory',
  since: '0.1.0',
  severity: 'info',
  fires: 'No clusters are in view, and a bundle is planned; once a run.',
  why:
    'Which clusters a partition holds, and how a rollout goes through them, depends on the clusters there are. ' +
    'Only what the strategy says by itself can be judged.',
  fix: 'Give the inventory: `kubectl get clusters.fleet.cattle.io,clustergroups.fleet.cattle.io -A -o yaml > clusters.yaml`, then `--clusters clusters.yaml`.',
  example: bundleWith('maxUnavailable: 1'),
  fixed: bundleWith('maxUnavailable: 1') + CLUSTERS,
  messages: {
    noClusters: message<object>({
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
export function noInventoryFindings(inventory: Inventory | undefined, plansBundle: () => boolean): Finding[] {
  return inventory || !plansBundle() ? [] : [noInventory.finding('noClusters', { path: WHOLE_OBJECT, data: {} })];
}
