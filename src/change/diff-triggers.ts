import { nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { PlanChange } from '../core/plan-diff';
import { resourceOf } from '../core/rollout';
import type { ResourceRef, PlannedRollout } from '../core/rollout';
import { kuberaySystem } from '../systems/kuberay/system';
import { diffRayServices } from '../systems/kuberay/trigger';
import type { RayServiceChange } from '../systems/kuberay/trigger';

/** A change before it is known of which resource. */
export type FieldDifference = Omit<PlanChange, 'resource'>;

/** The RayServices among the objects, each as its rollout names it. */
export function rayServicesOf(objects: readonly Manifest[]): { readonly resource: ResourceRef; readonly object: Manifest }[] {
  const rayServices = objects.filter((object) => kuberaySystem.recognises(object));
  return rayServices.map((object) => ({ resource: resourceOf(object, nameOf(object), namespaceOf(object)), object }));
}

/** Where a change of a RayService stands among those of its strategy: `maxSurgePercent`. */
function strategyField(path: string): string {
  return path.replace(/^spec\.upgradeStrategy\.(?:clusterUpgradeOptions\.)?/, '');
}

const REFUSED = 'The new RayService is refused: nothing happens until its errors are repaired.';

function triggerOf({ effect, reason }: RayServiceChange, { strategy }: PlannedRollout): Pick<FieldDifference, 'triggers' | 'reason'> {
  if (strategy === null) return { triggers: 'none', reason: REFUSED };
  return { triggers: effect, reason };
}

/**
 * Adds what applying each changed field does by the operator's hash rules: to the fields of the strategy, and to all others of
 * the manifest, which stand by their path.
 */
export function withTriggers(
  strategy: readonly FieldDifference[],
  current: Manifest,
  next: Manifest,
  rollout: PlannedRollout,
): FieldDifference[] {
  const { changes } = diffRayServices(current, next);
  const fields = new Set(strategy.map(({ field }) => field));
  const byField = new Map(changes.map((change) => [strategyField(change.path), change]));
  const known = strategy.map((difference) => {
    const change = byField.get(difference.field);
    return change ? { ...difference, ...triggerOf(change, rollout) } : difference;
  });
  const others = changes.filter(({ path }) => !fields.has(strategyField(path)));
  return [
    ...known,
    ...others.map((change): FieldDifference => {
      return { field: change.path, old: change.old ?? null, new: change.new ?? null, effect: 'neutral', ...triggerOf(change, rollout) };
    }),
  ];
}
