import type { Finding } from '../../core/findings/finding';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { addToGroup } from '../../core/collections/group-by';
import { getListAt, getValueAt, groupOf, kindKeyOf, nameOf } from '../../core/manifest/manifest';
import { toSafeText } from '../../core/text/value-text';
import type { Manifest } from '../../core/manifest/manifest';
import { MAX_LISTED_ROWS } from '../../core/simulations/row-limit';
import type { PlannedRollout, ResourceRef, RolloutDependency } from '../../core/document/rollout';
import { memoizePerPlan, memoizePerRun } from '../../cluster/context/context';
import type { ChangedObject, ObjectInContext, PlanContext, RolloutSystem } from '../../cluster/context/context';
import { CONTEXT_KINDS } from '../../cluster/kinds/context-kinds';
import { bundleNamespaceOf, listBundleNames, listMeantNames } from './bundle-names';
import type { BundleName } from './bundle-names';
import { fleetBehaviourOf } from './behaviour';
import type { FleetBehaviour } from './behaviour';
import { locatePartitions, readBundle, readFleetYaml } from './bundle';
import type { BundleParseResult, ParsedBundle } from './bundle';
import { checkFleetRollout, checkFleetStrategy } from './checks';
import type { FleetCluster, VisibleClusters } from './clusters';
import { computeUpdateDuration } from './duration';
import { computeBundleEffects } from './effects';
import { FLEET_GROUP, FLEET_YAML_KIND, createFleetYamlObject, isFleetYaml } from './fleet-yaml';
import { checkGitRepos, findGitRepo, isGitRepo, gitRepoSettingsOf } from './git-repo';
import { computeGitRepoEffect } from './git-repo-effect';
import { clusterIndexOf, checkInventory, inventoryOf, createNeverReadyTest, createNotReadyNowTest } from './inventory-context';
import { collectManualMembers } from './partitions';
import { buildAssumedTargetsProvenance, buildCustomizationProvenance, buildFleetProvenance } from './provenance';
import { FLEET_RULES } from './rules/index';
import { checkInvalidLimit } from './rules/invalid-limit';
import type { EvaluatedCounts } from './rules/invalid-limit';
import { checkInvalidSelector } from './rules/invalid-selector';
import { checkNeverPausesWithoutInventory } from './rules/never-pauses';
import { reportDependency } from './rules/depends-on-missing';
import { findCircularNodes } from './circular-dependencies';
import { listNamedClusters } from './rules/named-clusters';
import { checkNoInventory } from './rules/no-inventory';
import { checkNoMatchingTarget, checkNoTarget } from './rules/no-target';
import { resolveFleetRollout, simulateFleet } from './simulate';
import { chooseClusters } from './targets';
import type { ChosenClusters } from './targets';
import type { BundleRef } from './types';
import { checkFleetWrongType } from './rules/wrong-type';

/** Kinds of objects that are rollouts, in addition to fleet.yaml files. */
const BUNDLE_KINDS: ReadonlySet<string> = new Set(['Bundle', 'HelmOp']);

function isBundle(object: Manifest): boolean {
  return (groupOf(object) === FLEET_GROUP && BUNDLE_KINDS.has(object.kind)) || isFleetYaml(object);
}

