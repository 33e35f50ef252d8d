import type { ObjectMeta } from '../../core/manifest';
import { describeValue } from '../../core/display-value';
import { resolveVersions } from '../../core/versions';
import { fleetBehaviourOf } from './behaviour';
import { ClusterIndex } from './cluster-index';
import type { FleetInventory } from './clusters';
import { findUnsupportedTargetFields } from './manifests';
import type { TargetedBundle } from './manifests';
import { FleetIntentError } from './partition-intents';
import { listPartitionGroups, resolveFleetStrategy } from './rollout-intent';
import type { FleetRolloutProps } from './rollout-intent';
import { chooseClusters } from './targets';
import type { RolloutStrategy } from './types';

/** A bundle by intent, whatever it is written as. */
export interface BundleIntent extends TargetedBundle {
  /** Name, namespace, labels and annotations of the bundle. @default - the adapter's id or name as name */
  readonly metadata?: ObjectMeta;
  /** How it is rolled out over the clusters. @default - as Fleet does without a rolloutStrategy: all clusters at once */
  readonly rollout?: FleetRolloutProps;
  /** Fleet's version. @default 0.16 */
  readonly fleet?: string;
}

/**
 * The rolloutStrategy that a bundle's intent means, among the clusters that it is deployed to.
 *
 * @throws FleetIntentError for a rollout that no strategy can carry out
 */
export function resolveBundleStrategy(
  intent: BundleIntent,
  inventory: FleetInventory | undefined,
  namespace: string | undefined,
): RolloutStrategy {
  const { rollout = {}, targets, targetCustomizations = [], targetCustomizationMode = 'FirstMatch', fleet } = intent;
  const behaviour = fleetBehaviourOf(resolveVersions({ fleet }).fleet);
  const targeting = {
    targets: [...targetCustomizations, ...targets],
    restrictions: targetCustomizations.length > 0 ? targets : [],
    mode: targetCustomizationMode,
  };
  const groups = [...(inventory?.groups ?? []), ...listPartitionGroups(rollout)];
  const chosen = inventory && chooseClusters(targeting, namespace, new ClusterIndex({ clusters: inventory.clusters, groups }), behaviour);
  try {
    return resolveFleetStrategy(rollout, chosen?.targets, behaviour);
  } catch (error) {
    throw error instanceof FleetIntentError ? new FleetIntentError(`rollout: ${error.reason}`) : error;
  }
}

/** Props that can't hold together, whatever the types say: JavaScript and casts can bring them. */
export function findBundleContradiction(props: {
  readonly output?: unknown;
  readonly gitRepo?: unknown;
  readonly targets: TargetedBundle['targets'];
}): string | undefined {
  const { output = 'bundle', gitRepo, targets } = props;
  if (output !== 'bundle' && output !== 'fleet.yaml') return `output is ${describeValue(output)}; write 'bundle' or 'fleet.yaml'`;
  if (output === 'bundle' && gitRepo !== undefined) {
    return "output is 'bundle', and a gitRepo is given, which would overwrite the Bundle; write output: 'fleet.yaml', or leave gitRepo out";
  }
  if (!Array.isArray(targets)) {
    return 'targets is missing, and without targets a bundle is deployed to no cluster; write [{ clusterSelector: {} }] for every cluster';
  }
  const [unwritable] = output === 'fleet.yaml' ? findUnsupportedTargetFields(targets) : [];
  return unwritable && `${unwritable} has no place in a GitRepo's target; write it into targetCustomizations`;
}
