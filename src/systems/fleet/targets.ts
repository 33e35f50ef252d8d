import type { FleetBehaviour } from './behaviour';
import type { ClusterIndex } from './cluster-index';
import type { FleetCluster, FleetClusterGroup, VisibleClusters } from './clusters';
import { compileLookup } from './lookup';
import { compileCriteria, matchesCluster, matchesSomeGroup } from './matching';
import type { BundleTarget, GitTarget } from './types';

/** Whom a bundle is deployed to, and how differently. */
export interface Targeting {
  /** Customizations first, then the targets that deploy; in order of precedence. */
  readonly targets: readonly BundleTarget[];
  /** The allow-list of a bundle that a GitRepo made: copies of its targets. */
  readonly restrictions: readonly GitTarget[];
  readonly mode: 'FirstMatch' | 'AllMatches';
}

/** What becomes of a cluster that a bundle's targets match. Numbers are positions in `Targeting.targets`. */
export interface TargetChoice {
  /** The first target that deploys to the cluster. */
  readonly target: number;
  /** The customizations that apply, in the order in which they are merged. */
  readonly applied: readonly number[];
  /** Customizations that match too, and lost to an earlier one. */
  readonly skipped: readonly number[];
  /** False where the target, or a customization that applies, says doNotDeploy. */
  readonly deployed: boolean;
}

/**
 * Is the target at this position a customization? Decided by position: the first so many that no restriction is a copy of.
 * Without restrictions (HelmOp, hand-written bundles) every target deploys.
 *
 * Source: rancher/fleet v0.16.1 matcher/bundlematch.go `determineIsCustomization`.
 */
export function isCustomization(position: number, customizations: number, restrictions: number): boolean {
  return restrictions > 0 && position < customizations;
}

/** What becomes of a cluster that is in these groups; undefined where nothing deploys to it. */
export type ChooseTarget = (cluster: FleetCluster, groups: readonly FleetClusterGroup[]) => TargetChoice | undefined;

/**
 * Makes targets ready for many clusters; the result is undefined for a cluster that nothing deploys to.
 *
 * A cluster is deployed to if a target that is not a customization matches it, and a restriction matches with the same group.
 * A customization never adds a cluster. FirstMatch applies the first that matches, AllMatches merges all;
 * doNotDeploy counts where the target that says it applies, so an earlier, broader match hides it.
 *
 * Source: rancher/fleet v0.16.1 builder.go `Targets`, matcher/bundlematch.go.
 */
export function compileTargets(
  targeting: Targeting,
  behaviour: FleetBehaviour,
  matchers = targeting.targets.map((target) => compileCriteria(target, behaviour)),
): ChooseTarget {
  const { targets, restrictions, mode } = targeting;
  const allowed = restrictions.map((restriction) => compileCriteria(restriction, behaviour));
  const candidateTargets = compileLookup(matchers);
  const candidateRestrictions = compileLookup(allowed);
  const customizations = targets.length - restrictions.length;

  return (cluster, groups) => {
    const candidates = candidateTargets(cluster);
    const matchingRestrictions = candidateRestrictions(cluster);
    const target = candidates.find(
      (position) =>
        !isCustomization(position, customizations, restrictions.length) &&
        matchesSomeGroup(
          groups,
          (group) =>
            matchers[position]!.matchesInGroup(cluster, group) &&
            (restrictions.length === 0 || matchingRestrictions.some((restriction) => allowed[restriction]!.matchesInGroup(cluster, group))),
        ),
    );
    if (target === undefined) return undefined;

    const matching =
      restrictions.length === 0
        ? []
        : candidates.filter(
            (position) =>
              isCustomization(position, customizations, restrictions.length) && matchesCluster(matchers[position]!, cluster, groups),
          );
    const applied = mode === 'AllMatches' ? matching : matching.slice(0, 1);
    return {
      target,
      applied,
      skipped: matching.slice(applied.length),
      deployed: ![target, ...applied].some((position) => targets[position]!.doNotDeploy === true),
    };
  };
}

/** A cluster that a customization matches, and what its targets come to. */
export interface CustomizedCluster {
  readonly cluster: FleetCluster;
  readonly choice: TargetChoice;
}

/** The clusters that a bundle is deployed to, and those that a customization matches. */
export interface ChosenClusters {
  readonly targets: VisibleClusters;
  readonly customized: readonly CustomizedCluster[];
  /** Clusters that a target matches, those that it leaves out included. */
  readonly matched: number;
  /** Clusters that the bundle sees. */
  readonly visible: number;
}

/** Chooses among the clusters that a bundle of this namespace sees. */
export function chooseClusters(
  targeting: Targeting,
  namespace: string | undefined,
  index: ClusterIndex,
  behaviour: FleetBehaviour,
): ChosenClusters {
  const matchers = targeting.targets.map((target) => compileCriteria(target, behaviour));
  const choose = compileTargets(targeting, behaviour, matchers);
  const groupsOf = index.groupsFor(namespace);
  const deployed: FleetCluster[] = [];
  const customized: CustomizedCluster[] = [];
  let matched = 0;
  for (const cluster of index.findCandidates(matchers, namespace)) {
    const choice = choose(cluster, groupsOf(cluster));
    if (!choice) continue;
    matched++;
    if (choice.deployed) deployed.push(cluster);
    if (choice.applied.length > 0) customized.push({ cluster, choice });
  }
  return { targets: { clusters: deployed, groupsOf }, customized, matched, visible: index.countVisible(namespace) };
}
