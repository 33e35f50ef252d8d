import { suggestManualFix, setField } from '../../../core/suggested-fix';
import { isDeepEqual } from '../../../core/deep-equal';
import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { toDisplayValue, formatDisplayValue } from '../../../core/display-value';
import type { DisplayValue } from '../../../core/display-value';
import { pluralize } from '../../../core/text-format';
import { LWS_NAME_PATTERN } from '../../../workloads/leader-worker-set/rules/invalid-set';
import type { ParsedRole } from '../disaggregated-set';
import type { RejectedStep } from '../simulate';
import { formatRolesExample } from './examples';

interface RoleData {
  readonly role: string;
}

interface LimitsData extends RoleData {
  readonly maxSurge: DisplayValue;
  readonly maxUnavailable: DisplayValue;
  /** With which it is refused. */
  readonly groups: number;
}

/** What is made of a role is refused. */
export const roleRefused = defineRule({
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
  example: formatRolesExample(4, 2, 'maxSurge: 0, maxUnavailable: 25%'),
  fixedExample: formatRolesExample(4, 2, 'maxSurge: 1, maxUnavailable: 0'),
  messages: {
    limits: defineMessage<LimitsData>({
      text: ({ role, maxSurge, maxUnavailable, groups }) =>
        `On its way a LeaderWorkerSet of role ${JSON.stringify(role)} has ${pluralize(groups, 'group')}, of which maxSurge ${formatDisplayValue(maxSurge)} ` +
        `and maxUnavailable ${formatDisplayValue(maxUnavailable)} are both 0: its webhook refuses that, and all roles stop there for good.`,
      help: () =>
        'Write maxSurge: 1, which is a group more of any number. A LeaderWorkerSet that runs keeps the limits that it was made with.',
      suggestedFix: (_data, path) => suggestManualFix(setField(toFieldPath`${path}.maxSurge`, 1)),
      sample: { role: 'prefill', maxSurge: 0, maxUnavailable: '25%', groups: 1 },
      variants: [{ role: 'prefill', maxSurge: 0, maxUnavailable: '25%', groups: 3 }],
    }),
    running: defineMessage<LimitsData>({
      text: ({ role, maxSurge, maxUnavailable, groups }) =>
        `The LeaderWorkerSet of role ${JSON.stringify(role)} that runs was made with maxSurge ${formatDisplayValue(maxSurge)} and maxUnavailable ${formatDisplayValue(maxUnavailable)}, ` +
        `which are both 0 of ${pluralize(groups, 'group')}: it can't be drained to that, and all roles stop there for good. No change of the DisaggregatedSet reaches it.`,
      help: () => 'Before the apply, write maxSurge: 1 into the LeaderWorkerSet itself.',
      sample: { role: 'prefill', maxSurge: 0, maxUnavailable: '25%', groups: 3 },
      variants: [{ role: 'prefill', maxSurge: 0, maxUnavailable: '25%', groups: 1 }],
    }),
    spec: defineMessage<RoleData>({
      text: ({ role }) =>
        `The DisaggregatedSet is stored, but the webhook of LeaderWorkerSet refuses what is made of role ${JSON.stringify(role)}: no role gets a group of this version.`,
      help: () => 'Mend what the other findings about this role name.',
      sample: { role: 'prefill' },
    }),
    name: defineMessage<RoleData & { readonly name: string }>({
      text: ({ role, name }) =>
        `The LeaderWorkerSet of role ${JSON.stringify(role)} is called ${JSON.stringify(name)}, with eight digits of its revision in the middle, which its webhook refuses: ` +
        'a name has up to 63 small letters, digits and dashes, and a letter first.',
      help: () => 'Write a shorter name for the set or the role, with a letter first.',
      sample: { role: 'prefill', name: '3-chat-00000000-prefill' },
    }),
  },
});

/** Eight digits stand for a revision. */
const SAMPLE_REVISION = '00000000';

/** The name that the LeaderWorkerSet of a role gets. Source: lws pkg/utils/disaggregatedset/utils.go, `GenerateName`. */
export function checkRoleName(setName: string, { name: role }: Pick<ParsedRole, 'name'>): Finding[] {
  const name = `${setName}-${SAMPLE_REVISION}-${role}`;
  return setName === '' || LWS_NAME_PATTERN.test(name)
    ? []
    : [roleRefused.createFinding('name', { path: toFieldPath`metadata.name`, data: { role, name } })];
}

/** What else is refused of a role's LeaderWorkerSet, whatever its groups are. */
export function createRoleSpecFinding({ name, path }: ParsedRole): Finding {
  return roleRefused.createFinding('spec', { path: toFieldPath`${path}.spec.leaderWorkerTemplate`, data: { role: name } });
}

/** The step at which a rollout stops, for limits that come to nothing. */
export function checkRoleRefused(roles: readonly ParsedRole[], rejectedStep: RejectedStep | undefined): Finding[] {
  if (!rejectedStep) return [];
  const { role: index, groups, limits } = rejectedStep;
  const currentRole = roles[index];
  const path = currentRole ? toFieldPath`${currentRole.path}.spec.rolloutStrategy.rollingUpdateConfiguration` : toFieldPath`spec.roles`;
  const data = {
    role: rejectedStep.name,
    maxSurge: toDisplayValue(limits.maxSurge),
    maxUnavailable: toDisplayValue(limits.maxUnavailable),
    groups,
  };
  return [roleRefused.createFinding(currentRole?.limits && isDeepEqual(currentRole.limits, limits) ? 'limits' : 'running', { path, data })];
}
