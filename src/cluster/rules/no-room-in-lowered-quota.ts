import { message, partOf } from '../../core/finding';
import type { Finding } from '../../core/finding';
import { at } from '../../core/field-path';
import type { PlanContext } from '../context';
import { written } from '../room/pod-requests';
import type { ResourceLimit } from '../room/limits';
import { noRoom } from './no-room';

interface LoweredData {
  /** The quota as people name it: `ResourceQuota "compute"`. */
  readonly quota: string;
  readonly resource: string;
  /** What it allows, and what the pods that run and stay use. Quantities. */
  readonly allowed: string;
  readonly used: string;
}

/** What is said of a quota that an apply makes smaller than what runs. */
export const noRoomInLoweredQuota = partOf(noRoom, {
  lowered: message<LoweredData>({
    text: ({ quota, resource, allowed, used }) =>
      `${quota} allows ${allowed} ${resource} from now on, and the pods that run and stay use ${used}. None of them goes for that, but one that goes for another reason, ` +
      'such as an eviction or a rollout, is refused when it is to be made anew, for as long as the others use up the quota.',
    help: ({ resource, used }) =>
      `Write at least ${used} for ${resource}, or lower the number of pods or what each asks for in the same apply.`,
    sample: { quota: 'ResourceQuota "compute"', resource: 'requests.cpu', allowed: '6', used: '10' },
  }),
});

/** Quotas that an apply makes smaller than what the pods use that run before it and after it. */
export function loweredQuotaFindings(limits: readonly ResourceLimit[], context: PlanContext): Finding[] {
  const { lowersQuota } = context;
  if (!lowersQuota) return [];
  return limits.flatMap(({ quota, name, resource, total, least }) => {
    if (!quota || least <= total || !lowersQuota(quota, resource)) return [];
    const path = at`spec.hard[${resource}]`;
    const source = context.locate(quota, path);
    const data = { quota: name, resource, allowed: written(total, resource), used: written(least, resource) };
    return [noRoomInLoweredQuota.finding('lowered', { path, severity: 'warning', data, ...(source && { source }) })];
  });
}
