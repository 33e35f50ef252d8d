import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { FieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { formatLwsExample } from './examples';

interface RoleData {
  /** The role in a DisaggregatedSet. */
  readonly role: string;
  readonly members: 'leaders' | 'workers';
}

const FIX_TEMPLATE_HELP = 'Fix the other findings about this template.';

const INVALID_NAME_EXAMPLE = formatLwsExample(3, '{ type: RollingUpdate }').replace('name: vllm\n', 'name: vLLM\n');

/** Reports a template that is stored although no StatefulSet can be created from it. */
export const templateRefused = defineRule({
  code: 'lws/template-refused',
  since: '0.1.0',
  severity: 'error',
  fires:
    'A template of a LeaderWorkerSet or DisaggregatedSet is stored, but the API server refuses the StatefulSet that the controller creates from it.',
  why:
    'The schema of the set checks only the types of the fields, so an apply succeeds. The controller then writes a StatefulSet for the leaders, ' +
    'and one for the workers of each new leader. The API server validates these like any other StatefulSet. A refused leader template leaves all groups unchanged. ' +
    'A refused worker template shows up when the first group is replaced: its leader starts, its workers never do, and the rollout deadlocks. ' +
    'A DisaggregatedSet creates new LeaderWorkerSets, takes its first step and deadlocks. ' +
    'Only an event (FailedCreate, FailedUpdate) and the log of the controller report it. Read in LeaderWorkerSet 0.9.',
  fix: 'Fix the findings of `kubernetes/invalid-workload` about the same template.',
  example: INVALID_NAME_EXAMPLE,
  fixedExample: formatLwsExample(3, '{ type: RollingUpdate }'),
  messages: {
    leaders: defineMessage<object>({
      text: () =>
        'The LeaderWorkerSet is stored, but the API server refuses the StatefulSet of the leaders that the controller creates from this template: ' +
        'no group is created or replaced.',
      help: () => FIX_TEMPLATE_HELP,
      sample: {},
    }),
    workers: defineMessage<object>({
      text: () =>
        'The LeaderWorkerSet is stored, but the API server refuses the StatefulSet of the workers that the controller creates from this template ' +
        'for each new group: the leader starts without workers, and the rollout deadlocks.',
      help: () => FIX_TEMPLATE_HELP,
      sample: {},
    }),
    role: defineMessage<RoleData>({
      text: ({ role, members }) =>
        `The DisaggregatedSet is stored, but the API server refuses the StatefulSet of the ${members} that is created from this template: ` +
        `no new group of role ${JSON.stringify(role)} becomes ready, and the rollout of all roles deadlocks at its first step.`,
      help: () => FIX_TEMPLATE_HELP,
      sample: { role: 'prefill', members: 'leaders' },
      variants: [{ role: 'decode', members: 'workers' }],
    }),
  },
});

/** Builds the finding for groups whose leaders or workers are refused. @param role the role of the groups, in a DisaggregatedSet */
export function reportTemplateRefused(path: FieldPath, members: RoleData['members'], role?: string): Finding {
  return role === undefined
    ? templateRefused.createFinding(members, { path, data: {} })
    : templateRefused.createFinding('role', { path, data: { role, members } });
}
