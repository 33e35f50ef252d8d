import { byChoice, set } from '../../../core/advice';
import { deepEqual } from '../../../core/deep-equal';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { counted } from '../../../core/words';
import { SET_NAME } from '../../../workloads/leader-worker-set/rules/invalid-set';
import type { Role } from '../disaggregated-set';
import type { RefusedStep } from '../simulate';
import { rolesText } from './examples';

interface RoleData {
  readonly role: string;
}

interface LimitsData extends RoleData {
  readonly maxSurge: Seen;
  readonly maxUnavailable: Seen;
  /** With which it is refused. */
  readonly groups: number;
}

/** What is made of a role is refused. */
export const roleRefused = rule({
  code: 'lws/role-refused',
  since: '0.1.0',
  severity: 'error',
  fires: 'A DisaggregatedSet is stored, but the webhook of LeaderWorkerSet refuses what the controller makes of a role.',
  why:
    'The webhook of DisaggregatedSet looks at the type and the partition of a role alone. The controller makes a LeaderWorkerSet of each role, ' +
    'of no groups at first, and gives it more step by step; the one of the old version has fewer and fewer. The webhook of LeaderWorkerSet judges each ' +
    'of these numbers: with maxSurge 0 and maxUnavailable 25%, 4 groups may roll, and 1 group may not. ' +
    'The controller tries the same step again for good, and nothing but its log says so. Run in LeaderWorkerSet 0.9.',
  fix: 'Write a maxSurge of at least 1 for the role.',
  example: rolesText(4, 2, 'maxSurge: 0, maxUnavailable: 25%'),
  fixed: rolesText(4, 2, 'maxSurge: 1, maxUnavailable: 0'),
  messages: {
    limits: message<LimitsData>({
      text: ({ role, maxSurge, maxUnavailable, groups }) =>
        `On its way a LeaderWorkerSet of role ${JSON.stringify(role)} has ${counted(groups, 'group')}, of which maxSurge ${show(maxSurge)} ` +
        `and maxUnavailable ${show(maxUnavailable)} are both 0: its webhook refuses that, and all roles stop there for good.`,
      help: () =>
        'Write maxSurge: 1, which is a group more of any number. A LeaderWorkerSet that runs keeps the limits that it was made with.',
      advice: (_data, path) => byChoice(set(at`${path}.maxSurge`, 1)),
      sample: { role: 'prefill', maxSurge: 0, maxUnavailable: '25%', groups: 1 },
      variants: [{ role: 'prefill', maxSurge: 0, maxUnavailable: '25%', groups: 3 }],
    }),
    running: message<LimitsData>({
      text: ({ role, maxSurge, maxUnavailable, groups }) =>
        `The LeaderWorkerSet of role ${JSON.stringify(role)} that runs was made with maxSurge ${show(maxSurge)} and maxUnavailable ${show(maxUnavailable)}, ` +
        `which are both 0 of ${counted(groups, 'group')}: it can't be drained to that, and all roles stop there for good. No change of the DisaggregatedSet reaches it.`,
      help: () => 'Before the apply, write maxSurge: 1 into the LeaderWorkerSet itself.',
      sample: { role: 'prefill', maxSurge: 0, maxUnavailable: '25%', groups: 3 },
      variants: [{ role: 'prefill', maxSurge: 0, maxUnavailable: '25%', groups: 1 }],
    }),
    spec: message<RoleData>({
      text: ({ role }) =>
        `The DisaggregatedSet is stored, but the webhook of LeaderWorkerSet refuses what is made of role ${JSON.stringify(role)}: no role gets a group of this version.`,
      help: () => 'Mend what the other findings about this role name.',
      sample: { role: 'prefill' },
    }),
    name: message<RoleData & { readonly name: string }>({
      text: ({ role, name }) =>
        `The LeaderWorkerSet of role ${JSON.stringify(role)} is called ${JSON.stringify(name)}, with eight digits of its revision in the middle, which its webhook refuses: ` +
        'a name has up to 63 small letters, digits and dashes, and a letter first.',
      help: () => 'Write a shorter name for the set or the role, with a letter first.',
      sample: { role: 'prefill', name: '3-chat-00000000-prefill' },
    }),
  },
});

/** Eight digits stand for a revision. */
const REVISION = '00000000';

/** The name that the LeaderWorkerSet of a role gets. Source: lws pkg/utils/disaggregatedset/utils.go, `GenerateName`. */
export function roleNameFindings(setName: string, { name: role }: Pick<Role, 'name'>): Finding[] {
  const name = `${setName}-${REVISION}-${role}`;
  return setName === '' || SET_NAME.test(name) ? [] : [roleRefused.finding('name', { path: at`metadata.name`, data: { role, name } })];
}

/** What else is refused of a role's LeaderWorkerSet, whatever its groups are. */
export function roleSpecFinding({ name, path }: Role): Finding {
  return roleRefused.finding('spec', { path: at`${path}.spec.leaderWorkerTemplate`, data: { role: name } });
}

/** The step at which a rollout stops, for limits that come to nothing. */
export function refusedStepFindings(roles: readonly Role[], refused: RefusedStep | undefined): Finding[] {
  if (!refused) return [];
  const { role: index, groups, limits } = refused;
  const known = roles[index];
  const path = known ? at`${known.path}.spec.rolloutStrategy.rollingUpdateConfiguration` : at`spec.roles`;
  const data = { role: refused.name, maxSurge: seen(limits.maxSurge), maxUnavailable: seen(limits.maxUnavailable), groups };
  return [roleRefused.finding(known?.limits && deepEqual(known.limits, limits) ? 'limits' : 'running', { path, data })];
}
