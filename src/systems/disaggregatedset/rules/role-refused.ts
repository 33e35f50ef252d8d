import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { isDeepEqual } from '../../../core/collections/deep-equal';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { pluralize } from '../../../core/text/text-format';
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
  /** Number of groups with which it is refused. */
  readonly groups: number;
}

/** Rule about a role with a LeaderWorkerSet that is refused. */
export const roleRefused = defineRule({
  code: 'lws/role-refused',
  since: '0.1.0',
  severity: 'error',
  fires:
    'A DisaggregatedSet is stored, but the webhook of LeaderWorkerSet refuses the LeaderWorkerSet that the controller creates for a role.',
  why:
    'The webhook of DisaggregatedSet checks only the type and the partition of a role. The controller creates a LeaderWorkerSet for each role, ' +
    'initially without groups, and adds groups step by step, while it scales down the old version. The webhook of LeaderWorkerSet validates each ' +
    'of these sizes: with maxSurge 0 and maxUnavailable 25%, it accepts 4 groups but refuses 1 group. ' +
    'The controller retries the same step forever, and only its log reports this. Observed with LeaderWorkerSet 0.9.',
  fix: 'Set maxSurge to at least 1 for the role.',
  example: formatRolesExample(4, 2, 'maxSurge: 0, maxUnavailable: 25%'),
  fixedExample: formatRolesExample(4, 2, 'maxSurge: 1, maxUnavailable: 0'),
  messages: {
    limits: defineMessage<LimitsData>({
      text: ({ role, maxSurge, maxUnavailable, groups }) =>
        `During the rollout, a LeaderWorkerSet of role ${JSON.stringify(role)} has ${pluralize(groups, 'group')}, for which maxSurge ${formatDisplayValue(maxSurge)} ` +
        `and maxUnavailable ${formatDisplayValue(maxUnavailable)} both resolve to 0. Its webhook refuses that, so the rollout of all roles deadlocks there.`,
      help: () =>
        'Set maxSurge: 1, which is one extra group for any number of groups. A running LeaderWorkerSet keeps the limits that it was created with.',
      suggestedFix: (_data, path) => suggestManualFix(setField(toFieldPath`${path}.maxSurge`, 1)),
      sample: { role: 'prefill', maxSurge: 0, maxUnavailable: '25%', groups: 1 },
      variants: [{ role: 'prefill', maxSurge: 0, maxUnavailable: '25%', groups: 3 }],
    }),
    running: defineMessage<LimitsData>({
      text: ({ role, maxSurge, maxUnavailable, groups }) =>
        `The running LeaderWorkerSet of role ${JSON.stringify(role)} was created with maxSurge ${formatDisplayValue(maxSurge)} and maxUnavailable ${formatDisplayValue(maxUnavailable)}, ` +
        `which both resolve to 0 for ${pluralize(groups, 'group')}. It can't be scaled down to that size, so the rollout of all roles deadlocks there. ` +
        'A change of the DisaggregatedSet does not update its limits.',
      help: () => 'Before the apply, set maxSurge: 1 in the LeaderWorkerSet itself.',
      sample: { role: 'prefill', maxSurge: 0, maxUnavailable: '25%', groups: 3 },
      variants: [{ role: 'prefill', maxSurge: 0, maxUnavailable: '25%', groups: 1 }],
    }),
    spec: defineMessage<RoleData>({
      text: ({ role }) =>
        `The DisaggregatedSet is stored, but the webhook of LeaderWorkerSet refuses the LeaderWorkerSet of role ${JSON.stringify(role)}, so no role gets a group of this version.`,
      help: () => 'Fix the other findings about this role.',
      sample: { role: 'prefill' },
    }),
    name: defineMessage<RoleData & { readonly name: string }>({
      text: ({ role, name }) =>
        `The LeaderWorkerSet of role ${JSON.stringify(role)} is named ${JSON.stringify(name)}, with eight digits of its revision in the middle, which its webhook refuses: ` +
        'a name has up to 63 lower-case letters, digits and dashes, and starts with a letter.',
      help: () => 'Use a shorter name for the set or the role. The name of the set must start with a letter.',
      sample: { role: 'prefill', name: '3-chat-00000000-prefill' },
    }),
  },
});

/** Eight digits in place of a revision. */
const SAMPLE_REVISION = '00000000';

/** Checks the name of a role's LeaderWorkerSet. Source: lws pkg/utils/disaggregatedset/utils.go, `GenerateName`. */
export function checkRoleName(setName: string, { name: role }: Pick<ParsedRole, 'name'>): Finding[] {
  const name = `${setName}-${SAMPLE_REVISION}-${role}`;
  return setName === '' || LWS_NAME_PATTERN.test(name)
    ? []
    : [roleRefused.createFinding('name', { path: toFieldPath`metadata.name`, data: { role, name } })];
}

/** Creates the finding about a role with a LeaderWorkerSet that is refused with any number of groups. */
export function createRoleSpecFinding({ name, path }: ParsedRole): Finding {
  return roleRefused.createFinding('spec', { path: toFieldPath`${path}.spec.leaderWorkerTemplate`, data: { role: name } });
}

/** Reports the step at which a rollout deadlocks because limits resolve to 0. */
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
