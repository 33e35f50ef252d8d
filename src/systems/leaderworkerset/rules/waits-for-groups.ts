import { suggestManualFix, setField } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { pluralize } from '../../../core/text-format';
import { countGroups } from '../../../workloads/leader-worker-set/groups';
import { formatLwsLimits, formatLwsExample } from '../../../workloads/leader-worker-set/rules/examples';
import { simulateGroups } from '../../../workloads/leader-worker-set/simulate';
import type { GroupRollout } from '../../../workloads/leader-worker-set/simulate';
import { LWS_CONFIGURATION_PATH } from '../../../workloads/leader-worker-set/strategy';

interface WaitingGroupsData {
  /** Groups that are not ready before the apply. */
  readonly down: number;
  /** Groups that keep the old version while those are. */
  readonly notUpdated: number;
  readonly maxUnavailable: number;
  /** A maxUnavailable with which the rollout goes past them; absent where none leaves a group running. */
  readonly sufficientLimit?: number;
}

const LIVE_SET = `${formatLwsExample(3, formatLwsLimits('maxUnavailable: 1'), 1).replace('name: llama', 'name: llama\n  uid: 5b5b1a3e-0000-4000-8000-000000000001')}status:
  replicas: 3
  updatedReplicas: 2
  readyReplicas: 2
  conditions: [{ type: UpdateInProgress, status: "True" }]
`;

const NEW_SET = formatLwsExample(3, formatLwsLimits('maxUnavailable: 1'), 1).replace('v0.11.0', 'v0.11.1');

/** Groups that were down before use up what may be unavailable. */
export const waitsForGroups = defineRule({
  code: 'lws/waits-for-groups',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'A LeaderWorkerSet of a cluster gets a new version while groups are not ready that are not the first to be replaced, and maxUnavailable is used up by them.',
  why:
    'The controller goes down from the highest group and counts every group below that is not ready as unavailable. Where those use up maxUnavailable ' +
    'it waits for them, though they have an older version: if they are broken, neither the new version nor the way back reaches a group, and there is no deadline.',
  fix: 'Get those groups ready first, or raise `maxUnavailable` by as many for this change.',
  example: `# rolloutkit plan --from old.yaml new.yaml\n# old.yaml\n${LIVE_SET}# new.yaml\n${NEW_SET}`,
  fixedExample: `# rolloutkit plan --from old.yaml new.yaml\n# old.yaml\n${LIVE_SET.replace('readyReplicas: 2', 'readyReplicas: 3')}# new.yaml\n${NEW_SET}`,
  messages: {
    waits: defineMessage<WaitingGroupsData>({
      text: ({ down, notUpdated, maxUnavailable }) =>
        `${pluralize(down, 'group')} ${down === 1 ? 'is' : 'are'} not ready and ${down === 1 ? 'uses' : 'use'} up maxUnavailable, which comes to ${maxUnavailable}: ` +
        `until ${down === 1 ? 'it is' : 'they are'} ready ${pluralize(notUpdated, 'group')} ${notUpdated === 1 ? 'keeps' : 'keep'} the old version.`,
      help: ({ down, sufficientLimit }) =>
        `Get ${down === 1 ? 'it' : 'them'} ready first${sufficientLimit === undefined ? '' : `, or write maxUnavailable: ${sufficientLimit} for this change`}.`,
      suggestedFix: ({ sufficientLimit }) =>
        sufficientLimit === undefined
          ? suggestManualFix()
          : suggestManualFix(setField(toFieldPath`${LWS_CONFIGURATION_PATH}.maxUnavailable`, sufficientLimit)),
      sample: { down: 1, notUpdated: 3, maxUnavailable: 1, sufficientLimit: 2 },
      variants: [{ down: 2, notUpdated: 2, maxUnavailable: 1 }],
    }),
  },
});

/** Groups that keep the old version where those that are down never get ready; 0 where the rollout ends all the same. */
function countGroupsLeftBehind(rollout: GroupRollout): number {
  const { halted } = simulateGroups({ ...rollout, keepsUnready: true });
  return halted && halted.reason !== 'insufficient-capacity' ? halted.groups : 0;
}

/** The same rollout with so many groups that may be unavailable. */
function withMaxUnavailable(rollout: GroupRollout, unavailable: number): GroupRollout {
  const { limits, behaviour, leaderLimit } = rollout;
  const leaders = unavailable + (behaviour.leaderLimit === 'both-limits' ? limits.surge : 0);
  return { ...rollout, limits: { ...limits, unavailable }, leaderLimit: leaderLimit && (() => leaders) };
}

/** The least maxUnavailable that leaves a group running and with which nothing waits, of two that are likely. */
function findSufficientLimit(rollout: GroupRollout, down: number): number | undefined {
  const { replicas, surge, unavailable } = rollout.limits;
  return [unavailable + down, unavailable + surge + down].find(
    (candidate) => candidate < replicas && countGroupsLeftBehind(withMaxUnavailable(rollout, candidate)) === 0,
  );
}

/** Would a rollout wait for groups that were down before it, if its limits let one group go at a time? */
export function mustWaitOneByOne(rollout: GroupRollout): boolean {
  const unavailable = Math.max(0, 1 - rollout.limits.surge);
  return rollout.initialGroups?.some(({ ready }) => !ready) === true && countGroupsLeftBehind(withMaxUnavailable(rollout, unavailable)) > 0;
}

/** What is said where a rollout waits for groups that were down before it. */
export function checkWaitsForGroups(rollout: GroupRollout): Finding[] {
  const down = countGroups(rollout.initialGroups ?? [], ({ ready }) => !ready);
  const notUpdated = down === 0 ? 0 : countGroupsLeftBehind(rollout);
  if (notUpdated === 0) return [];
  const sufficientLimit = findSufficientLimit(rollout, down);
  const data = { down, notUpdated, maxUnavailable: rollout.limits.unavailable, ...(sufficientLimit !== undefined && { sufficientLimit }) };
  return [waitsForGroups.createFinding('waits', { path: toFieldPath`${LWS_CONFIGURATION_PATH}.maxUnavailable`, data })];
}
