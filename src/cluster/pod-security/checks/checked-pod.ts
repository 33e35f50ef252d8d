import { getFieldsAt, getListAt, getValueAt, isFields } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { toSafeText } from '../../../core/text/value-text';

/** A pod as the admission checks it. */
export interface CheckedPod {
  readonly metadata: Fields;
  readonly spec: Fields;
  readonly containers: readonly CheckedContainer[];
}

export interface CheckedContainer {
  readonly value: Fields;
  readonly name: string;
  readonly securityContext: Fields;
  /** Path in the pod spec: `['containers', 0]`. */
  readonly path: readonly (string | number)[];
}

/** What a check forbids. */
export interface PodSecurityViolation {
  /** `privileged` */
  readonly reason: string;
  /** `container "web" must not set securityContext.privileged=true` */
  readonly detail: string;
  /** Path of the first forbidden value in the pod spec. */
  readonly field: readonly (string | number)[];
}

export type PodCheck = (pod: CheckedPod) => PodSecurityViolation | undefined;

/** Lists of containers in the order in which the admission visits them. */
const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'];

/** Reads a pod template as a pod. Ports of a pod in the network of its host are host ports, which the API server fills in. */
export function readCheckedPod(template: Fields): CheckedPod {
  const spec = getFieldsAt(template, 'spec');
  const hasHostNetwork = spec.hostNetwork === true;
  const containers = CONTAINER_LISTS.flatMap((list) =>
    getListAt(spec, list).flatMap((value, index): CheckedContainer[] => {
      if (!isFields(value)) return [];
      const ports = getListAt(value, 'ports').map((port) =>
        hasHostNetwork && isFields(port) && !port.hostPort ? { ...port, hostPort: port.containerPort } : port,
      );
      return [
        {
          value: { ...value, ports },
          name: toSafeText(value.name),
          securityContext: getFieldsAt(value, 'securityContext'),
          path: [list, index],
        },
      ];
    }),
  );
  return { metadata: getFieldsAt(template, 'metadata'), spec, containers };
}

function isWindows({ spec }: CheckedPod): boolean {
  return getValueAt(spec, 'os', 'name') === 'windows';
}

/** Reports whether the pod runs in a user namespace of its own. */
function hasUserNamespace({ spec }: CheckedPod): boolean {
  return spec.hostUsers === false;
}

/** Returns a check that a pod passes if a condition is true. */
export function allowIf(isAllowed: (pod: CheckedPod) => boolean, check: PodCheck): PodCheck {
  return (pod) => (isAllowed(pod) ? undefined : check(pod));
}

/** Returns a check that pods of Windows pass. */
export function allowWindows(check: PodCheck): PodCheck {
  return allowIf(isWindows, check);
}

/** Returns a check that pods with a user namespace pass. */
export function allowUserNamespace(check: PodCheck): PodCheck {
  return allowIf(hasUserNamespace, check);
}
