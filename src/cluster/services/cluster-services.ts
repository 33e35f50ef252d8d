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
