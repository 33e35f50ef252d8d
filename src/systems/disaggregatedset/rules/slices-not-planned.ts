import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { getListAt, getValueAt } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { toSafeText } from '../../../core/text/value-text';
import { formatRolesExample } from './examples';

interface SlicesData {
  readonly slices: number;
}

interface ScalingData {
  readonly role: string;
}

/** Rule about numbers of groups that the roles themselves do not say. */
export const slicesNotPlanned = defineRule({
  code: 'lws/slices-not-planned',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A DisaggregatedSet has several slices, or a role that is scaled by a DisaggregatedSetRoleScaler.',
  why:
    'Each slice is a copy of all roles and rolls out on its own, and a scaler decides the groups of its role. ' +
    'The plan would show too few pods. Source: lws 0.10.0 api/disaggregatedset/v1/disaggregatedset_types.go.',
  fix: 'Plan with one slice and with the replicas in the roles, and multiply the pods by the slices.',
  example: `# rolloutkit plan --versions lws=0.10 chat.yaml\n${formatRolesExample(2, 1)}  slices: 2\n`,
  fixedExample: `# rolloutkit plan --versions lws=0.10 chat.yaml\n${formatRolesExample(2, 1)}  slices: 1\n`,
  messages: {
    slices: defineMessage<SlicesData>({
      text: ({ slices }) =>
        `The set has ${slices} slices, and each of them rolls out on its own: the plan shows no rows, and capacity is not checked.`,
      help: () => 'Plan with one slice, and multiply its pods.',
      sample: { slices: 2 },
    }),
    scaling: defineMessage<ScalingData>({
      text: ({ role }) =>
        `A DisaggregatedSetRoleScaler decides the groups of role "${role}": the plan shows no rows, and capacity is not checked.`,
      help: () => 'Plan with scaling.mode Static, and with the replicas that the role has.',
      sample: { role: 'decode' },
    }),
  },
});

/** Returns the number of copies of the roles. Versions before 0.10 drop the field. */
export function countSlices(object: Manifest): number {
  const slices = getValueAt(object, 'spec', 'slices');
  return typeof slices === 'number' ? slices : 1;
}

/** Reports slices, and roles whose number of groups another object decides. */
export function checkSlicesNotPlanned(object: Manifest): Finding[] {
  const slices = countSlices(object);
  const path = toFieldPath`spec.slices`;
  const ofSlices = slices === 1 ? [] : [slicesNotPlanned.createFinding('slices', { path, data: { slices } })];
  const ofRoles = getListAt(object, 'spec', 'roles').flatMap((role, index) => {
    if (getValueAt(role, 'scaling', 'mode') !== 'External') return [];
    const data = { role: toSafeText(getValueAt(role, 'name')) };
    return [slicesNotPlanned.createFinding('scaling', { path: toFieldPath`spec.roles[${index}].scaling.mode`, data })];
  });
  return [...ofSlices, ...ofRoles];
}
