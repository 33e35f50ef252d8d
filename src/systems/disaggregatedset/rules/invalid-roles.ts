import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isInt32 } from '../../../core/values/int-or-percent';
import { getFieldsAt, getListAt } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import type { LwsBehaviour } from '../../../workloads/leader-worker-set/versions';
import { validateSetChoices } from '../../../workloads/leader-worker-set/rules/invalid-set';
import { formatRolesExample } from './examples';

interface RoleData {
  readonly role: string;
}

/** Rule about roles of a DisaggregatedSet that are refused. */
export const invalidRoles = defineRule({
  code: 'lws/invalid-roles',
  since: '0.1.0',
  severity: 'error',
  fires: 'The CRD or the webhook of DisaggregatedSet refuses its roles.',
  why:
    'A DisaggregatedSet has 2 to 10 roles, either all with groups or all without. The controller updates them together, ' +
    'so no role can have its own partition or type.',
  fix: 'Change the field that the message names.',
  example: formatRolesExample(4, 2, 'partition: 1'),
  fixedExample: formatRolesExample(4, 2, 'maxSurge: 1'),
  messages: {
    count: defineMessage<{ readonly roles: number }>({
      text: ({ roles }) => `There ${roles === 1 ? 'is 1 role' : `are ${roles} roles`}, but a DisaggregatedSet must have 2 to 10.`,
      help: () => 'Define 2 to 10 roles. For a single role, use a LeaderWorkerSet.',
      sample: { roles: 1 },
      variants: [{ roles: 11 }],
    }),
    name: defineMessage<{ readonly name: DisplayValue }>({
      text: ({ name }) =>
        `The role's name is ${formatDisplayValue(name)}, which the API server refuses: a name has up to 63 lower-case letters, digits and dashes.`,
      help: () => 'Use a unique name such as prefill.',
      sample: { name: 'Prefill' },
    }),
    duplicateName: defineMessage<RoleData>({
      text: ({ role }) => `Another role is also named ${JSON.stringify(role)}, which the API server refuses: role names must be unique.`,
      help: () => 'Use a name that no other role has.',
      sample: { role: 'decode' },
    }),
    mixed: defineMessage<RoleData>({
      text: ({ role }) => `Role "${role}" has no groups but other roles do, which the API server refuses.`,
      help: () => 'Set replicas to at least 1 for every role, or to 0 for every role.',
      sample: { role: 'decode' },
    }),
    partition: defineMessage<RoleData & { readonly partition: number }>({
      text: ({ role, partition }) =>
        `Role "${role}" has partition ${partition}, which the webhook refuses: all roles are updated together.`,
      help: () => 'Delete the partition.',
      suggestedFix: (_data, path) => suggestManualFix(setField(path, 0)),
      sample: { role: 'prefill', partition: 1 },
    }),
    type: defineMessage<RoleData & { readonly type: DisplayValue }>({
      text: ({ role, type }) =>
        `Role "${role}" has type ${formatDisplayValue(type)}, which the webhook refuses: it accepts only RollingUpdate.`,
      help: () => 'Set the type to RollingUpdate, or delete it.',
      sample: { role: 'prefill', type: 'Recreate' },
    }),
  },
});

const MAX_ROLES = 10;
const ROLE_NAME_PATTERN = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function checkRole(role: unknown, index: number, behaviour: LwsBehaviour): Finding[] {
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
    ...validateSetChoices(spec, toFieldPath`${path}.spec`, behaviour),
  ];
}

/**
 * Reports the first role with 0 replicas if another role has groups.
 *
 * Missing replicas count as groups, as in the validation rule of the CRD.
 */
function checkMixedReplicas(roles: readonly unknown[]): Finding[] {
  const groups = roles.map((role) => getFieldsAt(role, 'spec').replicas);
  const without = groups.findIndex((replicas) => replicas === 0);
  if (without < 0 || groups.every((replicas) => replicas === 0)) return [];
  const role = toText(getFieldsAt({ role: roles[without] }, 'role').name);
  return [invalidRoles.createFinding('mixed', { path: toFieldPath`spec.roles[${without}].spec.replicas`, data: { role } })];
}

/** Reports roles with the name of an earlier role. */
function checkDuplicateNames(roles: readonly unknown[]): Finding[] {
  const names = roles.map((role) => toText(getFieldsAt({ role }, 'role').name));
  return names.flatMap((role, index) =>
    role === '' || names.indexOf(role) === index
      ? []
      : [invalidRoles.createFinding('duplicateName', { path: toFieldPath`spec.roles[${index}].name`, data: { role } })],
  );
}

/** Reports roles that are refused. Source: lws api/disaggregatedset/v1 and pkg/webhooks/disaggregatedset, 0.9.0. */
export function checkInvalidRoles(object: Manifest, behaviour: LwsBehaviour): Finding[] {
  const roles = getListAt(object, 'spec', 'roles');
  const count = roles.length;
  const countFindings =
    count < 2 || count > MAX_ROLES ? [invalidRoles.createFinding('count', { path: toFieldPath`spec.roles`, data: { roles: count } })] : [];
  return [
    ...countFindings,
    ...roles.flatMap((role, index) => checkRole(role, index, behaviour)),
    ...checkDuplicateNames(roles),
    ...checkMixedReplicas(roles),
  ];
}
