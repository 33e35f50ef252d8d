/** A resource that a quota limits, and the containers that do not set it. */
export interface MissingResource {
  /** Name of the resource in the quota: `limits.cpu`. */
  readonly resource: string;
  /** Names of the containers, sorted. */
  readonly containers: readonly string[];
}

/** Why a quota, regardless of what it has left, a LimitRange or Pod Security refuses every new pod. */
export type AdmissionRejection =
  | {
      readonly kind: 'unnamed';
      readonly quota: string;
      readonly unnamed: readonly MissingResource[];
      /** Fields to set: `resources.limits.cpu`. */
      readonly fields: readonly string[];
      /** Names of all containers that lack something, in the order of the pod. */
      readonly containers: readonly string[];
      /** Path of the first of them in the pod spec: `['containers', 0, 'resources']`. */
      readonly field: readonly (string | number)[];
    }
  | {
      readonly kind: 'replica-sets';
      readonly quota: string;
      /** ReplicaSets that the quota counts now. A quantity, like the two fields below. */
      readonly used: string;
      /** ReplicaSets that the quota allows. */
      readonly hard: string;
      /** ReplicaSets that the quota must allow for a rollout. */
      readonly needed: string;
    }
  | {
      readonly kind: 'limit-range';
      readonly limitRange: string;
      /** The reason, in the words of the API server. */
      readonly words: string;
      /** Names of the refused containers. Empty if the pod as a whole is refused. */
      readonly containers: readonly string[];
      /** Path of the first of them in the pod spec. */
      readonly field: readonly (string | number)[];
    }
  | {
      readonly kind: 'pod-security';
      readonly namespace: string;
      /** Level that the namespace enforces. */
      readonly level: string;
      /** The reason, in the words of the admission: `violates PodSecurity "baseline:latest": …`. */
      readonly words: string;
      /** Path of the first forbidden value in the pod spec. */
      readonly field: readonly (string | number)[];
    };

/** Formats why every new pod is refused, as part of a sentence. */
export function formatAdmissionRejection(rejection: AdmissionRejection): string {
  if (rejection.kind === 'pod-security') return `Namespace "${rejection.namespace}" refuses every new pod: ${rejection.words}`;
  if (rejection.kind === 'limit-range') return `LimitRange "${rejection.limitRange}" refuses every new pod (${rejection.words})`;
  if (rejection.kind === 'replica-sets') {
    const { quota, used, hard } = rejection;
    return `ResourceQuota "${quota}" refuses the ReplicaSet of the new pods (count/replicasets.apps: ${used} of ${hard} used)`;
  }
  const lacking = rejection.unnamed.map(({ resource, containers }) => `${resource} for: ${containers.join(',')}`);
  return `ResourceQuota "${rejection.quota}" refuses every new pod (must specify ${lacking.join('; ')})`;
}
