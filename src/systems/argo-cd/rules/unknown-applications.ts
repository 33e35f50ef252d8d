import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { UnknownReason } from '../applications';
import { renderApplicationSetOver, renderApplicationSet, renderStep } from './examples';

interface UnknownData {
  readonly reason: UnknownReason;
}

const REASONS: Readonly<Record<UnknownReason, readonly [why: string, write: string]>> = {
  generator: [
    'it has a generator other than list or clusters, or a generator with its own selector',
    'Change nothing: only Argo CD knows what such a generator creates.',
  ],
  clusters: [
    'it has a cluster generator, but no inventory is given',
    'Pass the clusters with --clusters, or as the prop inventory: {"clusters": [{"name": "paris", "labels": {"env": "prod"}}]}.',
  ],
  template: [
    'the name or a label of its template is more than the value of a parameter, or it has a templatePatch',
    'Change nothing: the plan fills in parameters, but runs no template functions.',
  ],
};

/** Reports an ApplicationSet whose Applications are unknown. */
export const unknownApplications = defineRule({
  code: 'argo-cd/unknown-applications',
  since: '0.1.0',
  severity: 'info',
  fires: 'The Applications of an ApplicationSet with RollingSync cannot be determined from its generators and the inventory.',
  why: 'Steps select Applications by label, so without the Applications there are no waves to show. The steps themselves are still checked.',
  fix: 'If it is a cluster generator, pass the inventory with `--clusters`.',
  example: renderApplicationSet(...renderStep('dev')).replace('- list:', '- git:'),
  fixedExample: renderApplicationSetOver(['dev'], ...renderStep('dev')),
  messages: {
    unknown: defineMessage<UnknownData>({
      text: ({ reason }) => `The Applications that this ApplicationSet creates are unknown: ${REASONS[reason][0]}.`,
      help: ({ reason }) => REASONS[reason][1],
      sample: { reason: 'clusters' },
      variants: [{ reason: 'generator' }, { reason: 'template' }],
    }),
  },
});

export function checkUnknownApplications(reason: UnknownReason): Finding[] {
  return [unknownApplications.createFinding('unknown', { path: toFieldPath`spec.generators`, data: { reason } })];
}
