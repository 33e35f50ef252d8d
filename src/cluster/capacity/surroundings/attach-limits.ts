import { findMin } from '../../../core/values/min-max';
import { getListAt, getValueAt, nameOf } from '../../../core/manifest/manifest';
import { memoizePerPlan } from '../../context/context';
import { CONTEXT_KINDS } from '../../kinds/context-kinds';
import type { PodSet } from '../../rollout/pod-set';
import type { Workload } from '../../rollout/workload';
import { countPods } from '../amounts';
import { computePodFootprint } from '../pod-requests';
import type { Surroundings } from './surroundings';
import { listClaimNames, withVolumeNodes } from './volume-nodes';

/** Name of the constraint that a node attaches a limited number of volumes. */
export const ATTACH_LIMITS = 'attach limits of CSINodes';

/** The fewest volumes that a driver of a node attaches, by the name of the node. */
const getAttachLimits = memoizePerPlan((context) => {
  const limits = new Map<string, number>();
  for (const node of context.all(CONTEXT_KINDS.csiNode)) {
    const counts = getListAt(node, 'spec', 'drivers')
      .map((driver) => getValueAt(driver, 'allocatable', 'count'))
      .filter((count) => typeof count === 'number');
    if (counts.length > 0) limits.set(nameOf(node), findMin(counts));
  }
  return limits;
});

/** Counts the volumes that end with a pod of a template. */
function countEphemeralVolumes(podSpec: unknown): number {
  const templates = getListAt(podSpec, 'volumes').map((volume) => getValueAt(volume, 'ephemeral', 'volumeClaimTemplate'));
  return templates.filter((template) => template !== undefined).length;
}

/**
 * Reports whether the volumes of new pods may exceed what a node attaches. Each volume counts for each driver of the node, because the driver of a
 * claim may not be in the input. A claim that all pods share is attached once.
 *
 * Source: k/k pkg/scheduler/framework/plugins/nodevolumelimits/csi.go, `Filter`.
 */
export function mayExceedAttachLimits(podSet: PodSet, { context, inventory, podsByNode }: Surroundings): boolean {
  const limits = getAttachLimits(context);
  const { spec } = podSet.template;
  const { claimTemplates = [], rollout } = podSet as Partial<Workload>;
  const [shared, perPod] = [listClaimNames(spec).length, countEphemeralVolumes(spec) + claimTemplates.length];
  if (limits.size === 0 || shared + perPod === 0) return false;
  const { nodes } = inventory();
  const footprint = computePodFootprint(spec);
  const pods = podSet.replicas + (rollout?.surge ?? 0);
  return [...inventory().eligibleNodes(withVolumeNodes(podSet, context), 'new').indexes].some((index) => {
    const { allocatable, nodeName = '' } = nodes[index]!.pool;
    const running = (podsByNode.get(nodeName) ?? []).map((pod) => listClaimNames(pod.spec).length + countEphemeralVolumes(pod.spec));
    const attached = running.reduce((sum, volumes) => sum + volumes, shared + perPod * countPods(allocatable, footprint, pods));
    return attached > (limits.get(nodeName) ?? Infinity);
  });
}
