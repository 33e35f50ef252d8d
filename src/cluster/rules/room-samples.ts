import type { MoreNodes, Shortage } from '../../core/room';
import type { Refusal } from '../room/refusal';

export const QUOTA_SHORTAGE: Shortage = {
  kind: 'quota',
  limit: 'ResourceQuota "compute"',
  resource: 'requests.cpu',
  needed: '10',
  available: '6',
};
/** Of one that has room for 10 of 14 pods. */
export const QUOTA_FOR_TEN: Shortage = { ...QUOTA_SHORTAGE, needed: '14', available: '10' };
export const REFUSAL: Refusal = { kind: 'replica-sets', quota: 'objects', used: '3', hard: '3', needed: '4' };
export const UNNAMED: Refusal = {
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
export const OUT_OF_RANGE: Extract<Refusal, { kind: 'limit-range' }> = {
  kind: 'limit-range',
  limitRange: 'defaults',
  words: 'maximum cpu usage per Container is 2, but limit is 4',
  containers: ['web'],
  field: ['containers', 0, 'resources'],
};
export const MORE_NODES: MoreNodes = { pool: 'a100', nodes: 2 };
