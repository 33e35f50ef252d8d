import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { pluralize } from '../../../core/text/text-format';
import { countGroups } from '../../../workloads/leader-worker-set/groups';
import { formatLwsLimits, formatLwsExample } from '../../../workloads/leader-worker-set/rules/examples';
import { simulateGroups } from '../../../workloads/leader-worker-set/simulate';
import type { GroupRollout } from '../../../workloads/leader-worker-set/simulate';
import { LWS_CONFIGURATION_PATH } from '../../../workloads/leader-worker-set/strategy';

interface WaitingGroupsData {
  /** Number of groups that are not ready before the apply. */
  readonly down: number;
  /** Number of groups that keep the old version while those are not ready. */
  readonly notUpdated: number;
  readonly maxUnavailable: number;
  /** A maxUnavailable with which the rollout does not wait for them; unset if none keeps a group running. */
  readonly sufficientLimit?: number;
}

const LIVE_SET = `${formatLwsExample(3, formatLwsLimits('maxUnavailable: 1'), 1).replace('name: llama', 'name: llama\n  uid: 5b5b1a3e-0000-4000-8000-000000000001')}status:
  replicas: 3
  updatedReplicas: 2
  readyReplicas: 2
  conditions: [{ type: UpdateInProgress, status: "True" }]
`;

const NEW_SET = formatLwsExample(3, formatLwsLimits('maxUnavailable: 1'), 1).replace('v0.11.0', 'v0.11.1');

/** Rule about groups that were already down and use up maxUnavailable. */
export const waitsForGroups = defineRule({
  code: 'lws/waits-for-groups',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'A live LeaderWorkerSet gets a new version while groups that are not the first to be replaced are not ready and use up maxUnavailable.',
  why:
    'The controller replaces groups from the highest ordinal down and counts every lower group that is not ready as unavailable. If those use up maxUnavailable, ' +
    'it waits for them, even though they have an older version. If they are broken, neither the new version nor a rollback reaches any group, and there is no deadline.',
  fix: 'Make those groups ready first, or raise `maxUnavailable` by their number for this change.',
  example: `# rolloutkit plan --from old.yaml new.yaml\n# old.yaml\n${LIVE_SET}# new.yaml\n${NEW_SET}`,
  fixedExample: `# rolloutkit plan --from old.yaml new.yaml\n# old.yaml\n${LIVE_SET.replace('readyReplicas: 2', 'readyReplicas: 3')}# new.yaml\n${NEW_SET}`,
  messages: {
    waits: defineMessage<WaitingGroupsData>({
      text: ({ down, notUpdated, maxUnavailable }) =>
        `${pluralize(down, 'group')} ${down === 1 ? 'is' : 'are'} not ready and ${down === 1 ? 'uses' : 'use'} up maxUnavailable, which resolves to ${maxUnavailable}. ` +
        `${pluralize(notUpdated, 'group')} ${notUpdated === 1 ? 'keeps' : 'keep'} the old version until ${down === 1 ? 'it is' : 'they are'} ready.`,
      help: ({ down, sufficientLimit }) =>
        `Make ${down === 1 ? 'it' : 'them'} ready first${sufficientLimit === undefined ? '' : `, or set maxUnavailable: ${sufficientLimit} for this change`}.`,
      suggestedFix: ({ sufficientLimit }) =>
        sufficientLimit === undefined
          ? suggestManualFix()
          : suggestManualFix(setField(toFieldPath`${LWS_CONFIGURATION_PATH}.maxUnavailable`, sufficientLimit)),
      sample: { down: 1, notUpdated: 3, maxUnavailable: 1, sufficientLimit: 2 },
      variants: [{ down: 2, notUpdated: 2, maxUnavailable: 1 }],
    }),
  },
});

/** Counts the groups that keep the old version if the groups that are down never become ready; 0 if the rollout finishes anyway. */
function countGroupsLeftBehind(rollout: GroupRollout): number {
  const { halted } = simulateGroups({ ...rollout, keepsUnready: true });
  return halted && halted.reason !== 'insufficient-capacity' ? halted.groups : 0;
}

/** Returns the rollout with another maxUnavailable. */
function withMaxUnavailable(rollout: GroupRollout, unavailable: number): GroupRollout {
  const { limits, behaviour, leaderLimit } = rollout;
  const leaders = unavailable + (behaviour.leaderLimit === 'both-limits' ? limits.surge : 0);
  return { ...rollout, limits: { ...limits, unavailable }, leaderLimit: leaderLimit && (() => leaders) };
}

/** Finds the smaller of two likely values of maxUnavailable that keeps a group running and with which the rollout does not wait. */
function findSufficientLimit(rollout: GroupRollout, down: number): number | undefined {
  const { replicas, surge, unavailable } = rollout.limits;
  return [unavailable + down, unavailable + surge + down].find(
    (candidate) => candidate < replicas && countGroupsLeftBehind(withMaxUnavailable(rollout, candidate)) === 0,
  );
}

/** Reports whether a rollout would wait for groups that were already down if it replaced one group at a time. */
export function mustWaitOneByOne(rollout: GroupRollout): boolean {
  const unavailable = Math.max(0, 1 - rollout.limits.surge);
  return rollout.initialGroups?.some(({ ready }) => !ready) === true && countGroupsLeftBehind(withMaxUnavailable(rollout, unavailable)) > 0;
}

/** Reports a rollout that waits for groups that were already down. */
export function checkWaitsForGroups(rollout: GroupRollout): Finding[] {
  const down = countGroups(rollout.initialGroups ?? [], ({ ready }) => !ready);
  const notUpdated = down === 0 ? 0 : countGroupsLeftBehind(rollout);
  if (notUpdated === 0) return [];
  const sufficientLimit = findSufficientLimit(rollout, down);
  const data = { down, notUpdated, maxUnavailable: rollout.limits.unavailable, ...(sufficientLimit !== undefined && { sufficientLimit }) };
  return [waitsForGroups.createFinding('waits', { path: toFieldPath`${LWS_CONFIGURATION_PATH}.maxUnavailable`, data })];
}
