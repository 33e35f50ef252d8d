/** A container that does not name what a quota limits. */
export interface MissingResource {
  /** As the quota names it: `limits.cpu`. */
  readonly resource: string;
  /** Names of the containers, sorted. */
  readonly containers: readonly string[];
}

/** Why a quota, whatever it has left, or a LimitRange lets no new pod in. */
export type AdmissionRejection =
  | {
      readonly kind: 'unnamed';
      readonly quota: string;
      readonly unnamed: readonly MissingResource[];
      /** What to write: `resources.limits.cpu`. */
      readonly fields: readonly string[];
      /** Names of all the containers that lack something, in the order of the pod. */
      readonly containers: readonly string[];
      /** Where the first of them stands in the pod's spec: `['containers', 0, 'resources']`. */
      readonly field: readonly (string | number)[];
    }
  | {
      readonly kind: 'replica-sets';
      readonly quota: string;
      /** ReplicaSets that the quota counts now, what it allows, and what a rollout needs of it. Quantities. */
      readonly used: string;
      readonly hard: string;
      readonly needed: string;
    }
  | {
      readonly kind: 'limit-range';
      readonly limitRange: string;
      /** As the server says it. */
      readonly words: string;
      /** Names of the containers that are refused; empty where the pod as a whole is. */
      readonly containers: readonly string[];
      /** Where the first of them stands in the pod's spec. */
      readonly field: readonly (string | number)[];
    };

/** Why no new pod gets in, as a part of a sentence. */
export function formatAdmissionRejection(rejection: AdmissionRejection): string {
  if (rejection.kind === 'limit-range') return `LimitRange "${rejection.limitRange}" refuses every new pod (${rejection.words})`;
  if (rejection.kind === 'replica-sets') {
    const { quota, used, hard } = rejection;
    return `ResourceQuota "${quota}" refuses the ReplicaSet of the new pods (count/replicasets.apps: ${used} of ${hard} used)`;
  }
  const lacking = rejection.unnamed.map(({ resource, containers }) => `${resource} for: ${containers.join(',')}`);
  return `ResourceQuota "${rejection.quota}" refuses every new pod (must specify ${lacking.join('; ')})`;
}
