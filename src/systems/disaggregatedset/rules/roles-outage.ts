import { suggestManualFix } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { SurgeObstacle } from '../../../cluster/rollout/workload';
import type { DisaggregatedSetSimulation } from '../../../core/simulations/disaggregatedset';
import { pluralize } from '../../../core/text/text-format';
import type { ParsedRole } from '../disaggregated-set';
import { formatRolesExample } from './examples';

interface OutageData {
  readonly role: string;
  readonly replicas: number;
  readonly unavailable: number;
  /** The first wave without a ready group. */
  readonly wave: number;
  /** Reason why its groups can't be replaced with a surge. */
  readonly obstacle?: Extract<SurgeObstacle, 'insufficient-capacity'>;
}

/** Rule about a role without a ready group. */
export const rolesOutage = defineRule({
  code: 'lws/roles-outage',
  since: '0.1.0',
  severity: ['warning', 'info', 'error'],
  fires: 'A role of a DisaggregatedSet has no ready group at some point during its rollout.',
  why:
    'A request needs every role: prefill without decode serves nothing. A role without limits of its own gets an extra group before one is deleted. ' +
    'But a configuration without maxUnavailable defaults to 1, and a role with one group is then temporarily down. ' +
    'It is an info if the role has one group and there is no capacity for a second one, ' +
    'and an error if a change brings it: the rollouts of OLD keep each role ready.',
  fix: 'Set `maxSurge: 1` and `maxUnavailable: 0` for the role, if there is capacity for an extra group.',
  example: formatRolesExample(1, 1, 'maxUnavailable: 1'),
  fixedExample: formatRolesExample(1, 1, 'maxSurge: 1, maxUnavailable: 0'),
  messages: {
    outage: defineMessage<OutageData>({
      text: ({ role, replicas, unavailable, wave }) =>
        `Role "${role}" with ${pluralize(replicas, 'group')} and maxUnavailable ${unavailable} has no ready group at wave ${wave}, and the other roles serve nothing without it.`,
      help: ({ replicas, obstacle }) => {
        if (!obstacle) return 'Set maxSurge: 1 and maxUnavailable: 0 for the role, if there is capacity for an extra group.';
        return replicas === 1
          ? 'No limits avoid this with one group, because there is no capacity for a second one. ' +
              'Add capacity and run two groups, so that one stays ready.'
          : `Set a maxUnavailable below ${replicas} for the role, because there is no capacity for an extra group.`;
      },
      // The fix is manual because the user must know whether an extra group fits.
      suggestedFix: ({ replicas, obstacle }) => (obstacle && replicas === 1 ? undefined : suggestManualFix()),
      sample: { role: 'prefill', replicas: 1, unavailable: 1, wave: 1 },
      variants: [
        { role: 'prefill', replicas: 1, unavailable: 1, wave: 1, obstacle: 'insufficient-capacity' },
        { role: 'prefill', replicas: 2, unavailable: 2, wave: 1, obstacle: 'insufficient-capacity' },
      ],
    }),
  },
});

/**
 * Reports the roles that are temporarily down.
 *
 * If a role is allowed to be unavailable, only such roles are reported, since they also take down the others.
 *
 * @param hasCapacityToSurge reports whether an extra group of a role fits, if known
 */
export function checkRolesOutage(
  roles: readonly ParsedRole[],
  { waves }: DisaggregatedSetSimulation,
  hasCapacityToSurge: (role: number) => boolean,
): Finding[] {
  const mayBeDown = roles.some(({ unavailable }) => unavailable > 0);
  return roles.flatMap(({ name, replicas, unavailable, path }, index) => {
    if (mayBeDown && unavailable === 0) return [];
    const down = waves.find((wave) => wave.roles[index]!.available === 0);
    if (!down || replicas === 0) return [];
    const obstacle: OutageData['obstacle'] = hasCapacityToSurge(index) ? undefined : 'insufficient-capacity';
    const severity = obstacle && replicas === 1 ? 'info' : 'warning';
    const data = { role: name, replicas, unavailable, wave: down.wave, ...(obstacle && { obstacle }) };
    return [
      rolesOutage.createFinding('outage', { path: toFieldPath`${path}.spec.rolloutStrategy.rollingUpdateConfiguration`, severity, data }),
    ];
  });
}
