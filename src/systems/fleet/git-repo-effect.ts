import type { InContext, SystemEffect } from '../../cluster/context';
import { deepEqual } from '../../core/deep-equal';
import { fieldsAt, namespaceOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { fleetBehaviour } from './behaviour';
import { settingsOf } from './git-repo';
import { clusterIndexOf } from './inventory-context';
import { chooseClusters } from './targets';

/* What an edit of a GitRepo leads to. Source: rancher/fleet v0.16.1 internal/cmd/controller/gitops/reconciler, bundlereader/read.go, options/calculate.go. */

/** Where its bundles come from: what lies there the plan does not see. */
const CONTENT = ['repo', 'branch', 'revision', 'paths', 'bundles'];

/** What becomes an option of every bundle's deployments, so that every cluster gets a new one. */
const OPTIONS = ['serviceAccount', 'targetNamespace', 'keepResources', 'deleteNamespace', 'forceSyncGeneration'];

function differsIn(before: Fields, after: Fields, fields: readonly string[]): boolean {
  return fields.some((field) => !deepEqual(before[field], after[field]));
}

/** The clusters that its targets match; undefined where no inventory is in view. */
function clustersOf({ object, context }: InContext): readonly string[] | undefined {
  const index = clusterIndexOf(context);
  if (!index) return undefined;
  const { targets } = settingsOf(object);
  const chosen = chooseClusters(
    { targets, restrictions: [], mode: 'FirstMatch' },
    namespaceOf(object),
    index,
    fleetBehaviour(context.versions.fleet),
  );
  return chosen.targets.clusters.map(({ name }) => name);
}

/** The clusters that come and go with other targets; undefined where no inventory is in view. */
function moved(old: InContext, next: InContext): readonly string[] | undefined {
  const [before, after] = [clustersOf(old), clustersOf(next)];
  if (!before || !after) return undefined;
  return [...after.filter((name) => !before.includes(name)), ...before.filter((name) => !after.includes(name))];
}

const UNTIL_UNPAUSED = { effect: 'held', heldUntil: 'it is no longer paused' } as const;

/** What an edit of a GitRepo does to the clusters of its bundles. Another place to read from is not followed: what it brings is not known. */
export function gitRepoEffect(old: InContext, next: InContext): SystemEffect {
  const specOf = (object: Manifest) => fieldsAt(object, 'spec');
  const [before, after] = [specOf(old.object), specOf(next.object)];
  const { paused } = settingsOf(next.object);
  if (paused && (differsIn(before, after, CONTENT) || differsIn(before, after, OPTIONS))) return UNTIL_UNPAUSED;
  if (differsIn(before, after, CONTENT)) return { effect: 'unknown' };
  if (differsIn(before, after, OPTIONS)) return { effect: 'roll' };
  // What piled up while it was paused goes out now.
  if (before.paused === true && !paused) return { effect: 'roll' };
  if (deepEqual(before.targets ?? [], after.targets ?? [])) return { effect: 'settings' };
  const clusters = moved(old, next);
  if (clusters?.length === 0) return { effect: 'settings' };
  return { ...(paused ? UNTIL_UNPAUSED : ({ effect: 'roll' } as const)), ...(clusters && { clusters }) };
}
