import type { ObjectMeta } from '../../core/manifest/manifest';
import { describeValue } from '../../core/text/display-value';
import { resolveVersions } from '../../core/values/versions';
import { fleetBehaviourOf } from './behaviour';
import { ClusterIndex } from './cluster-index';
import type { FleetInventory } from './clusters';
import { findUnsupportedTargetFields } from './manifests';
import type { TargetedBundle } from './manifests';
import { FleetIntentError } from './partition-intents';
import { listPartitionGroups, resolveFleetStrategy } from './rollout-intent';
import type { FleetGoalIntent, FleetRolloutProps } from './rollout-intent';
import { chooseClusters } from './targets';
import type { RolloutStrategy } from './types';

/** The intent for a bundle, independent of its output format. */
export interface BundleIntent extends TargetedBundle {
  /** Name, namespace, labels and annotations of the bundle. @default - the adapter's id or name as name */
  readonly metadata?: ObjectMeta;
  /** How the bundle is rolled out to the clusters: limits, or a goal. @default - Fleet's default: all clusters at once */
  readonly rollout?: FleetRolloutProps | FleetGoalIntent;
  /** Fleet's version. @default 0.16 */
  readonly fleet?: string;
}

/** An intent without a goal. */
export type WithFleetLimits<Intent extends BundleIntent> = Omit<Intent, 'rollout'> & {
  /** How the bundle is rolled out to the clusters. @default - Fleet's default: all clusters at once */
  readonly rollout?: FleetRolloutProps;
};

/**
 * Resolves the rolloutStrategy for a bundle's intent and the clusters that it is deployed to.
 *
 * @throws FleetIntentError for a rollout that no strategy can implement
 */
export function resolveBundleStrategy(
  intent: WithFleetLimits<BundleIntent>,
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

/** Finds contradicting props. The types exclude them, but JavaScript and casts do not. */
export function findBundleContradiction(props: {
  readonly output?: unknown;
  readonly gitRepo?: unknown;
  readonly targets: TargetedBundle['targets'];
}): string | undefined {
  const { output = 'bundle', gitRepo, targets } = props;
  if (output !== 'bundle' && output !== 'fleet.yaml') return `output is ${describeValue(output)}; set it to 'bundle' or 'fleet.yaml'`;
  if (output === 'bundle' && gitRepo !== undefined) {
    return "output is 'bundle', but gitRepo is set and would overwrite the Bundle; set output: 'fleet.yaml', or remove gitRepo";
  }
  if (!Array.isArray(targets)) {
    return 'targets is missing, so the bundle is not deployed to any cluster; set targets, such as [{ clusterSelector: {} }] for every cluster';
  }
  const [unsupportedField] = output === 'fleet.yaml' ? findUnsupportedTargetFields(targets) : [];
  return unsupportedField && `a GitRepo's target does not support ${unsupportedField}; move it to targetCustomizations`;
}
