import { getFieldsAt } from '../../../core/manifest/manifest';
import type { PodSet } from '../../rollout/pod-set';
import type { Workload } from '../../rollout/workload';
import { computePodFootprint } from '../pod-requests';
import { hasPortConflict } from '../nodes/scheduling';
import { findBlockedNodes } from '../exact/blocked-nodes';
import type { DaemonSurroundings } from '../surroundings/daemon-surroundings';
import { countPods } from '../amounts';
import { listAffinityTerms, listSpreadConstraints, toShape } from '../nodes/pod-shape';
import type { PodShape } from '../nodes/pod-shape';
import type { RunningPod } from '../surroundings/running-pods';

function toOldShape(podSet: PodSet): PodShape {
  const { template, oldTemplate = template } = podSet;
  return toShape(podSet, getFieldsAt(oldTemplate, 'metadata', 'labels'), getFieldsAt(oldTemplate, 'spec'));
}

/** Reports whether old pods on other nodes decide which nodes of a DaemonSet have one, so that this depends on which of them came first. */
export function isOrderOfDaemonPodsRead({ podSet, surroundings }: DaemonSurroundings): boolean {
  const pod = toOldShape(podSet);
  const inventory = surroundings.inventory();
  return (
    listAffinityTerms(pod, 'podAffinity').length > 0 ||
    listSpreadConstraints(pod).some(({ honorsAffinity, minDomains }) => !honorsAffinity || minDomains > 1) ||
    listAffinityTerms(pod, 'podAntiAffinity').some(
      (term) => (term.matches(pod) || term.mayMatch(pod)) && inventory.topologyOf(term.topologyKey)?.isPerNode !== true,
    )
  );
}

/**
 * Returns the old pods of a DaemonSet without Pods in the input: one on each node that accepts it and has capacity for it. Returns undefined if
 * nodes have no names, or the devices that the pods claim are not known.
 */
export function assumeDaemonPods({ podSet, surroundings }: DaemonSurroundings): readonly RunningPod[] | undefined {
  const { template, oldTemplate = template, namespace = 'default', namespaceLabels } = podSet;
  const { devices, podsByNode } = surroundings;
  const inventory = surroundings.inventory();
  const shape = toOldShape(podSet);
  const { spec } = shape;
  const claimed = devices.devicesOf(spec, shape.namespace);
  if (!claimed || inventory.nodes.some(({ pool }) => pool.nodeName === undefined)) return undefined;
  const footprint = new Map([...computePodFootprint(spec), ...claimed]);
  const blocked = findBlockedNodes(shape, surroundings.podIndex(), inventory);
  const { name = '' } = podSet as Partial<Workload>;
  const indexes = [...inventory.eligibleNodes({ ...podSet, template: oldTemplate }, 'old').indexes];
  return indexes
    .filter((index) => {
      const { free, pool } = inventory.nodes[index]!;
      const others = podsByNode.get(pool.nodeName!) ?? [];
      return countPods(free, footprint, 1) > 0 && !blocked.has(index) && !others.some((pod) => hasPortConflict(pod.spec, spec));
    })
    .map((index) => ({
      pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace }, spec },
      namespace,
      ...(namespaceLabels && { namespaceLabels }),
      labels: shape.labels,
      spec,
      nodeName: inventory.nodes[index]!.pool.nodeName!,
      isTerminating: false,
      workloadKey: '',
      workloadName: name,
      priority: 0,
    }));
}