function isRefused(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

function parseBundleObject(object: Manifest, context: PlanContext): BundleParseResult {
  const version = context.versions.fleet;
  if (!isFleetYaml(object)) return readBundle(object, version);
  const gitRepo = findGitRepo(object, context);
  return readFleetYaml(
    object,
    version,
    gitRepo && { settings: gitRepoSettingsOf(gitRepo), locate: (path) => context.locate(gitRepo, path) },
  );
}

/** Counts the members of partitions on first use. */
function createEvaluatedCounts(bundle: ParsedBundle, targets: VisibleClusters | undefined, behaviour: FleetBehaviour): EvaluatedCounts {
  if (!targets) return { targets: undefined, members: () => undefined };
  let counts: readonly number[] | undefined;
  return {
    targets: targets.clusters.length,
    members: (partition) => {
      counts ??= collectManualMembers(bundle.strategy.partitions ?? [], targets, behaviour).map((members) => members.length);
      return counts[partition];
    },
  };
}

/** A validated bundle, before its rollout is simulated. */
interface ValidatedBundle {
  readonly resource: ResourceRef;
  readonly findings: readonly Finding[];
  /** The bundle and its clusters; unset if Fleet refuses it. */
  readonly accepted?: {
    readonly bundle: ParsedBundle;
    /** The clusters that it is deployed to; undefined without an inventory. */
    readonly chosen: ChosenClusters | undefined;
  };
}

function validateBundle(object: Manifest, context: PlanContext): ValidatedBundle {
  const { resource, bundle, findings: reading } = parseBundleObject(object, context);
  if (!bundle) return { resource, findings: reading };
  const parseFindings = [...reading, ...checkFleetWrongType(bundle), ...checkInvalidSelector(bundle.locatedTargets)];
  if (isRefused(parseFindings)) return { resource, findings: parseFindings };

  const behaviour = fleetBehaviourOf(context.versions.fleet);
  const inventory = inventoryOf(context);
  const index = clusterIndexOf(context);
  const chosen = index && chooseClusters(bundle.targeting, bundle.namespace, index, behaviour);
  const selectors = checkInvalidSelector(locatePartitions(bundle), chosen?.targets.clusters.length);
  if (isRefused(selectors)) return { resource, findings: [...parseFindings, ...selectors] };

  const evaluated = createEvaluatedCounts(bundle, chosen?.targets, behaviour);
  const limits = checkInvalidLimit(bundle, evaluated);
  const strategyFindings = checkFleetStrategy(bundle, (partition) => evaluated.members(partition) === 0);
  const targetFindings = [...checkNoTarget(bundle), ...(chosen && inventory ? checkNoMatchingTarget(bundle, chosen, inventory) : [])];
  const findings = [...parseFindings, ...targetFindings, ...selectors, ...limits, ...strategyFindings];
  return isRefused(limits) ? { resource, findings } : { resource, findings, accepted: { bundle, chosen } };
}

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
  const isNeverReady = createNeverReadyTest(context);
  const blockers = {
    paused: bundle.paused,
    isNeverReady: (cluster: FleetCluster) => dependencies.blockedClusters.has(cluster.name) || isNeverReady(cluster),
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

/** A bundle with the names that it may have. */
interface NamedBundle {
  readonly object: Manifest;
  readonly names: readonly BundleName[];
  /** Position in the input. */
  readonly position: number;
}

/** The bundles of a namespace by their names, and by names that probably mean them. */
interface BundlesByName {
  readonly exact: Map<string, NamedBundle[]>;
  readonly meant: Map<string, NamedBundle[]>;
  /** Bundles with a name that is not known completely. */
  readonly inexact: NamedBundle[];
}

const getBundlesByNamespace = memoizePerRun((context): ReadonlyMap<string | undefined, BundlesByName> => {
  const byNamespace = new Map<string | undefined, BundlesByName>();
  for (const [position, object] of listBundles(context).entries()) {
    const namespace = bundleNamespaceOf(object, context);
    const bundles: BundlesByName = byNamespace.get(namespace) ?? { exact: new Map(), meant: new Map(), inexact: [] };
    byNamespace.set(namespace, bundles);
    const named = { object, names: listBundleNames(object, context), position };
    for (const { text, isExact } of named.names) if (isExact) addToGroup(bundles.exact, text, named);
    if (named.names.some(({ isExact }) => !isExact)) bundles.inexact.push(named);
    if (named.names.length > 0) for (const name of listMeantNames(object, named.names, context)) addToGroup(bundles.meant, name, named);
  }
  return byNamespace;
});

/** Finds the bundle of the input that a dependency names, or that its author has in mind. */
function findDependency(name: string, namespace: string | undefined, own: Manifest, context: PlanContext) {
  const { exact, meant, inexact } = getBundlesByNamespace(context).get(namespace) ?? NO_BUNDLES;
  const isOther = ({ object }: NamedBundle) => object !== own;
  const candidates = [
    exact.get(name)?.find(isOther),
    inexact.find((one) => isOther(one) && one.names.some(({ matches }) => matches(name))),
  ];
  const [first] = candidates.flatMap((one) => one ?? []).toSorted((a, b) => a.position - b.position);
  return { found: first, meant: first ? undefined : meant.get(name)?.find(isOther) };
}

const NO_BUNDLES: BundlesByName = { exact: new Map(), meant: new Map(), inexact: [] };

/** Bundles that wait for each other to become ready. Bundles of names that are not known completely are left out. */
const getCircularBundles = memoizePerRun((context): ReadonlySet<Manifest> => {
  const dependencies = new Map(
    listBundles(context).map((object) => {
      const { bundle } = validateBundle(object, context).accepted ?? {};
      const { exact } = getBundlesByNamespace(context).get(bundle?.namespace) ?? NO_BUNDLES;
      const needed = (bundle?.dependsOn ?? []).flatMap(({ name, acceptedStates = ['Ready'] }) => {
        const [first] = name !== undefined && acceptedStates.every((state) => state === 'Ready') ? (exact.get(name) ?? []) : [];
        return first ? [first.object] : [];
      });
      return [object, needed] as const;
    }),
  );
  return findCircularNodes(dependencies);
});

/** Reports whether a dependency is one of bundles that wait for each other. */
function isCircular(name: string, own: Manifest, namespace: string | undefined, context: PlanContext): boolean {
  const circular = getCircularBundles(context);
  const [first] = getBundlesByNamespace(context).get(namespace)?.exact.get(name) ?? [];
  return circular.has(own) && first !== undefined && circular.has(first.object);
}

/** What a dependency does to the clusters of a bundle. */
interface DependencyCheck {
  readonly findings: readonly Finding[];
  /** Whether it keeps the bundle from every cluster. */
  readonly blocksAll: boolean;
  /** Names of the clusters that never get the bundle. */
  readonly blockedClusters: ReadonlySet<string>;
}

const NO_PROBLEMS: DependencyCheck = { findings: [], blocksAll: false, blockedClusters: new Set() };

function checkDependency(
  name: string,
  index: number,
  own: Manifest,
  { bundle, chosen }: NonNullable<ValidatedBundle['accepted']>,
  context: PlanContext,
): DependencyCheck {
  const { found, meant } = findDependency(name, bundle.namespace, own, context);
  if (meant) {
    const problem = { messageId: 'name', data: { name, actual: meant.names[0]!.text } } as const;
    return { ...NO_PROBLEMS, findings: [reportDependency(problem, bundle.root, index)], blocksAll: true };
  }
  const reached = found && chosen && validateBundle(found.object, context).accepted?.chosen;
  if (!reached) return NO_PROBLEMS;
  const there = new Set(reached.targets.clusters.map((cluster) => cluster.name));
  const missing = chosen.targets.clusters.filter((cluster) => !there.has(cluster.name)).map((cluster) => cluster.name);
  if (missing.length === 0) return NO_PROBLEMS;
  const problem = { messageId: 'reach', data: { name, clusters: listNamedClusters(missing) } } as const;
  return { findings: [reportDependency(problem, bundle.root, index)], blocksAll: false, blockedClusters: new Set(missing) };
}

/** Checks a dependency, and whether its bundle waits for this one if Fleet finds it on all clusters. */
function checkNamedDependency(
  name: string,
  index: number,
  own: Manifest,
  accepted: NonNullable<ValidatedBundle['accepted']>,
  context: PlanContext,
): DependencyCheck {
  const check = checkDependency(name, index, own, accepted, context);
  const { namespace, root } = accepted.bundle;
  if (check.findings.length > 0 || !isCircular(name, own, namespace, context)) return check;
  return { ...NO_PROBLEMS, findings: [reportDependency({ messageId: 'circle', data: { name } }, root, index)] };
}

/** Checks the dependencies of a bundle that Fleet does not find on some cluster. A bundle of another repository may not be in the input. */
function checkDependencies(own: Manifest, accepted: NonNullable<ValidatedBundle['accepted']>, context: PlanContext): DependencyCheck {
  const checks = (accepted.bundle.dependsOn ?? []).flatMap(({ name }, index) =>
    name === undefined ? [] : [checkNamedDependency(name, index, own, accepted, context)],
  );
  if (checks.length === 0) return NO_PROBLEMS;
  return {
    findings: checks.flatMap(({ findings }) => findings),
    blocksAll: checks.some(({ blocksAll }) => blocksAll),
    blockedClusters: new Set(checks.flatMap(({ blockedClusters }) => [...blockedClusters])),
  };
}

const listBundles = memoizePerRun((context): readonly Manifest[] => context.input.filter(isBundle));

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
