import type { Finding } from '../../core/finding';
import { groupOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { MAX_ROWS } from '../../core/rollout';
import type { PlannedRollout } from '../../core/rollout';
import type { PlanContext, RolloutSystem } from '../../cluster/context';
import { fleetBehaviour } from './behaviour';
import type { FleetBehaviour } from './behaviour';
import { readBundle, readFleetYaml, strategyPath } from './bundle';
import type { BundleReading, ReadBundle } from './bundle';
import { FLEET_CATALOGUE, fleetFinding } from './catalogue';
import type { VisibleClusters } from './clusters';
import { updateDuration } from './duration';
import { fleetYamlObject, isFleetYaml } from './fleet-yaml';
import { gitRepoFindings, gitRepoOf, settingsOf } from './git-repo';
import { FLEET_GROUP, inventoryFindings, inventoryOf, neverReadyTest } from './inventory-context';
import { manualMembers } from './partitions';
import { customizationProvenance, strategyProvenance } from './provenance';
import { neverPausesAnywhere, rolloutFindings, strategyFindings } from './rules';
import { resolveRollout, simulateFleet } from './simulate';
import { chooseClusters } from './targets';
import { limitFindings, partitionPlaces, selectorFindings, valueFindings } from './validation';
import type { Evaluated } from './validation';

/** The objects that are rollouts, fleet.yaml files apart. */
const KINDS: ReadonlySet<string> = new Set(['Bundle', 'HelmOp']);

function isRefused(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

function read(object: Manifest, context: PlanContext): BundleReading {
  const version = context.versions.fleet;
  if (!isFleetYaml(object)) return readBundle(object, version);
  const gitRepos = context.ofKind(FLEET_GROUP, 'GitRepo').filter((gitRepo) => gitRepoFindings(gitRepo, version).length === 0);
  const gitRepo = gitRepoOf(object, gitRepos);
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

function planBundle(object: Manifest, context: PlanContext): PlannedRollout {
  const { resource, bundle, findings: reading } = read(object, context);
  const refused = (findings: readonly Finding[]): PlannedRollout => ({
    system: 'fleet',
    resource,
    strategy: null,
    provenance: [],
    simulation: null,
    findings,
  });
  if (!bundle) return refused(reading);
  const values = valueFindings({ root: bundle.root, dependsOn: bundle.dependsOn, mode: bundle.targeting.mode });
  const found = [...reading, ...values, ...selectorFindings(bundle.targetPlaces)];
  if (isRefused(found)) return refused(found);

  const behaviour = fleetBehaviour(context.versions.fleet);
  const inventory = inventoryOf(context);
  const chosen = inventory && chooseClusters(bundle.targeting, bundle.namespace, inventory, behaviour);
  const selectors = selectorFindings(partitionPlaces(bundle), chosen?.targets.clusters.length);
  if (isRefused(selectors)) return refused([...found, ...selectors]);

  const evaluated = evaluatedFor(bundle, chosen?.targets, behaviour);
  const limits = limitFindings(bundle, evaluated);
  const byItself = [...found, ...selectors, ...limits, ...strategyFindings(bundle, (partition) => evaluated.members(partition) === 0)];
  if (isRefused(limits)) return refused(byItself);

  const plan = { system: 'fleet', resource, strategy: bundle.written, provenance: strategyProvenance(bundle.strategy) } as const;
  if (!chosen) return { ...plan, simulation: null, findings: [...byItself, ...neverPausesAnywhere(bundle), noInventory(bundle)] };

  const { targets, customized } = chosen;
  const rollout = resolveRollout(bundle.strategy, targets, behaviour);
  const holds = { paused: bundle.paused, isNeverReady: neverReadyTest(context) };
  const simulation = simulateFleet(rollout, holds);
  const duration = updateDuration(rollout, holds, simulation.update, context.startupSeconds);
  const customizations = targets.clusters.length > MAX_ROWS ? [] : customizationProvenance(customized, bundle.targeting);
  return {
    ...plan,
    provenance: [...plan.provenance, ...customizations],
    simulation,
    ...(duration && { duration }),
    findings: [...byItself, ...rolloutFindings(bundle, rollout)],
  };
}

function noInventory(bundle: ReadBundle): Finding {
  return fleetFinding('fleet/no-inventory', {
    path: strategyPath(bundle),
    message:
      `No clusters are in view: what ${bundle.resource.kind} ${bundle.resource.name} reaches, in which partitions and waves, can't be ` +
      `shown.`,
    help: 'Give the inventory with --clusters: `kubectl get clusters.fleet.cattle.io,clustergroups.fleet.cattle.io -A -o yaml` prints it.',
  });
}

/** Bundles and HelmOps of fleet.cattle.io, and fleet.yaml files. */
export const fleetSystem: RolloutSystem = {
  name: 'fleet',
  catalogue: FLEET_CATALOGUE,
  fileKind: fleetYamlObject,
  recognises: (object) => (groupOf(object) === FLEET_GROUP && KINDS.has(object.kind)) || isFleetYaml(object),
  plan: (object, context) => [planBundle(object, context)],
  contextFindings: (context) => [
    ...inventoryFindings(context),
    ...context
      .ofKind(FLEET_GROUP, 'GitRepo')
      .flatMap((gitRepo) =>
        gitRepoFindings(gitRepo, context.versions.fleet).map((finding) => ({ ...finding, source: context.locate(gitRepo, finding.path) })),
      ),
  ],
};
