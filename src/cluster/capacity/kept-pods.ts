import type { PlanCache } from '../../core/collections/plan-cache';
import { getFieldsAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import type { PodSet } from '../rollout/pod-set';
import { countKeptPods } from './limits';

/** Returns a template with the containers of another one, which decide what its pods request. */
export function withContainersOf(template: Fields, other: Fields): Fields {
  const { containers, initContainers } = getFieldsAt(other, 'spec');
  return { ...template, spec: { ...getFieldsAt(template, 'spec'), containers, initContainers } };
}

function buildSetsByVersion(podSet: PodSet): readonly PodSet[] {
  const { kept, template, replicas, onePerNode } = podSet;
  if (!kept) return [podSet];
  if (onePerNode) return [{ ...podSet, template: withContainersOf(template, kept.template) }];
  const asKept = { ...podSet, template: kept.template };
  const pods = countKeptPods(podSet);
  if (!kept.addsNewPods || pods === replicas) return [asKept];
  // Running pods belong to the set that stays.
  const added = { ...podSet, kind: undefined, name: undefined, owner: undefined, replicas: replicas - pods, running: 0 };
  return [{ ...asKept, replicas: pods }, added];
}

/**
 * Returns the pods of a set by the template that they run with. A set whose change is held keeps its running pods, and its controller adds
 * pods of the old or of the new template: 2 pods of 2 GPUs and 2 added ones of 1 GPU use 6 GPUs.
 */
export function splitByVersion(podSet: PodSet, cache: PlanCache): readonly PodSet[] {
  return podSet.kept ? cache.derive(podSet, buildSetsByVersion) : [podSet];
}
