import { memoizePerRun } from '../../cluster/context/context';
import type { PlanContext } from '../../cluster/context/context';
import { addToGroup } from '../../core/collections/group-by';
import { findClosestName } from '../../core/errors/did-you-mean';
import type { Finding } from '../../core/findings/finding';
import type { Manifest } from '../../core/manifest/manifest';
import { bundleNamespaceOf, listBundleNames, listMeantNames, shortNameOf } from './bundle-names';
import type { BundleName } from './bundle-names';
import { findCircularNodes } from './circular-dependencies';
import { reportDependency } from './rules/depends-on-missing';
import type { DependencyProblem } from './rules/depends-on-missing';
import { listNamedClusters } from './rules/named-clusters';
import type { BundleRef } from './types';
import { listBundles, validateBundle } from './validated-bundle';
import type { ValidatedBundle } from './validated-bundle';

/*
 * Dependencies of bundles. On each cluster the agent looks for the deployments of the bundles that a bundle depends on, and deploys it only if
 * each is there and in an accepted state.
 *
 * Source: rancher/fleet v0.16.1 internal/cmd/agent/deployer/deployer.go (`checkDependency`), internal/cmd/controller/summary/summary.go
 * (`GetDeploymentState`).
 */

type AcceptedBundle = NonNullable<ValidatedBundle['accepted']>;

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

const NO_BUNDLES: BundlesByName = { exact: new Map(), meant: new Map(), inexact: [] };

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
  return { found: first?.object, meant: first ? undefined : meant.get(name)?.find(isOther) };
}

/** Short names of the bundles whose names are not known, because their GitRepo is not in the input. */
const getUnknownNames = memoizePerRun((context): readonly string[] =>
  listBundles(context).flatMap((object) => (listBundleNames(object, context).length === 0 ? [shortNameOf(object)] : [])),
);

/** Reports whether a bundle of a name may be in the input all the same. */
function mayBeUnknown(name: string, context: PlanContext): boolean {
  return getUnknownNames(context).some((short) => name === short || name.endsWith(`-${short}`));
}

/** Reports whether a dependency accepts only bundles that are ready. */
function needsReady({ acceptedStates = ['Ready'] }: BundleRef): boolean {
  return acceptedStates.every((state) => state === 'Ready');
}

