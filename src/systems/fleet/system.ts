import { isDeepEqual } from '../../core/collections/deep-equal';
import { getListAt, getValueAt, groupOf, kindKeyOf, nameOf } from '../../core/manifest/manifest';
import { toSafeText } from '../../core/text/value-text';
import type { Manifest } from '../../core/manifest/manifest';
import { MAX_LISTED_ROWS } from '../../core/simulations/row-limit';
import type { PlannedRollout, RolloutDependency } from '../../core/document/rollout';
import { memoizePerPlan } from '../../cluster/context/context';
import type { ChangedObject, ObjectInContext, PlanContext, RolloutSystem } from '../../cluster/context/context';
import { CONTEXT_KINDS } from '../../cluster/kinds/context-kinds';
import { fleetBehaviourOf } from './behaviour';
import { checkFleetRollout } from './checks';
import { computeUpdateDuration } from './duration';
import { computeBundleEffects } from './effects';
import { FLEET_GROUP, FLEET_YAML_KIND, createFleetYamlObject, isFleetYaml } from './fleet-yaml';
import { checkGitRepos, isGitRepo, gitRepoSettingsOf } from './git-repo';
import { computeGitRepoEffect } from './git-repo-effect';
import { checkInventory, inventoryOf, createNeverReadyTest, createNotReadyNowTest } from './inventory-context';
import { buildAssumedTargetsProvenance, buildCustomizationProvenance, buildFleetProvenance } from './provenance';
import { FLEET_RULES } from './rules/index';
import { checkNeverPausesWithoutInventory } from './rules/never-pauses';
import { checkNoInventory } from './rules/no-inventory';
import { resolveFleetRollout, simulateFleet } from './simulate';
import type { BundleRef } from './types';
import { checkDependencies } from './dependencies';
import { checkBundleFields } from './bundle';
import { BUNDLE_KINDS, isBundle, parseBundleObject, validateBundle } from './validated-bundle';

/** Returns a dependency as the plan shows it, with Fleet's default for the accepted states. */
function toDependency({ name, selector, acceptedStates = [] }: BundleRef): RolloutDependency {
  return {
    ...(name !== undefined && { name }),
    ...(selector !== undefined && { selector }),
    acceptedStates: acceptedStates.length > 0 ? acceptedStates : ['Ready'],
  };
}

function planBundle(object: Manifest, context: PlanContext): PlannedRollout {
  const { resource, findings, accepted } = validateBundle(object, context);
  if (!accepted) return { system: 'fleet', resource, strategy: null, provenance: [], simulation: null, findings };

  const { bundle, chosen } = accepted;
  const plan = {
    system: 'fleet',
    resource,
    strategy: bundle.rawStrategy,
    provenance: buildFleetProvenance(bundle.strategy),
    ...(bundle.dependsOn && bundle.dependsOn.length > 0 && { dependsOn: bundle.dependsOn.map(toDependency) }),
  } as const;
  const dependencies = checkDependencies(object, accepted, context);
  if (!chosen) {
    return { ...plan, simulation: null, findings: [...findings, ...dependencies.findings, ...checkNeverPausesWithoutInventory(bundle)] };
  }
  if (dependencies.blocksAll) return { ...plan, simulation: null, findings: [...findings, ...dependencies.findings] };

  const { targets, customized } = chosen;
  const rollout = resolveFleetRollout(bundle.strategy, targets, fleetBehaviourOf(context.versions.fleet));
  const changedClusters = context.changedPods?.(object)?.start?.clusters;
  const blockers = {
    paused: bundle.paused,
    isNeverReady: createNeverReadyTest(context),
    waiting: dependencies.waiting,
    isNotReadyNow: createNotReadyNowTest(resource, context),
    ...(changedClusters && { changedClusters }),
  };
  const simulation = simulateFleet(rollout, blockers);
  const duration = computeUpdateDuration(rollout, blockers, simulation.update, context.startupSeconds);
  const assumed = bundle.hasAssumedTargets === true ? [buildAssumedTargetsProvenance()] : [];
  const customizations = targets.clusters.length > MAX_LISTED_ROWS ? [] : buildCustomizationProvenance(customized, bundle.targeting);
  return {
    ...plan,
    provenance: [...plan.provenance, ...assumed, ...customizations],
    simulation,
    ...(duration && { duration }),
    findings: [...findings, ...dependencies.findings, ...checkFleetRollout(bundle, rollout)],
  };
}

function isAccepted(object: Manifest, context: PlanContext): boolean {
  const accepted = isBundle(object) ? validateBundle(object, context).accepted : undefined;
  // A bundle without targets reaches no cluster, so no-inventory would not help.
  return accepted !== undefined && accepted.bundle.targeting.targets.length > 0;
}

/**
 * Reports whether Fleet may replace its agents: the ConfigMap of its controllers names their image, and a Cluster their variables and resources.
 * The values of a Cluster also reach the charts of its bundles.
 *
 * Source: Fleet 0.16 agentmanagement/controllers/manageagent, `updateClusterStatus`, and cluster/import.go, `onConfig`.
 */
