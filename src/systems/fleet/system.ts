import type { Finding } from '../../core/finding';
import { groupOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { MAX_ROWS } from '../../core/simulations/shown-rows';
import type { PlannedRollout, ResourceRef, RolloutDependency } from '../../core/rollout';
import type { PlanContext, RolloutSystem } from '../../cluster/context';
import { fleetBehaviour } from './behaviour';
import type { FleetBehaviour } from './behaviour';
import { partitionPlaces, readBundle, readFleetYaml } from './bundle';
import type { BundleReading, ReadBundle } from './bundle';
import { rolloutFindings, strategyFindings } from './checks';
import type { VisibleClusters } from './clusters';
import { updateDuration } from './duration';
import { bundleEffects } from './effects';
import { FLEET_GROUP, fleetYamlObject, isFleetYaml } from './fleet-yaml';
import { gitRepoFindings, gitRepoOf, isGitRepo, settingsOf } from './git-repo';
import { gitRepoEffect } from './git-repo-effect';
import { clusterIndexOf, inventoryFindings, inventoryOf, neverReadyTest, notReadyNowTest } from './inventory-context';
import { manualMembers } from './partitions';
import { assumedTargetsProvenance, customizationProvenance, strategyProvenance } from './provenance';
import { FLEET_RULES } from './rules/index';
import { invalidLimitFindings } from './rules/invalid-limit';
import type { Evaluated } from './rules/invalid-limit';
import { criteriaFindings } from './rules/invalid-selector';
import { neverPausesAnywhereFindings } from './rules/never-pauses';
import { noInventoryFindings } from './rules/no-inventory';
import { noneMatchesFindings, withoutTargetsFindings } from './rules/no-target';
import { resolveRollout, simulateFleet } from './simulate';
import { chooseClusters } from './targets';
import type { ChosenClusters } from './targets';
import type { BundleRef } from './types';
import { valueFindings } from './rules/wrong-type';

/** The objects that are rollouts, fleet.yaml files apart. */
const KINDS: ReadonlySet<string> = new Set(['Bundle', 'HelmOp']);

function isBundle(object: Manifest): boolean {
  return (groupOf(object) === FLEET_GROUP && KINDS.has(object.kind)) || isFleetYaml(object);
}

function isRefused(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

function read(object: Manifest, context: PlanContext): BundleReading {
  const version = context.versions.fleet;
  if (!isFleetYaml(object)) return readBundle(object, version);
  const gitRepo = gitRepoOf(object, context);
  return readFleetYaml(object, version, gitRepo && { settings: settingsOf(gitRepo), locate: (path) => context.locate(gitRepo, path) });
}

/** Counts the members of partitions only when one is asked for. */
function evaluatedFor(bundle: ReadBundle, targets: VisibleClusters | undefined, behaviour: FleetBehaviour): Evaluated {
  if (!targets) return { targets: undefined, members: () => undefined };
  let counts: readonly number[] | undefined;
  return {
    targets: targets.clusters.length,
    members: (partition) => {
      counts ??= manualMembers(bundle.strategy.partitions ?? [], targets, behaviour).map((members) => members.length);
      return counts[partition];
    },
  };
}

/** What is known of a bundle before its rollout is simulated. */
interface JudgedBundle {
  readonly resource: ResourceRef;
  readonly findings: readonly Finding[];
  /** Absent where Fleet refuses it. */
  readonly accepted?: {
    readonly bundle: ReadBundle;
    /** The clusters that it is deployed to; undefined without an inventory. */
    readonly chosen: ChosenClusters | undefined;
  };
}

function judge(object: Manifest, context: PlanContext): JudgedBundle {
  const { resource, bundle, findings: reading } = read(object, context);
  if (!bundle) return { resource, findings: reading };
  const found = [...reading, ...valueFindings(bundle), ...criteriaFindings(bundle.targetPlaces)];
  if (isRefused(found)) return { resource, findings: found };

  const behaviour = fleetBehaviour(context.versions.fleet);
  const inventory = inventoryOf(context);
  const index = clusterIndexOf(context);
  const chosen = index && chooseClusters(bundle.targeting, bundle.namespace, index, behaviour);
  const selectors = criteriaFindings(partitionPlaces(bundle), chosen?.targets.clusters.length);
  if (isRefused(selectors)) return { resource, findings: [...found, ...selectors] };

  const evaluated = evaluatedFor(bundle, chosen?.targets, behaviour);
  const limits = invalidLimitFindings(bundle, evaluated);
  const ofStrategy = strategyFindings(bundle, (partition) => evaluated.members(partition) === 0);
  const unreached = [...withoutTargetsFindings(bundle), ...(chosen && inventory ? noneMatchesFindings(bundle, chosen, inventory) : [])];
  const findings = [...found, ...unreached, ...selectors, ...limits, ...ofStrategy];
  return isRefused(limits) ? { resource, findings } : { resource, findings, accepted: { bundle, chosen } };
}

/** A dependency as the plan shows it, with the states that Fleet accepts where none are written. */
function dependencyOf({ name, selector, acceptedStates = [] }: BundleRef): RolloutDependency {
  return {
    ...(name !== undefined && { name }),
    ...(selector !== undefined && { selector }),
    acceptedStates: acceptedStates.length > 0 ? acceptedStates : ['Ready'],
  };
}

function planBundle(object: Manifest, context: PlanContext): PlannedRollout {
  const { resource, findings, accepted } = judge(object, context);
  if (!accepted) return { system: 'fleet', resource, strategy: null, provenance: [], simulation: null, findings };

  const { bundle, chosen } = accepted;
  const plan = {
    system: 'fleet',
    resource,
    strategy: bundle.written,
    provenance: strategyProvenance(bundle.strategy),
    ...(bundle.dependsOn && bundle.dependsOn.length > 0 && { dependsOn: bundle.dependsOn.map(dependencyOf) }),
  } as const;
  if (!chosen) return { ...plan, simulation: null, findings: [...findings, ...neverPausesAnywhereFindings(bundle)] };

  const { targets, customized } = chosen;
  const rollout = resolveRollout(bundle.strategy, targets, fleetBehaviour(context.versions.fleet));
  const reached = context.changedPods?.(object)?.start?.clusters;
  const holds = {
    paused: bundle.paused,
    isNeverReady: neverReadyTest(context),
    isNotReadyNow: notReadyNowTest(resource, context),
    ...(reached && { reached }),
  };
  const simulation = simulateFleet(rollout, holds);
  const duration = updateDuration(rollout, holds, simulation.update, context.startupSeconds);
  const assumed = bundle.targetsAreAssumed === true ? [assumedTargetsProvenance()] : [];
  const customizations = targets.clusters.length > MAX_ROWS ? [] : customizationProvenance(customized, bundle.targeting);
  return {
    ...plan,
    provenance: [...plan.provenance, ...assumed, ...customizations],
    simulation,
    ...(duration && { duration }),
    findings: [...findings, ...rolloutFindings(bundle, rollout)],
  };
}

function isAccepted(object: Manifest, context: PlanContext): boolean {
  const accepted = isBundle(object) ? judge(object, context).accepted : undefined;
  // One without targets reaches none of the clusters that there may be.
  return accepted !== undefined && accepted.bundle.targeting.targets.length > 0;
}

/** Bundles and HelmOps of fleet.cattle.io, and fleet.yaml files. */
export const fleetSystem: RolloutSystem = {
  name: 'fleet',
  rules: () => FLEET_RULES,
  fileKind: fleetYamlObject,
  recognises: isBundle,
  plan: (object, context) => [planBundle(object, context)],
  effects: (old, next) => bundleEffects(old, next, ({ object, context }) => read(object, context)),
  contextEffect: (old, next) => (isGitRepo(next.object) ? gitRepoEffect(old, next) : undefined),
  contextFindings: (context) => [
    ...noInventoryFindings(inventoryOf(context), () => context.objects.some((object) => isAccepted(object, context))),
    ...inventoryFindings(context),
    ...gitRepoFindings(context),
  ],
};
