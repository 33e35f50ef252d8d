import { byChoice, set } from '../../../core/advice';
import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { isInt32 } from '../../../core/int-or-percent';
import { fieldsAt, listAt } from '../../../core/manifest';
import type { Manifest } from '../../../core/manifest';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { choiceFindings } from '../../../workloads/leader-worker-set/rules/invalid-set';
import { rolesText } from './examples';

interface RoleData {
  readonly role: string;
}

/** What is refused of the roles of a DisaggregatedSet. */
export const invalidRoles = rule({
  code: 'lws/invalid-roles',
  since: '0.1.0',
  severity: 'error',
  fires: 'The CRD or the webhook of DisaggregatedSet refuses its roles.',
  why:
    'There are 2 to 10 roles, either all with groups or all without. The controller steps them together, ' +
    'so that no role may have a partition or another type of its own.',
  fix: 'Write what the message says.',
  example: rolesText(4, 2, 'partition: 1'),
  fixed: rolesText(4, 2, 'maxSurge: 1'),
  messages: {
    count: message<{ readonly roles: number }>({
      text: ({ roles }) => `There ${roles === 1 ? 'is 1 role' : `are ${roles} roles`}, and a DisaggregatedSet has 2 to 10 of them.`,
      help: () => 'Write at least 2 roles and at most 10; one alone is a LeaderWorkerSet.',
      sample: { roles: 1 },
      variants: [{ roles: 11 }],
    }),
    name: message<{ readonly name: Seen }>({
      text: ({ name }) =>
        `The role's name is ${show(name)}, which the API server refuses: it takes up to 63 small letters, digits and dashes.`,
      help: () => 'Write a name such as prefill, that no other role has.',
      sample: { name: 'Prefill' },
    }),
    twice: message<RoleData>({
      text: ({ role }) =>
        `Another role is called ${JSON.stringify(role)} too, which the API server refuses: roles are told apart by their names.`,
      help: () => 'Write a name that no other role has.',
      sample: { role: 'decode' },
    }),
    mixed: message<RoleData>({
      text: ({ role }) => `Role "${role}" has no groups while others have some, which the API server refuses.`,
      help: () => 'Write replicas of at least 1 for every role, or 0 for every role.',
      sample: { role: 'decode' },
    }),
    partition: message<RoleData & { readonly partition: number }>({
      text: ({ role, partition }) =>
        `Role "${role}" has partition ${partition}, which the webhook refuses: the roles are stepped together.`,
      help: () => 'Leave the partition out.',
      advice: (_data, path) => byChoice(set(path, 0)),
      sample: { role: 'prefill', partition: 1 },
    }),
    type: message<RoleData & { readonly type: Seen }>({
      text: ({ role, type }) => `Role "${role}" has type ${show(type)}, which the webhook refuses: it takes RollingUpdate.`,
      help: () => 'Write RollingUpdate, or leave it out.',
      sample: { role: 'prefill', type: 'Recreate' },
    }),
  },
});

const MOST_ROLES = 10;
const NAME = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function roleFindings(role: unknown, index: number): Finding[] {
  const path = at`spec.roles[${index}]`;
  const { name } = fieldsAt({ role }, 'role');
  const known = textOf(name);
  const { rolloutStrategy: _, ...spec } = fieldsAt(role, 'spec');
  const { type, rollingUpdateConfiguration } = fieldsAt(role, 'spec', 'rolloutStrategy');
  const { partition } = fieldsAt({ rollingUpdateConfiguration }, 'rollingUpdateConfiguration');
  const typed = typeof type === 'string' && type !== '' && type !== 'RollingUpdate';
  return [
    ...(NAME.test(known) ? [] : [invalidRoles.finding('name', { path: at`${path}.name`, data: { name: seen(name) } })]),
    ...(typed
      ? [invalidRoles.finding('type', { path: at`${path}.spec.rolloutStrategy.type`, data: { role: known, type: seen(type) } })]
      : []),
    ...(isInt32(partition) && partition !== 0
      ? [
          invalidRoles.finding('partition', {
            path: at`${path}.spec.rolloutStrategy.rollingUpdateConfiguration.partition`,
            data: { role: known, partition },
          }),
        ]
      : []),
    ...choiceFindings(spec, at`${path}.spec`),
  ];
}

/** The first role that has no groups while another has some. Left out counts as none: the rule of the CRD asks whether replicas are written. */
function mixedFindings(roles: readonly unknown[]): Finding[] {
  const groups = roles.map((role) => fieldsAt(role, 'spec').replicas);
  const without = groups.findIndex((replicas) => replicas === 0);
  if (without < 0 || groups.every((replicas) => replicas === 0)) return [];
  const role = textOf(fieldsAt({ role: roles[without] }, 'role').name);
  return [invalidRoles.finding('mixed', { path: at`spec.roles[${without}].spec.replicas`, data: { role } })];
}

/** Roles that bear the name of one before them. */
function namedTwiceFindings(roles: readonly unknown[]): Finding[] {
  const names = roles.map((role) => textOf(fieldsAt({ role }, 'role').name));
  return names.flatMap((role, index) =>
    role === '' || names.indexOf(role) === index
      ? []
      : [invalidRoles.finding('twice', { path: at`spec.roles[${index}].name`, data: { role } })],
  );
}

/** What is refused of the roles. Source: lws api/disaggregatedset/v1 and pkg/webhooks/disaggregatedset, 0.9.0. */
export function invalidRolesFindings(object: Manifest): Finding[] {
  const roles = listAt(object, 'spec', 'roles');
  const count = roles.length;
  const counted = count < 2 || count > MOST_ROLES ? [invalidRoles.finding('count', { path: at`spec.roles`, data: { roles: count } })] : [];
  return [...counted, ...roles.flatMap(roleFindings), ...namedTwiceFindings(roles), ...mixedFindings(roles)];
}
