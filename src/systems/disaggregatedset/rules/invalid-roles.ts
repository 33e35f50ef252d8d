import { suggestManualFix, setField } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { isInt32 } from '../../../core/int-or-percent';
import { getFieldsAt, getListAt } from '../../../core/manifest';
import type { Manifest } from '../../../core/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/display-value';
import type { DisplayValue } from '../../../core/display-value';
import { validateSetChoices } from '../../../workloads/leader-worker-set/rules/invalid-set';
import { formatRolesExample } from './examples';

interface RoleData {
  readonly role: string;
}

/** What is refused of the roles of a DisaggregatedSet. */
export const invalidRoles = defineRule({
  code: 'lws/invalid-roles',
  since: '0.1.0',
  severity: 'error',
  fires: 'The CRD or the webhook of DisaggregatedSet refuses its roles.',
  why:
    'There are 2 to 10 roles, either all with groups or all without. The controller steps them together, ' +
    'so that no role may have a partition or another type of its own.',
  fix: 'Write what the message says.',
  example: formatRolesExample(4, 2, 'partition: 1'),
  fixedExample: formatRolesExample(4, 2, 'maxSurge: 1'),
  messages: {
    count: defineMessage<{ readonly roles: number }>({
      text: ({ roles }) => `There ${roles === 1 ? 'is 1 role' : `are ${roles} roles`}, and a DisaggregatedSet has 2 to 10 of them.`,
      help: () => 'Write at least 2 roles and at most 10; one alone is a LeaderWorkerSet.',
      sample: { roles: 1 },
      variants: [{ roles: 11 }],
    }),
    name: defineMessage<{ readonly name: DisplayValue }>({
      text: ({ name }) =>
        `The role's name is ${formatDisplayValue(name)}, which the API server refuses: it takes up to 63 small letters, digits and dashes.`,
      help: () => 'Write a name such as prefill, that no other role has.',
      sample: { name: 'Prefill' },
    }),
    duplicateName: defineMessage<RoleData>({
      text: ({ role }) =>
        `Another role is called ${JSON.stringify(role)} too, which the API server refuses: roles are told apart by their names.`,
      help: () => 'Write a name that no other role has.',
      sample: { role: 'decode' },
    }),
    mixed: defineMessage<RoleData>({
      text: ({ role }) => `Role "${role}" has no groups while others have some, which the API server refuses.`,
      help: () => 'Write replicas of at least 1 for every role, or 0 for every role.',
      sample: { role: 'decode' },
    }),
    partition: defineMessage<RoleData & { readonly partition: number }>({
      text: ({ role, partition }) =>
        `Role "${role}" has partition ${partition}, which the webhook refuses: the roles are stepped together.`,
      help: () => 'Leave the partition out.',
      suggestedFix: (_data, path) => suggestManualFix(setField(path, 0)),
      sample: { role: 'prefill', partition: 1 },
    }),
    type: defineMessage<RoleData & { readonly type: DisplayValue }>({
      text: ({ role, type }) => `Role "${role}" has type ${formatDisplayValue(type)}, which the webhook refuses: it takes RollingUpdate.`,
      help: () => 'Write RollingUpdate, or leave it out.',
      sample: { role: 'prefill', type: 'Recreate' },
    }),
  },
});

const MAX_ROLES = 10;
const ROLE_NAME_PATTERN = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function checkRole(role: unknown, index: number): Finding[] {
  const path = toFieldPath`spec.roles[${index}]`;
  const { name } = getFieldsAt({ role }, 'role');
  const roleName = toText(name);
  const { rolloutStrategy: _, ...spec } = getFieldsAt(role, 'spec');
  const { type, rollingUpdateConfiguration } = getFieldsAt(role, 'spec', 'rolloutStrategy');
  const { partition } = getFieldsAt({ rollingUpdateConfiguration }, 'rollingUpdateConfiguration');
  const typed = typeof type === 'string' && type !== '' && type !== 'RollingUpdate';
  return [
    ...(ROLE_NAME_PATTERN.test(roleName)
      ? []
      : [invalidRoles.createFinding('name', { path: toFieldPath`${path}.name`, data: { name: toDisplayValue(name) } })]),
    ...(typed
      ? [
          invalidRoles.createFinding('type', {
            path: toFieldPath`${path}.spec.rolloutStrategy.type`,
            data: { role: roleName, type: toDisplayValue(type) },
          }),
        ]
      : []),
    ...(isInt32(partition) && partition !== 0
      ? [
          invalidRoles.createFinding('partition', {
            path: toFieldPath`${path}.spec.rolloutStrategy.rollingUpdateConfiguration.partition`,
            data: { role: roleName, partition },
          }),
        ]
      : []),
    ...validateSetChoices(spec, toFieldPath`${path}.spec`),
  ];
}

/** The first role that has no groups while another has some. Left out counts as none: the rule of the CRD asks whether replicas are written. */
function checkMixedReplicas(roles: readonly unknown[]): Finding[] {
  const groups = roles.map((role) => getFieldsAt(role, 'spec').replicas);
  const without = groups.findIndex((replicas) => replicas === 0);
  if (without < 0 || groups.every((replicas) => replicas === 0)) return [];
  const role = toText(getFieldsAt({ role: roles[without] }, 'role').name);
  return [invalidRoles.createFinding('mixed', { path: toFieldPath`spec.roles[${without}].spec.replicas`, data: { role } })];
}

/** Roles that bear the name of one before them. */
function checkDuplicateNames(roles: readonly unknown[]): Finding[] {
  const names = roles.map((role) => toText(getFieldsAt({ role }, 'role').name));
  return names.flatMap((role, index) =>
    role === '' || names.indexOf(role) === index
      ? []
      : [invalidRoles.createFinding('duplicateName', { path: toFieldPath`spec.roles[${index}].name`, data: { role } })],
  );
}

/** What is refused of the roles. Source: lws api/disaggregatedset/v1 and pkg/webhooks/disaggregatedset, 0.9.0. */
export function checkInvalidRoles(object: Manifest): Finding[] {
  const roles = getListAt(object, 'spec', 'roles');
  const count = roles.length;
  const countFindings =
    count < 2 || count > MAX_ROLES ? [invalidRoles.createFinding('count', { path: toFieldPath`spec.roles`, data: { roles: count } })] : [];
  return [...countFindings, ...roles.flatMap(checkRole), ...checkDuplicateNames(roles), ...checkMixedReplicas(roles)];
}
