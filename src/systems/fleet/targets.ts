import type { FleetBehaviour } from './behaviour';
import type { ClusterIndex } from './cluster-index';
import type { FleetCluster, FleetClusterGroup, VisibleClusters } from './clusters';
import { compileLookup } from './lookup';
import { compileCriteria, matchesCluster, matchesSomeGroup } from './matching';
import type { BundleTarget, GitTarget } from './types';

/** The targets and customizations of a bundle. */
export interface Targeting {
  /** First the customizations, then the targets that deploy, in order of precedence. */
  readonly targets: readonly BundleTarget[];
  /** The allow-list of a bundle from a GitRepo: copies of its targets. */
  readonly restrictions: readonly GitTarget[];
  readonly mode: 'FirstMatch' | 'AllMatches';
}

/** The choice for a cluster that a bundle's targets match. Numbers are positions in `Targeting.targets`. */
export interface TargetChoice {
  /** The first target that deploys to the cluster. */
  readonly target: number;
  /** The customizations that apply, in merge order. */
  readonly applied: readonly number[];
  /** Matching customizations that an earlier one overrides. */
  readonly skipped: readonly number[];
  /** Whether the bundle is deployed: neither the target nor an applied customization sets doNotDeploy. */
  readonly deployed: boolean;
}

/**
 * Reports whether the target at this position is a customization. The first targets, which have no copy among the restrictions, are.
 *
 * Without restrictions (HelmOp, manually created bundles) every target deploys.
 *
 * Source: rancher/fleet v0.16.1 matcher/bundlematch.go `determineIsCustomization`.
 */
export function isCustomization(position: number, customizations: number, restrictions: number): boolean {
  return restrictions > 0 && position < customizations;
}

/** Chooses the target of a cluster in these groups; undefined if nothing deploys to it. */
export type ChooseTarget = (cluster: FleetCluster, groups: readonly FleetClusterGroup[]) => TargetChoice | undefined;

/**
 * Compiles targets for many clusters. The result is undefined for a cluster that nothing deploys to.
 *
 * A bundle is deployed to a cluster if a target that is not a customization matches it, and a restriction matches with the same group.
 * A customization never adds a cluster. FirstMatch applies the first match; AllMatches merges all matches.
 * doNotDeploy counts only if its target applies, so an earlier, broader match hides it.
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

/** A cluster that a customization matches, with its choice. */
export interface CustomizedCluster {
  readonly cluster: FleetCluster;
  readonly choice: TargetChoice;
}

/** The clusters that a bundle is deployed to, and those that a customization matches. */
export interface ChosenClusters {
  readonly targets: VisibleClusters;
  readonly customized: readonly CustomizedCluster[];
  /** Number of clusters that a target matches, including clusters that doNotDeploy excludes. */
  readonly matched: number;
  /** Number of clusters that the bundle sees. */
  readonly visible: number;
}

/** Chooses among the clusters that a bundle in this namespace sees. */
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
