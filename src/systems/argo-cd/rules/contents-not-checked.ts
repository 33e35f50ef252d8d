import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { RollingSyncSimulation } from '../../../core/simulations/rolling-sync';
import { pluralize } from '../../../core/text/text-format';
import { renderApplicationSet, renderStep } from './examples';

interface ContentsData {
  readonly applications: number;
  readonly waves: number;
  /** Whether `--startup-seconds` gives the time a pod takes to become ready. */
  readonly isTimed: boolean;
}

/** Reports that the plan does not read the manifests that the Applications apply. */
export const contentsNotChecked = defineRule({
  code: 'argo-cd/contents-not-checked',
  since: '0.1.0',
  severity: 'info',
  fires: 'A RollingSync syncs Applications whose manifests are not in the input.',
  why:
    'An Application names a repository and a path. The ApplicationSet contains neither the manifests at that path nor the workloads already running on the target cluster. ' +
    'So its plan covers only the order of the Applications: whether their pods fit, which disruption budgets they violate and how long each takes are not checked, ' +
    'and the waves of two Applications on the same cluster are not added up.',
  fix: 'Also plan the manifests of the Applications, with the nodes or the capacity of each cluster.',
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
        `${pluralize(applications, 'Application')} ${applications === 1 ? 'syncs' : 'sync'} in ${pluralize(waves, 'wave')}, and the manifests ${applications === 1 ? 'it applies' : 'they apply'} are not in the input: ` +
        `capacity and disruption budgets are not checked, and ${isTimed ? 'the duration counts one pod start-up per wave' : 'the duration is unknown'}.`,
      help: () =>
        'Also plan the manifests that the Applications apply, with the nodes or the capacity of each cluster. Set --startup-seconds, or the option startupSeconds, to get a duration.',
      sample: { applications: 4, waves: 3, isTimed: false },
      variants: [
        { applications: 1, waves: 1, isTimed: false },
        { applications: 4, waves: 3, isTimed: true },
      ],
    }),
  },
});

/** Reports what the plan cannot check about the Applications that sync. Returns nothing if none syncs. */
export function checkContentsNotChecked({ applications, waves, elided = 0 }: RollingSyncSimulation, startupSeconds: number): Finding[] {
  if (waves.length === 0) return [];
  const data = { applications, waves: waves.length + elided, isTimed: startupSeconds > 0 };
  return [contentsNotChecked.createFinding('contents', { path: toFieldPath`spec.template.spec`, data })];
}
