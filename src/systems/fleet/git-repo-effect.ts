import type { ObjectInContext, SystemEffect } from '../../cluster/context';
import { isDeepEqual } from '../../core/deep-equal';
import { getFieldsAt, namespaceOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { fleetBehaviourOf } from './behaviour';
import { gitRepoSettingsOf } from './git-repo';
import { clusterIndexOf } from './inventory-context';
import { chooseClusters } from './targets';

/* What an edit of a GitRepo leads to. Source: rancher/fleet v0.16.1 internal/cmd/controller/gitops/reconciler, bundlereader/read.go, options/calculate.go. */

/** Where its bundles come from: what lies there the plan does not see. */
const CONTENT_FIELDS = ['repo', 'branch', 'revision', 'paths', 'bundles'];

/** What becomes an option of every bundle's deployments, so that every cluster gets a new one. */
const OPTION_FIELDS = ['serviceAccount', 'targetNamespace', 'keepResources', 'deleteNamespace', 'forceSyncGeneration'];

function hasChangedFields(before: Fields, after: Fields, fields: readonly string[]): boolean {
  return fields.some((field) => !isDeepEqual(before[field], after[field]));
}

/** The clusters that its targets match; undefined where no inventory is in view. */
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

/** The clusters that come and go with other targets; undefined where no inventory is in view. */
function findMovedClusters(old: ObjectInContext, next: ObjectInContext): readonly string[] | undefined {
  const [before, after] = [resolveTargetClusters(old), resolveTargetClusters(next)];
  if (!before || !after) return undefined;
  return [...after.filter((name) => !before.includes(name)), ...before.filter((name) => !after.includes(name))];
}

const HELD_WHILE_PAUSED = { effect: 'held', heldUntil: 'it is no longer paused' } as const;

/** What an edit of a GitRepo does to the clusters of its bundles. Another place to read from is not followed: what it brings is not known. */
export function computeGitRepoEffect(old: ObjectInContext, next: ObjectInContext): SystemEffect {
  const specOf = (object: Manifest) => getFieldsAt(object, 'spec');
  const [before, after] = [specOf(old.object), specOf(next.object)];
  const { paused } = gitRepoSettingsOf(next.object);
  if (paused && (hasChangedFields(before, after, CONTENT_FIELDS) || hasChangedFields(before, after, OPTION_FIELDS)))
    return HELD_WHILE_PAUSED;
  if (hasChangedFields(before, after, CONTENT_FIELDS)) return { effect: 'unknown' };
  if (hasChangedFields(before, after, OPTION_FIELDS)) return { effect: 'roll' };
  // What piled up while it was paused goes out now.
  if (before.paused === true && !paused) return { effect: 'roll' };
  if (isDeepEqual(before.targets ?? [], after.targets ?? [])) return { effect: 'settings' };
  const clusters = findMovedClusters(old, next);
  if (clusters?.length === 0) return { effect: 'settings' };
  return { ...(paused ? HELD_WHILE_PAUSED : ({ effect: 'roll' } as const)), ...(clusters && { clusters }) };
}
