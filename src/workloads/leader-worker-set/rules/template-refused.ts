import { message, rule } from '../../../core/finding';
import type { FieldPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { setText } from './examples';

interface RoleData {
  /** Of a DisaggregatedSet. */
  readonly role: string;
  readonly of: 'leaders' | 'workers';
}

const HELP = 'Mend what the other findings about this template name.';

const NO_NAME = setText(3, '{ type: RollingUpdate }').replace('name: vllm\n', 'name: vLLM\n');

/** A template that is stored, and of which no StatefulSet can be made. */
export const templateRefused = rule({
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
  example: NO_NAME,
  fixed: setText(3, '{ type: RollingUpdate }'),
  messages: {
    leaders: message<object>({
      text: () =>
        'The LeaderWorkerSet is stored, but the API server refuses the StatefulSet of the leaders that the controller writes with this template: ' +
        'no group is made or replaced.',
      help: () => HELP,
      sample: {},
    }),
    workers: message<object>({
      text: () =>
        'The LeaderWorkerSet is stored, but the API server refuses the StatefulSet of the workers that the controller makes of this template ' +
        'for each group that is made anew: the leader starts without workers, and the rollout stops there for good.',
      help: () => HELP,
      sample: {},
    }),
    role: message<RoleData>({
      text: ({ role, of }) =>
        `The DisaggregatedSet is stored, but the API server refuses the StatefulSet of the ${of} that is made of this template: ` +
        `no new group of role ${JSON.stringify(role)} gets ready, and the rollout of all roles stops at its first step for good.`,
      help: () => HELP,
      sample: { role: 'prefill', of: 'leaders' },
      variants: [{ role: 'decode', of: 'workers' }],
    }),
  },
});

/** What becomes of groups, be it those of a role, whose leaders or workers are refused. */
export function templateRefusedFinding(path: FieldPath, of: RoleData['of'], role?: string): Finding {
  return role === undefined
    ? templateRefused.finding(of, { path, data: {} })
    : templateRefused.finding('role', { path, data: { role, of } });
}
