import { getFieldsAt, getListAt, getValueAt, isFields } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import { parseQuantityNanos } from '../../../core/values/quantity';
import { computePodAmounts } from '../pod-requests';

/** Returns the largest quantity of each resource. */
function mergeLargest(all: readonly Fields[]): Fields {
  const merged: Record<string, unknown> = {};
  for (const [resource, quantity] of all.flatMap((quantities) => Object.entries(quantities))) {
    const amount = parseQuantityNanos(quantity);
    if (amount !== undefined && amount > (parseQuantityNanos(merged[resource]) ?? -1n)) merged[resource] = quantity;
  }
  return merged;
}

/** Returns the resources that the scheduler and quotas count, from those of the spec and from those that the node reserves and applies. */
function resolveResources(declared: Fields, status: Fields, isInfeasible: boolean): Fields {
  const ofSpec = (kind: string) => (isInfeasible ? {} : getFieldsAt(declared, kind));
  const { requests: _, limits: __, ...rest } = declared;
  return {
    ...rest,
    requests: mergeLargest([ofSpec('requests'), getFieldsAt(status, 'resources', 'requests'), getFieldsAt(status, 'allocatedResources')]),
    limits: mergeLargest([ofSpec('limits'), getFieldsAt(status, 'resources', 'limits')]),
  };
}

function isResizeInfeasible(pod: Manifest): boolean {
  const pending = getListAt(pod, 'status', 'conditions').find((condition) => getValueAt(condition, 'type') === 'PodResizePending');
  return getValueAt(pending, 'reason') === 'Infeasible';
}

/**
 * Returns the spec of a pod with what counts while it is resized in place: the largest of what its spec, its node and its runtime have. If the node
 * can never have what the spec requests, only the other two count. Init containers are resized if they are sidecars.
 *
 * Source: k/k staging/src/k8s.io/component-helpers/resource/helpers.go, `PodRequests` with `UseStatusResources`.
 */
export function resolveResizedSpec(pod: Manifest): Fields {
  const spec = getFieldsAt(pod, 'spec');
  const status = getFieldsAt(pod, 'status');
  const statuses = new Map(
    [...getListAt(status, 'containerStatuses'), ...getListAt(status, 'initContainerStatuses')]
      .filter((each): each is Fields => isFields(each) && isFields(each.resources))
      .map((each) => [each.name, each]),
  );
  if (statuses.size === 0 && !isFields(status.resources)) return spec;
  const isInfeasible = isResizeInfeasible(pod);
  const resize = (container: unknown, isResizable: boolean) => {
    const own = isFields(container) && isResizable ? statuses.get(container.name) : undefined;
    return own
      ? { ...(container as Fields), resources: resolveResources(getFieldsAt(container, 'resources'), own, isInfeasible) }
      : container;
  };
  return {
    ...spec,
    containers: getListAt(spec, 'containers').map((container) => resize(container, true)),
    initContainers: getListAt(spec, 'initContainers').map((container) =>
      resize(container, getValueAt(container, 'restartPolicy') === 'Always'),
    ),
    ...(isFields(spec.resources) && isFields(status.resources) && { resources: resolveResources(spec.resources, status, isInfeasible) }),
  };
}

/** Reports whether a pod uses more than it requests, until its node has lowered it. */
export function isBeingLowered(pod: Manifest, resizedSpec: Fields): boolean {
  if (resizedSpec === getFieldsAt(pod, 'spec')) return false;
  const requested = computePodAmounts(getFieldsAt(pod, 'spec'), 'requests');
  return [...computePodAmounts(resizedSpec, 'requests')].some(([resource, amount]) => amount > (requested.get(resource) ?? 0n));
}