function mayReplaceAgents(old: Manifest | undefined, next: Manifest | undefined): boolean {
  const object = (next ?? old)!;
  if (kindKeyOf(object) === '/ConfigMap' && nameOf(object) === 'fleet-controller') return !isDeepEqual(old?.data, next?.data);
  const isCluster = object.kind === CONTEXT_KINDS.fleetCluster.kind && groupOf(object) === FLEET_GROUP;
  return isCluster && old !== undefined && next !== undefined && !isDeepEqual(old.spec, next.spec);
}

function hasSameData(old: Manifest, next: Manifest | undefined): boolean {
  return next !== undefined && ['data', 'stringData', 'binaryData'].every((field) => isDeepEqual(old[field], next[field]));
}

/** Names of the Secrets with which Fleet reaches clusters. */
const clusterSecretsOf = memoizePerPlan(
  (context): ReadonlySet<unknown> =>
    new Set(context.all(CONTEXT_KINDS.fleetCluster).map((cluster) => getValueAt(cluster, 'spec', 'kubeConfigSecret'))),
);

/**
 * Reports whether Fleet may reach another cluster with a Secret, which differs or is deleted, and deploy its agent there.
 *
 * Source: Fleet 0.16 agentmanagement/controllers/cluster/import.go, `importCluster`.
 */
function isClusterAccess({ object, context }: ObjectInContext, next: ObjectInContext | undefined): boolean {
  return kindKeyOf(object) === '/Secret' && clusterSecretsOf(context).has(nameOf(object)) && !hasSameData(object, next?.object);
}

const bundlesOf = memoizePerPlan((context): readonly Manifest[] => context.objects.filter(isBundle));

/** Reports whether Fleet copies a ConfigMap or Secret, which differs or is deleted, to the clusters of a bundle, and then deploys it again. */
function isCopiedToClusters({ object, context }: ObjectInContext, next: ObjectInContext | undefined): boolean {
  if (!['/ConfigMap', '/Secret'].includes(kindKeyOf(object)) || hasSameData(object, next?.object)) return false;
  const isNamed = (options: unknown) =>
    getListAt(options, 'downstreamResources').some(
      (one) =>
        getValueAt(one, 'name') === nameOf(object) && toSafeText(getValueAt(one, 'kind')).toLowerCase() === object.kind.toLowerCase(),
    );
  return bundlesOf(context).some((bundle) => {
    const options = isFleetYaml(bundle) ? bundle.content : bundle.spec;
    return [options, ...getListAt(options, 'targets'), ...getListAt(options, 'targetCustomizations')].some(isNamed);
  });
}

/**
 * Reports whether Fleet may deploy or delete objects of bundles that are not in view, because a cluster or a group of them is new, deleted or
 * selected by others, or because a GitRepo is new.
 */
function mayMoveBundles({ old, next }: ChangedObject): boolean {
  const { object } = (next ?? old)!;
  if (mayReplaceAgents(old?.object, next?.object)) return true;
  if (old && (isCopiedToClusters(old, next) || isClusterAccess(old, next))) return true;
  if (groupOf(object) !== FLEET_GROUP) return false;
  const hasBundles = [old, next].some((side) => side?.context.objects.some(isBundle));
  // A deleted group shows no clusters of its own.
  const hasClusters = next !== undefined || old!.context.all(CONTEXT_KINDS.fleetCluster).length > 0;
  if (hasBundles && hasClusters) return false;
  if (isGitRepo(object)) return old === undefined && !gitRepoSettingsOf(object).paused;
  if (object.kind !== CONTEXT_KINDS.fleetCluster.kind && object.kind !== CONTEXT_KINDS.fleetClusterGroup.kind) return false;
  const partsOf = (side: ObjectInContext | undefined) => side && [getValueAt(side.object, 'metadata', 'labels'), side.object.spec];
  return !isDeepEqual(partsOf(old), partsOf(next));
}

/** Plans Bundles and HelmOps of fleet.cattle.io, and fleet.yaml files. */
export const fleetSystem: RolloutSystem = {
  name: 'fleet',
  rules: () => FLEET_RULES,
  fileKind: createFleetYamlObject,
  recognises: isBundle,
  droppedFields: (object, { fleet }) => checkBundleFields(object, fleet),
  plan: (object, context) => [planBundle(object, context)],
  effects: (old, next) => computeBundleEffects(old, next, ({ object, context }) => parseBundleObject(object, context)),
  contextEffect: (old, next) => (isGitRepo(next.object) ? computeGitRepoEffect(old, next) : undefined),
  concernsUnseenPods: mayMoveBundles,
  needsInView: {
    kinds: [
      ...[...BUNDLE_KINDS, FLEET_YAML_KIND].map((kind) => ({ group: FLEET_GROUP, kind })),
      CONTEXT_KINDS.fleetCluster,
      CONTEXT_KINDS.fleetClusterGroup,
      CONTEXT_KINDS.gitRepo,
    ],
    options: ['clusters', 'neverReady', 'notReadyNow'],
  },
  contextFindings: (context) => [
    ...checkNoInventory(inventoryOf(context), () => context.objects.some((object) => isAccepted(object, context))),
    ...checkInventory(context),
    ...checkGitRepos(context),
  ],
};
