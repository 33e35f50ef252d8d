import { byChoice, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { counted } from '../../../core/words';
import { countOf } from '../../../workloads/leader-worker-set/groups';
import { limitsText, setText } from '../../../workloads/leader-worker-set/rules/examples';
import { simulateGroups } from '../../../workloads/leader-worker-set/simulate';
import type { GroupRollout } from '../../../workloads/leader-worker-set/simulate';
import { CONFIGURATION_PATH } from '../../../workloads/leader-worker-set/strategy';

interface WaitsData {
  /** Groups that are not ready before the apply. */
  readonly down: number;
  /** Groups that keep the old version while those are. */
  readonly kept: number;
  readonly maxUnavailable: number;
  /** A maxUnavailable with which the rollout goes past them; absent where none leaves a group running. */
  readonly enough?: number;
}

const LIVE = `${setText(3, limitsText('maxUnavailable: 1'), 1).replace('name: llama', 'name: llama\n  uid: 5b5b1a3e-0000-4000-8000-000000000001')}status:
  replicas: 3
  updatedReplicas: 2
  readyReplicas: 2
  conditions: [{ type: UpdateInProgress, status: "True" }]
`;

const NEW = setText(3, limitsText('maxUnavailable: 1'), 1).replace('v0.11.0', 'v0.11.1');

/** Groups that were down before use up what may be unavailable. */
export const waitsForGroups = rule({
  code: 'lws/waits-for-groups',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'A LeaderWorkerSet of a cluster gets a new version while groups are not ready that are not the first to be replaced, and maxUnavailable is used up by them.',
  why:
    'The controller goes down from the highest group and counts every group below that is not ready as unavailable. Where those use up maxUnavailable ' +
    'it waits for them, though they have an older version: if they are broken, neither the new version nor the way back reaches a group, and there is no deadline.',
  fix: 'Get those groups ready first, or raise `maxUnavailable` by as many for this change.',
  example: `# rolloutkit plan --from old.yaml new.yaml\n# old.yaml\n${LIVE}# new.yaml\n${NEW}`,
  fixed: `# rolloutkit plan --from old.yaml new.yaml\n# old.yaml\n${LIVE.replace('readyReplicas: 2', 'readyReplicas: 3')}# new.yaml\n${NEW}`,
  messages: {
    waits: message<WaitsData>({
      text: ({ down, kept, maxUnavailable }) =>
        `${counted(down, 'group')} ${down === 1 ? 'is' : 'are'} not ready and ${down === 1 ? 'uses' : 'use'} up maxUnavailable, which comes to ${maxUnavailable}: ` +
        `until ${down === 1 ? 'it is' : 'they are'} ready ${counted(kept, 'group')} ${kept === 1 ? 'keeps' : 'keep'} the old version.`,
      help: ({ down, enough }) =>
        `Get ${down === 1 ? 'it' : 'them'} ready first${enough === undefined ? '' : `, or write maxUnavailable: ${enough} for this change`}.`,
      advice: ({ enough }) => (enough === undefined ? byChoice() : byChoice(set(at`${CONFIGURATION_PATH}.maxUnavailable`, enough))),
      sample: { down: 1, kept: 3, maxUnavailable: 1, enough: 2 },
      variants: [{ down: 2, kept: 2, maxUnavailable: 1 }],
    }),
  },
});

/** Groups that keep the old version where those that are down never get ready; 0 where the rollout ends all the same. */
function keptBehind(rollout: GroupRollout): number {
  const { halted } = simulateGroups({ ...rollout, staysDown: true });
  return halted && halted.reason !== 'no-room' ? halted.groups : 0;
}

/** The same rollout with so many groups that may be unavailable. */
function withUnavailable(rollout: GroupRollout, unavailable: number): GroupRollout {
  const { limits, behaviour, leaderLimit } = rollout;
  const leaders = unavailable + (behaviour.leaderLimit === 'both-limits' ? limits.surge : 0);
  return { ...rollout, limits: { ...limits, unavailable }, leaderLimit: leaderLimit && (() => leaders) };
}

/** The least maxUnavailable that leaves a group running and with which nothing waits, of two that are likely. */
function enoughOf(rollout: GroupRollout, down: number): number | undefined {
  const { replicas, surge, unavailable } = rollout.limits;
  return [unavailable + down, unavailable + surge + down].find(
    (candidate) => candidate < replicas && keptBehind(withUnavailable(rollout, candidate)) === 0,
  );
}

/** Would a rollout wait for groups that were down before it, if its limits let one group go at a time? */
export function waitsOneByOne(rollout: GroupRollout): boolean {
  const unavailable = Math.max(0, 1 - rollout.limits.surge);
  return rollout.groups?.some(({ ready }) => !ready) === true && keptBehind(withUnavailable(rollout, unavailable)) > 0;
}

/** What is said where a rollout waits for groups that were down before it. */
export function waitingFindings(rollout: GroupRollout): Finding[] {
  const down = countOf(rollout.groups ?? [], ({ ready }) => !ready);
  const kept = down === 0 ? 0 : keptBehind(rollout);
  if (kept === 0) return [];
  const enough = enoughOf(rollout, down);
  const data = { down, kept, maxUnavailable: rollout.limits.unavailable, ...(enough !== undefined && { enough }) };
  return [waitsForGroups.finding('waits', { path: at`${CONFIGURATION_PATH}.maxUnavailable`, data })];
}