/** Bundles that wait for each other to become ready. Bundles of names that are not known completely are left out. */
const getCircularBundles = memoizePerRun((context): ReadonlySet<Manifest> => {
  const dependencies = new Map(
    listBundles(context).map((object) => {
      const { bundle } = validateBundle(object, context).accepted ?? {};
      const { exact } = getBundlesByNamespace(context).get(bundle?.namespace) ?? NO_BUNDLES;
      const needed = (bundle?.dependsOn ?? []).flatMap((dependency) => {
        const [first] = dependency.name !== undefined && needsReady(dependency) ? (exact.get(dependency.name) ?? []) : [];
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

/** Names of the clusters to which a bundle is released, but not deployed. */
interface WaitingClusters {
  readonly install: ReadonlySet<string>;
  readonly update: ReadonlySet<string>;
}

/** What a dependency does to the clusters of a bundle. */
interface DependencyCheck extends WaitingClusters {
  readonly problems: readonly DependencyProblem[];
  /** Whether it keeps the bundle from every cluster. */
  readonly blocksAll: boolean;
}

const NO_NAMES: ReadonlySet<string> = new Set();
const NO_PROBLEMS: DependencyCheck = { problems: [], blocksAll: false, install: NO_NAMES, update: NO_NAMES };

function listClusterNames({ chosen }: AcceptedBundle): readonly string[] {
  return chosen?.targets.clusters.map(({ name }) => name) ?? [];
}

/**
 * Checks a dependency on a paused bundle. A new deployment of it is NotReady. One that exists is OutOfSync once the bundle changes, so an update
 * waits unless the apply leaves that bundle as it is.
 */
function checkPausedBundle(
  found: Manifest,
  name: string,
  accepted: AcceptedBundle,
  states: readonly string[],
  context: PlanContext,
): DependencyCheck {
  const isBlocked = {
    install: !states.includes('NotReady'),
    update: !states.includes('OutOfSync') && context.isChanged?.(found) !== false,
  };
  if (accepted.bundle.paused || (!isBlocked.install && !isBlocked.update)) return NO_PROBLEMS;
  const names = new Set(listClusterNames(accepted));
  return {
    problems: [{ messageId: 'paused', data: { name } }],
    blocksAll: false,
    install: isBlocked.install ? names : NO_NAMES,
    update: isBlocked.update ? names : NO_NAMES,
  };
}

/** Checks a dependency on a bundle that is not in the input. It may be one of another repository, but hardly if its name is nearly that of a bundle. */
function checkUnseenBundle(name: string, namespace: string | undefined, own: Manifest, context: PlanContext): DependencyCheck {
  if (mayBeUnknown(name, context)) return NO_PROBLEMS;
  const { exact } = getBundlesByNamespace(context).get(namespace) ?? NO_BUNDLES;
  const others = [...exact].flatMap(([other, bundles]) => (bundles.some(({ object }) => object !== own) ? [other] : []));
  const closest = findClosestName(name, others);
  return { ...NO_PROBLEMS, problems: [{ messageId: 'unseen', data: { name, ...(closest !== undefined && { closest }) } }] };
}

/** Checks one dependency of a bundle, without what the bundles wait for that it names. */
function checkDependency(dependency: BundleRef, own: Manifest, accepted: AcceptedBundle, context: PlanContext): DependencyCheck {
  const { name, acceptedStates: states = ['Ready'] } = dependency;
  const { namespace } = accepted.bundle;
  if (name === undefined) return NO_PROBLEMS;
  const { found, meant } = findDependency(name, namespace, own, context);
  if (meant) {
    const names = new Set(listClusterNames(accepted));
    const problem = { messageId: 'name', data: { name, actual: meant.names[0]!.text } } as const;
    return { problems: [problem], blocksAll: true, install: names, update: names };
  }
  if (isCircular(name, own, namespace, context)) return { ...NO_PROBLEMS, problems: [{ messageId: 'circle', data: { name } }] };
  if (!found) return checkUnseenBundle(name, namespace, own, context);
  const needed = validateBundle(found, context).accepted;
  const there = new Set(needed && listClusterNames(needed));
  const missing = needed?.chosen ? listClusterNames(accepted).filter((cluster) => !there.has(cluster)) : [];
  if (missing.length > 0) {
    const problem = { messageId: 'reach', data: { name, clusters: listNamedClusters(missing) } } as const;
    const blocksAll = missing.length === listClusterNames(accepted).length;
    return { problems: [problem], blocksAll, install: new Set(missing), update: new Set(missing) };
  }
  return needed?.bundle.paused === true ? checkPausedBundle(found, name, accepted, states, context) : NO_PROBLEMS;
}

/** The bundles that need others to be ready, by those. */
const getDependents = memoizePerRun((context): ReadonlyMap<Manifest, readonly Manifest[]> => {
  const dependents = new Map<Manifest, Manifest[]>();
  for (const object of listBundles(context)) {
    const { bundle } = validateBundle(object, context).accepted ?? {};
    for (const dependency of bundle?.dependsOn ?? []) {
      if (dependency.name === undefined || !needsReady(dependency)) continue;
      const { found } = findDependency(dependency.name, bundle!.namespace, object, context);
      if (found) addToGroup(dependents, found, object);
    }
  }
  return dependents;
});

function checkEach(own: Manifest, accepted: AcceptedBundle, context: PlanContext): readonly DependencyCheck[] {
  return (accepted.bundle.dependsOn ?? []).map((dependency) => checkDependency(dependency, own, accepted, context));
}

/** Adds names to those of a bundle. Returns whether some are new. */
function addNames(to: Map<Manifest, Set<string>>, object: Manifest, names: Iterable<string>): boolean {
  const known = to.get(object) ?? new Set();
  const before = known.size;
  for (const name of names) known.add(name);
  to.set(object, known);
  return known.size > before;
}

/** Returns the clusters on which each bundle waits: for what it depends on, and because those bundles wait. */
function spreadWaiting(time: keyof WaitingClusters, context: PlanContext): ReadonlyMap<Manifest, ReadonlySet<string>> {
  const waiting = new Map<Manifest, Set<string>>();
  const queue: Manifest[] = [];
  for (const object of listBundles(context)) {
    const { accepted } = validateBundle(object, context);
    const names = accepted ? checkEach(object, accepted, context).flatMap((check) => [...check[time]]) : [];
    if (addNames(waiting, object, names)) queue.push(object);
  }
  for (let object = queue.pop(); object !== undefined; object = queue.pop()) {
    for (const dependent of getDependents(context).get(object) ?? []) {
      const own = new Set(listClusterNames(validateBundle(dependent, context).accepted!));
      if (
        addNames(
          waiting,
          dependent,
          [...waiting.get(object)!].filter((name) => own.has(name)),
        )
      )
        queue.push(dependent);
    }
  }
  return waiting;
}

const getWaitingInstalls = memoizePerRun((context) => spreadWaiting('install', context));
const getWaitingUpdates = memoizePerRun((context) => spreadWaiting('update', context));

/** Checks a dependency on a bundle that itself waits for others on some cluster. */
function checkWaitingBundle(dependency: BundleRef, own: Manifest, accepted: AcceptedBundle, context: PlanContext): DependencyCheck {
  const { name } = dependency;
  if (name === undefined || !needsReady(dependency)) return NO_PROBLEMS;
  const { found } = findDependency(name, accepted.bundle.namespace, own, context);
  if (!found) return NO_PROBLEMS;
  const listWaiting = (waiting: ReadonlyMap<Manifest, ReadonlySet<string>>) =>
    listClusterNames(accepted).filter((cluster) => waiting.get(found)?.has(cluster));
  const [installs, updates] = [getWaitingInstalls(context), getWaitingUpdates(context)].map(listWaiting) as [string[], string[]];
  const problem = { messageId: 'waits', data: { name, clusters: listNamedClusters(installs) } } as const;
  return { problems: installs.length === 0 ? [] : [problem], blocksAll: false, install: new Set(installs), update: new Set(updates) };
}

/** What the dependencies of a bundle do to its clusters. */
interface BundleDependencies {
  readonly findings: readonly Finding[];
  /** Whether they keep the bundle from every cluster permanently. */
  readonly blocksAll: boolean;
  readonly waiting: WaitingClusters;
}

/** Checks the dependencies of a bundle that Fleet does not find on some cluster, or that wait. */
export function checkDependencies(own: Manifest, accepted: AcceptedBundle, context: PlanContext): BundleDependencies {
  const { dependsOn = [], root } = accepted.bundle;
  const checks = checkEach(own, accepted, context).map((check, index) =>
    check.problems.length > 0 ? check : checkWaitingBundle(dependsOn[index]!, own, accepted, context),
  );
  const collectNames = (time: keyof WaitingClusters) => new Set(checks.flatMap((check) => [...check[time]]));
  return {
    findings: checks.flatMap(({ problems }, index) => problems.map((problem) => reportDependency(problem, root, index))),
    blocksAll: checks.some(({ blocksAll }) => blocksAll),
    waiting: { install: collectNames('install'), update: collectNames('update') },
  };
}
