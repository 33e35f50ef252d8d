import { defineMessage, defineRule } from '../../../core/finding';
import type { FieldPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { formatLwsExample } from './examples';

interface RoleData {
  /** Of a DisaggregatedSet. */
  readonly role: string;
  readonly members: 'leaders' | 'workers';
}

const FIX_TEMPLATE_HELP = 'Mend what the other findings about this template name.';

const INVALID_NAME_EXAMPLE = formatLwsExample(3, '{ type: RollingUpdate }').replace('name: vllm\n', 'name: vLLM\n');

/** A template that is stored, and of which no StatefulSet can be made. */
export const templateRefused = defineRule({
  code: 'lws/template-refused',
  since: '0.1.0',
  severity: 'error',
  fires:
    'A template of a LeaderWorkerSet or DisaggregatedSet is stored, but the API server refuses the StatefulSet that the controller makes of it.',
  why:
    'The schema of the set looks at the types of the fields alone, so that an apply succeeds. The controller then writes a StatefulSet of the leaders, ' +
    'and for each new leader one of its workers, and these are validated as any other. A refused template of the leaders leaves all groups as they are. ' +
    'One of the workers is noticed when the first group is made anew: its leader starts, its workers never do, and the rollout waits for that group for good. ' +
    'A DisaggregatedSet makes new LeaderWorkerSets, takes its first step and waits for it for good. ' +
    'Nothing but an event (FailedCreate, FailedUpdate) and the log of the controller says so. Read in LeaderWorkerSet 0.9.',
  fix: 'Mend what the findings of `kubernetes/invalid-workload` about the same template name.',
  example: INVALID_NAME_EXAMPLE,
  fixedExample: formatLwsExample(3, '{ type: RollingUpdate }'),
  messages: {
    leaders: defineMessage<object>({
      text: () =>
        'The LeaderWorkerSet is stored, but the API server refuses the StatefulSet of the leaders that the controller writes with this template: ' +
        'no group is made or replaced.',
      help: () => FIX_TEMPLATE_HELP,
      sample: {},
    }),
    workers: defineMessage<object>({
      text: () =>
        'The LeaderWorkerSet is stored, but the API server refuses the StatefulSet of the workers that the controller makes of this template ' +
        'for each group that is made anew: the leader starts without workers, and the rollout stops there for good.',
      help: () => FIX_TEMPLATE_HELP,
      sample: {},
    }),
    role: defineMessage<RoleData>({
      text: ({ role, members }) =>
        `The DisaggregatedSet is stored, but the API server refuses the StatefulSet of the ${members} that is made of this template: ` +
        `no new group of role ${JSON.stringify(role)} gets ready, and the rollout of all roles stops at its first step for good.`,
      help: () => FIX_TEMPLATE_HELP,
      sample: { role: 'prefill', members: 'leaders' },
      variants: [{ role: 'decode', members: 'workers' }],
    }),
  },
});

/** What becomes of groups, be it those of a role, whose leaders or workers are refused. */
export function reportTemplateRefused(path: FieldPath, members: RoleData['members'], role?: string): Finding {
  return role === undefined
    ? templateRefused.createFinding(members, { path, data: {} })
    : templateRefused.createFinding('role', { path, data: { role, members } });
}
