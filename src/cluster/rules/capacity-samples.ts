import type { MoreNodes, Shortage } from '../../core/document/capacity-result';
import type { AdmissionRejection } from '../rejections/admission-rejection';

export const QUOTA_SHORTAGE: Shortage = {
  kind: 'quota',
  limit: 'ResourceQuota "compute"',
  resource: 'requests.cpu',
  needed: '10',
  available: '6',
};
/** A shortage that lets 10 of 14 pods fit. */
export const PARTIAL_QUOTA_SHORTAGE: Shortage = { ...QUOTA_SHORTAGE, needed: '14', available: '10' };
export const REPLICA_SET_REJECTION: AdmissionRejection = { kind: 'replica-sets', quota: 'objects', used: '3', hard: '3', needed: '4' };
export const MISSING_RESOURCE_REJECTION: AdmissionRejection = {
  kind: 'unnamed',
  quota: 'compute',
  unnamed: [
    { resource: 'limits.memory', containers: ['init', 'web'] },
    { resource: 'requests.cpu', containers: ['web'] },
  ],
  fields: ['resources.limits.memory', 'resources.requests.cpu'],
  containers: ['init', 'web'],
  field: ['initContainers', 0, 'resources'],
};
export const LIMIT_RANGE_REJECTION: Extract<AdmissionRejection, { kind: 'limit-range' }> = {
  kind: 'limit-range',
  limitRange: 'defaults',
  words: 'maximum cpu usage per Container is 2, but limit is 4',
  containers: ['web'],
  field: ['containers', 0, 'resources'],
};
export const MORE_NODES: MoreNodes = { pool: 'a100', nodes: 2 };
