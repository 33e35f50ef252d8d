import { memoizePerRun } from '../../cluster/context/context';
import type { PlanContext } from '../../cluster/context/context';
import type { ResourceRef } from '../../core/document/rollout';
import type { Finding } from '../../core/findings/finding';
import { groupOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { fleetBehaviourOf } from './behaviour';
import type { FleetBehaviour } from './behaviour';
import { locatePartitions, readBundle, readFleetYaml } from './bundle';
import type { BundleParseResult, ParsedBundle } from './bundle';
import { checkFleetStrategy } from './checks';
import type { VisibleClusters } from './clusters';
import { FLEET_GROUP, isFleetYaml } from './fleet-yaml';
import { findGitRepo, gitRepoSettingsOf } from './git-repo';
import { clusterIndexOf, inventoryOf } from './inventory-context';
import { collectManualMembers } from './partitions';
import { checkInvalidLimit } from './rules/invalid-limit';
import type { EvaluatedCounts } from './rules/invalid-limit';
import { checkInvalidSelector } from './rules/invalid-selector';
import { checkNoMatchingTarget, checkNoTarget } from './rules/no-target';
import { checkFleetWrongType } from './rules/wrong-type';
import { chooseClusters } from './targets';
import type { ChosenClusters } from './targets';

/** Kinds of objects that are rollouts, in addition to fleet.yaml files. */
export const BUNDLE_KINDS: ReadonlySet<string> = new Set(['Bundle', 'HelmOp']);

/** Reports whether an object is a Bundle, a HelmOp or a fleet.yaml. */
export function isBundle(object: Manifest): boolean {
  return (groupOf(object) === FLEET_GROUP && BUNDLE_KINDS.has(object.kind)) || isFleetYaml(object);
}

function isRefused(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/** Reads a bundle, with the GitRepo of a fleet.yaml. */
export function parseBundleObject(object: Manifest, context: PlanContext): BundleParseResult {
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
export interface ValidatedBundle {
  readonly resource: ResourceRef;
  readonly findings: readonly Finding[];
  /** The bundle and its clusters; unset if Fleet refuses it. */
  readonly accepted?: {
    readonly bundle: ParsedBundle;
    /** The clusters that it is deployed to; undefined without an inventory. */
    readonly chosen: ChosenClusters | undefined;
  };
}

/** Validates a bundle, and chooses its clusters. */
export function validateBundle(object: Manifest, context: PlanContext): ValidatedBundle {
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

/** Lists the bundles of the input. */
export const listBundles = memoizePerRun((context): readonly Manifest[] => context.input.filter(isBundle));
