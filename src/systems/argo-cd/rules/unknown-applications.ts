import { toFieldPath } from '../../../core/manifest/field-path';
import { joinWords } from '../../../core/text/text-format';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { findClosestName } from '../../../core/errors/did-you-mean';
import type { Application, UnknownCause, UnknownReason } from '../applications';
import { renderApplicationSetOver, renderApplicationSet, renderStep } from './examples';

const REASONS: Readonly<Record<UnknownCause, readonly [why: string, write: string]>> = {
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

const IN_CLUSTER_HELP =
  'An empty cluster generator also selects the cluster that Argo CD runs on, which has no labels. Select the clusters that have the label with generators[].clusters.selector.';

/** Returns why the Applications are unknown, and what to write. */
function explainReason({ reason, missing }: UnknownReason): readonly [why: string, write: string] {
  if (!missing) return REASONS[reason];
  const { parameter, item, known } = missing;
  const closest = findClosestName(parameter.replace(/^\./, ''), known);
  const others = item.endsWith('"in-cluster"') ? IN_CLUSTER_HELP : `Write a parameter that every item has: ${joinWords(known, 'or')}.`;
  const write = closest === undefined ? others : `Write {{${parameter.startsWith('.') ? '.' : ''}${closest}}}.`;
  return [`the template uses {{${parameter}}}, and ${item} has no such parameter`, write];
}

/** Reports an ApplicationSet whose Applications are unknown. */
export const unknownApplications = defineRule({
  code: 'argo-cd/unknown-applications',
  since: '0.1.0',
  severity: ['info', 'warning'],
  fires:
    'The Applications of an ApplicationSet with RollingSync cannot be determined from its generators and the inventory, or there are none (a warning).',
  why: 'Steps select Applications by label, so without the Applications there are no waves to show. The steps themselves are still checked.',
  fix: 'If it is a cluster generator, pass the inventory with `--clusters`.',
  example: renderApplicationSet(...renderStep('dev')).replace('- list:', '- git:'),
  fixedExample: renderApplicationSetOver(['dev'], ...renderStep('dev')),
  messages: {
    unknown: defineMessage<UnknownReason>({
      text: (data) => `The Applications that this ApplicationSet creates are unknown: ${explainReason(data)[0]}.`,
      help: (data) => explainReason(data)[1],
      sample: { reason: 'clusters' },
      variants: [
        { reason: 'generator' },
        { reason: 'template' },
        { reason: 'template', missing: { parameter: 'metadata.labels.env', item: 'cluster "in-cluster"', known: ['name'] } },
        { reason: 'template', missing: { parameter: 'metadata.labels.evn', item: 'cluster "paris"', known: ['metadata.labels.env'] } },
        { reason: 'template', missing: { parameter: 'region', item: 'item "paris"', known: ['name', 'env'] } },
      ],
    }),
    none: defineMessage<Record<string, never>>({
      text: () =>
        'The generators of this ApplicationSet create no Application: they have no items, or their selectors match no cluster of the inventory.',
      help: () => 'Compare generators[].clusters.selector with the labels of the clusters.',
      sample: {},
    }),
  },
});

/** Reports an ApplicationSet whose generators create nothing. */
export function checkNoApplications(applications: readonly Application[]): Finding[] {
  if (applications.length > 0) return [];
  return [unknownApplications.createFinding('none', { severity: 'warning', path: toFieldPath`spec.generators`, data: {} })];
}

export function checkUnknownApplications(reason: UnknownReason): Finding[] {
  return [unknownApplications.createFinding('unknown', { severity: 'info', path: toFieldPath`spec.generators`, data: reason })];
}
