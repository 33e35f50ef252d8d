import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import type { RollingSyncSimulation } from '../../../core/simulations/rolling-sync';
import { pluralize } from '../../../core/text-format';
import { renderApplicationSet, renderStep } from './examples';

interface ContentsData {
  readonly applications: number;
  readonly waves: number;
  /** Is it said how long a pod takes to become ready? */
  readonly isTimed: boolean;
}

/** What the Applications apply, of which the plan knows nothing. */
export const contentsNotChecked = defineRule({
  code: 'argo-cd/contents-not-checked',
  since: '0.1.0',
  severity: 'info',
  fires: 'A RollingSync syncs Applications, and what they apply is not in view.',
  why:
    'An Application names a repository and a path; what stands there, and what runs on the cluster that it goes to, no manifest of the ApplicationSet says. ' +
    'So its plan has the order of the Applications alone: whether their pods find room, which budgets they break, and how long each takes are not judged, ' +
    'and the waves of two Applications on one cluster are not added up.',
  fix: 'Plan the manifests of the Applications as well, against the nodes or the capacity of each cluster.',
  example: renderApplicationSet(...renderStep('dev'), ...renderStep('prod')),
  fixedExample: `apiVersion: apps/v1
kind: Deployment
metadata: { name: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: shop } }
  template:
    metadata: { labels: { app: shop } }
    spec: { containers: [{ name: shop, image: shop:2 }] }
`,
  messages: {
    contents: defineMessage<ContentsData>({
      text: ({ applications, waves, isTimed }) =>
        `What ${pluralize(applications, 'Application')} ${applications === 1 ? 'applies' : 'apply'} in ${pluralize(waves, 'wave')} is not in view: ` +
        `room and budgets are not judged, ${isTimed ? 'and the duration takes each wave for one start of a pod' : 'and how long it takes is not known'}.`,
      help: () =>
        'Plan what the Applications apply too, with the nodes or the capacity of each cluster; --startup-seconds gives a duration.',
      sample: { applications: 4, waves: 3, isTimed: false },
      variants: [
        { applications: 1, waves: 1, isTimed: false },
        { applications: 4, waves: 3, isTimed: true },
      ],
    }),
  },
});

/** What is not known of the Applications that sync; nothing where none does. */
export function checkContentsNotChecked({ applications, waves, elided = 0 }: RollingSyncSimulation, startupSeconds: number): Finding[] {
  if (waves.length === 0) return [];
  const data = { applications, waves: waves.length + elided, isTimed: startupSeconds > 0 };
  return [contentsNotChecked.createFinding('contents', { path: toFieldPath`spec.template.spec`, data })];
}
