import { suggestManualFix } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { SurgeObstacle } from '../../../cluster/workload';
import type { DisaggregatedSetSimulation } from '../../../core/simulations/disaggregatedset';
import { pluralize } from '../../../core/text-format';
import type { ParsedRole } from '../disaggregated-set';
import { formatRolesExample } from './examples';

interface OutageData {
  readonly role: string;
  readonly replicas: number;
  readonly unavailable: number;
  /** The first wave without a ready group. */
  readonly wave: number;
  /** Why its groups can't be replaced by surge. */
  readonly obstacle?: Extract<SurgeObstacle, 'insufficient-capacity'>;
}

/** A role without a ready group. */
export const rolesOutage = defineRule({
  code: 'lws/roles-outage',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires:
    'A role of a DisaggregatedSet has no ready group at some time of its rollout; ' +
    'an info for one group beside which there is no room for another.',
  why:
    'A request needs every role: prefill without decode serves nothing. A role without limits of its own gets a group more before one goes, ' +
    'but a configuration that leaves maxUnavailable out has 1 filled in, and then a role of one group is down for a time.',
  fix: 'Write `maxSurge: 1` with `maxUnavailable: 0` for the role, where there is room for a group more.',
  example: formatRolesExample(1, 1, 'maxUnavailable: 1'),
  fixedExample: formatRolesExample(1, 1, 'maxSurge: 1, maxUnavailable: 0'),
  messages: {
    outage: defineMessage<OutageData>({
      text: ({ role, replicas, unavailable, wave }) =>
        `Role "${role}" with ${pluralize(replicas, 'group')} and maxUnavailable ${unavailable} has no ready group at wave ${wave}, and the others serve nothing without it.`,
      help: ({ replicas, obstacle }) => {
        if (!obstacle) return 'Write maxSurge: 1 and maxUnavailable: 0 for it, where there is room for a group more.';
        return replicas === 1
          ? 'Nothing better can be written for one group, since there is no room for a second one beside it; ' +
              'two groups, once there is room for them, keep one ready.'
          : `Write a maxUnavailable below ${replicas} for it: there is no room for a group more.`;
      },
      // Whether there is room for a group more, somebody has to know.
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
 * The roles that are down for a time: those that may be, for they take others down with them.
 *
 * @param hasRoomToSurge would a role find room for a group more, as far as is known?
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
