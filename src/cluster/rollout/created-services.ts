import type { Manifest } from '../../core/manifest/manifest';
import type { ResourceRef } from '../../core/document/rollout';
import type { ServiceRole } from '../../core/document/service-plan';

/** A Service that a controller creates for the pods of one of two clusters. */
export interface ClusterService {
  readonly service: Manifest;
  /** The cluster whose pods it selects: the running one, the new one, or the one that gets the requests. */
  readonly role: Extract<ServiceRole, 'stable' | 'canary' | 'active'>;
  /** Route of the controller that splits requests between the Services. @default - there is none */
  readonly route?: ResourceRef;
}

/** A Service that a controller creates, with the share that its route sends to it. */
export interface RoutedService {
  readonly service: Manifest;
  /** Whether it gets what the canaries leave, or a percentage of its own. */
  readonly role: 'stable' | 'canary';
  /** Percentage of a canary that has a ready pod; undefined if it is not known. @default - the rest, for the stable Service */
  readonly percent?: number | undefined;
}
