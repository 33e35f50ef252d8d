import { countPodsWithoutRollout } from '../../cluster/capacity/other-pods';
import type { PlanContext } from '../../cluster/context/context';
import { listCreatedKinds } from '../../cluster/kinds/created-kinds';
import { kindKeyOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { systemOf } from '../../plan/registry';
import type { EvaluatedChange } from '../change-state';
import { isUnknownKind } from '../effects/config-only-kinds';
import type { PodRunner } from './admission-request';

/** Reports whether pods run for an object, or for what its controller creates. */
function runsPods(object: Manifest, context: PlanContext): boolean {
  const system = systemOf(object, context);
  const created = listCreatedKinds(kindKeyOf(object));
  // A strategy in a webhook or a CSINode, for example, does not make it run pods.
  const isRollout = system !== undefined && (!system.isGuess?.(object) || (isUnknownKind(object) && created === undefined));
  return isRollout || countPodsWithoutRollout(object) !== undefined || created?.includes('/Pod') === true;
}

/** Lists the objects that run pods before or after an apply. Selectors of admission match what an object was, too. */
export function listPodRunners({ objectEffects, retained, deleted, context: { oldContext, newContext } }: EvaluatedChange): PodRunner[] {
  const ofNew = objectEffects.flatMap(({ effect, comparison: { old, result } }): PodRunner[] => [
    { object: result, isNew: effect === 'create', isDeleted: false },
    ...(old ? [{ object: old.manifest, isNew: false, isDeleted: effect === 'replace' }] : []),
  ]);
  return [
    ...[...ofNew, ...retained.map((object) => ({ object, isNew: false, isDeleted: false }))].filter(({ object }) =>
      runsPods(object, newContext),
    ),
    ...[...deleted].filter((object) => runsPods(object, oldContext)).map((object) => ({ object, isNew: false, isDeleted: true })),
  ];
}
