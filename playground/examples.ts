import { readFileSync } from 'node:fs';
import type { TypedFile, TypedInput } from './engine';

/** An example of the playground. */
export interface Example {
  readonly title: string;
  readonly input: TypedInput;
}

/** Files of an example, as paths from the root of the checkout. */
interface ExampleFiles {
  readonly title: string;
  readonly files: readonly string[];
  readonly from?: readonly string[];
  readonly capacity?: string;
  readonly clusters?: string;
}

const EXAMPLES: readonly ExampleFiles[] = [
  {
    title: 'A change: one rolls, one scales, one is refused',
    from: ['examples/change/old/shop.yaml'],
    files: ['examples/change/new/shop.yaml'],
  },
  { title: 'Deployment: deadlocks for lack of a GPU', files: ['playground/examples/gpu-quota.yaml'] },
  { title: 'StatefulSet: a partition, and a budget', files: ['playground/examples/statefulset.yaml'] },
  { title: 'DaemonSets: three strategies on twelve nodes', files: ['playground/examples/daemonsets.yaml'] },
  { title: 'KServe: the rollout guide', files: ['playground/examples/kserve.yaml'] },
  { title: 'KServe on Knative: twice the GPUs, and a quota', files: ['playground/examples/knative.yaml'] },
  {
    title: 'KubeRay: an upgrade on 40 GPUs',
    files: ['playground/examples/ray-llm.yaml'],
    capacity: 'examples/kuberay-llm-40-gpus/capacity.yaml',
  },
  { title: 'Fleet: a bundle in stages', files: ['playground/examples/fleet.yaml'], clusters: 'examples/fleet-guide/clusters.json' },
  {
    title: 'Argo Rollouts: a canary that a user must promote, and a blue-green that does not fit',
    files: ['examples/argo-rollouts/canary.yaml', 'examples/argo-rollouts/blue-green.yaml'],
  },
  {
    title: 'Argo CD: an ApplicationSet in three steps',
    files: ['examples/argo-cd/application-set.yaml'],
    clusters: 'examples/argo-cd/clusters.json',
  },
  { title: 'LeaderWorkerSet: groups that roll together', files: ['playground/examples/leaderworkerset.yaml'] },
  { title: 'LLMInferenceService: prefill, decode and the scheduler', files: ['playground/examples/llminferenceservice.yaml'] },
  { title: 'IBM BAW: the strategy for the operator', files: ['playground/examples/baw.yaml'] },
];

function textOf(file: string): string {
  return readFileSync(file, 'utf8');
}

function typedFiles(files: readonly string[], side: 'old' | 'new'): TypedFile[] {
  return [{ name: `${side}.yaml`, text: files.map(textOf).join('---\n') }];
}

/** Returns the examples with the texts of their files. */
export function examples(): Example[] {
  return EXAMPLES.map(({ title, files, from, capacity, clusters }) => ({
    title,
    input: {
      files: typedFiles(files, 'new'),
      ...(from && { from: typedFiles(from, 'old') }),
      ...((capacity ?? clusters) !== undefined && {
        options: {
          ...(capacity !== undefined && { capacity: textOf(capacity) }),
          ...(clusters !== undefined && { clusters: textOf(clusters) }),
        },
      }),
    },
  }));
}
