import type { ObjectInContext, SystemEffect } from '../../cluster/context/context';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { getFieldsAt, namespaceOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { fleetBehaviourOf } from './behaviour';
import { gitRepoSettingsOf } from './git-repo';
import { clusterIndexOf } from './inventory-context';
import { chooseClusters } from './targets';

/* Computes the effect of an edit of a GitRepo. Source: rancher/fleet v0.16.1 internal/cmd/controller/gitops/reconciler, bundlereader/read.go, options/calculate.go. */

/** Fields that set the source of its bundles. The plan does not read that source. */
const CONTENT_FIELDS = ['repo', 'branch', 'revision', 'paths', 'bundles'];

/** Fields that become an option of every bundle's deployments, so that every cluster gets a new deployment. */
const OPTION_FIELDS = ['serviceAccount', 'targetNamespace', 'keepResources', 'deleteNamespace', 'forceSyncGeneration'];

function hasChangedFields(before: Fields, after: Fields, fields: readonly string[]): boolean {
  return fields.some((field) => !isDeepEqual(before[field], after[field]));
}

/** Returns the clusters that its targets match; undefined without an inventory. */
function resolveTargetClusters({ object, context }: ObjectInContext): readonly string[] | undefined {
  const index = clusterIndexOf(context);
  if (!index) return undefined;
  const { targets } = gitRepoSettingsOf(object);
  const chosen = chooseClusters(
    { targets, restrictions: [], mode: 'FirstMatch' },
    namespaceOf(object),
    index,
    fleetBehaviourOf(context.versions.fleet),
  );
  return chosen.targets.clusters.map(({ name }) => name);
}

/** Returns the clusters that changed targets add or remove; undefined without an inventory. */
function findMovedClusters(old: ObjectInContext, next: ObjectInContext): readonly string[] | undefined {
  const [before, after] = [resolveTargetClusters(old), resolveTargetClusters(next)];
  if (!before || !after) return undefined;
  return [...after.filter((name) => !before.includes(name)), ...before.filter((name) => !after.includes(name))];
}

const HELD_WHILE_PAUSED = { effect: 'held', heldUntil: 'it is no longer paused' } as const;

/**
 * Computes the effect of an edit of a GitRepo on the clusters of its bundles.
 *
 * A changed source has an unknown effect, since it is not read.
 */
export function computeGitRepoEffect(old: ObjectInContext, next: ObjectInContext): SystemEffect {
  const specOf = (object: Manifest) => getFieldsAt(object, 'spec');
  const [before, after] = [specOf(old.object), specOf(next.object)];
  const { paused } = gitRepoSettingsOf(next.object);
  if (paused && (hasChangedFields(before, after, CONTENT_FIELDS) || hasChangedFields(before, after, OPTION_FIELDS)))
    return HELD_WHILE_PAUSED;
  if (hasChangedFields(before, after, CONTENT_FIELDS)) return { effect: 'unknown' };
  // Fleet fetches commits that it did not fetch before.
  if (!paused && before.disablePolling === true && after.disablePolling !== true) return { effect: 'unknown' };
  if (hasChangedFields(before, after, OPTION_FIELDS)) return { effect: 'roll' };
  // Changes that were made while it was paused are released now.
  if (before.paused === true && !paused) return { effect: 'roll' };
  if (isDeepEqual(before.targets ?? [], after.targets ?? [])) return { effect: 'settings' };
  const clusters = findMovedClusters(old, next);
  if (clusters?.length === 0) return { effect: 'settings' };
  return { ...(paused ? HELD_WHILE_PAUSED : ({ effect: 'roll' } as const)), ...(clusters && { clusters }) };
}
