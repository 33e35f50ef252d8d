import { getFieldsAt, getListAt, isFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { ResourceRef } from '../../core/document/rollout';
import { listSidecars } from '../rollout/sidecars';

/** Pods of one template after an apply, as the rules about a Service read them. */
export interface ServiceMember {
  readonly resource: ResourceRef;
  readonly template: Fields;
  /** Pods once nothing changes any more. */
  readonly pods: number;
  /** Whether its controller adds labels and containers that no manifest shows. */
  readonly isOpen: boolean;
  /** Whether every node that its template allows has one of the pods. */
  readonly isOnePerNode: boolean;
}

/** Returns the names of the ports on which a pod of a template may be an endpoint, each with its protocol: `http (TCP)`. Init containers have ended. */
export function listNamedPorts(template: Fields): readonly string[] {
  const podSpec = getFieldsAt(template, 'spec');
  return [...getListAt(podSpec, 'containers'), ...listSidecars(podSpec)].flatMap((container) =>
    getListAt(container, 'ports').flatMap((port) => {
      const { name, protocol } = isFields(port) ? port : {};
      return typeof name === 'string' ? [`${name} (${typeof protocol === 'string' ? protocol : 'TCP'})`] : [];
    }),
  );
}

/** Labels and annotations that let a webhook add a container, in addition to those that contain `inject`. */
const INJECTION_KEYS: ReadonlySet<string> = new Set(['dapr.io/enabled', 'istio.io/rev']);

/** Values with which these labels and annotations turn the webhook off. */
const OFF_VALUES: ReadonlySet<unknown> = new Set(['false', 'disabled', false]);

function asksForInjection(marks: Fields): boolean {
  return Object.entries(marks).some(([key, value]) => (INJECTION_KEYS.has(key) || key.includes('inject')) && !OFF_VALUES.has(value));
}

/** Reports whether labels or annotations of an object, such as a pod template or a Namespace, let a webhook add containers. */
export function hasInjectedContainers(object: Fields | Manifest): boolean {
  return ['labels', 'annotations'].some((field) => asksForInjection(getFieldsAt(object, 'metadata', field)));
}

/** Reports whether a template limits the nodes on which its pods run. */
export function isLimitedToNodes(template: Fields): boolean {
  const podSpec = getFieldsAt(template, 'spec');
  return isFields(podSpec.nodeSelector) || isFields(podSpec.affinity);
}
