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
    'it has a generator other than list and clusters, or one with a selector of its own',
    'Nothing: what such a generator makes is known to Argo CD alone.',
  ],
  clusters: [
    'it has a cluster generator, and no inventory is given',
    'Give the clusters with --clusters: {"clusters": [{"name": "paris", "labels": {"env": "prod"}}]}.',
  ],
  template: [
    'the name or a label of its template, or a templatePatch, is more than the value of a parameter',
    'Nothing: the plan fills in parameters, and runs no template functions.',
  ],
};

/** An ApplicationSet of which it is not known which Applications it makes. */
export const unknownApplications = defineRule({
  code: 'argo-cd/unknown-applications',
  since: '0.1.0',
  severity: 'info',
  fires: 'The Applications of an ApplicationSet with RollingSync can not be told from its generators and the inventory.',
  why: 'Steps select Applications by their labels, so without the Applications there are no waves to show. The steps themselves are judged.',
  fix: 'Give the inventory with `--clusters`, where the generator is one of clusters.',
  example: renderApplicationSet(...renderStep('dev')).replace('- list:', '- git:'),
  fixedExample: renderApplicationSetOver(['dev'], ...renderStep('dev')),
  messages: {
    unknown: defineMessage<UnknownData>({
      text: ({ reason }) => `Which Applications this ApplicationSet makes is not known: ${REASONS[reason][0]}.`,
      help: ({ reason }) => REASONS[reason][1],
      sample: { reason: 'clusters' },
      variants: [{ reason: 'generator' }, { reason: 'template' }],
    }),
  },
});

export function checkUnknownApplications(reason: UnknownReason): Finding[] {
  return [unknownApplications.createFinding('unknown', { path: toFieldPath`spec.generators`, data: { reason } })];
}
