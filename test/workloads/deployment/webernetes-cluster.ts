import { isDeepStrictEqual } from 'node:util';
import type { DeploymentWave } from '../../../src/core/simulations/deployment';
import type { DeploymentStrategy } from '../../../src/workloads/deployment/types';
import { loadEntry } from './webernetes';

type Labels = Readonly<Record<string, string>>;

interface ReplicaSet {
  readonly spec: { readonly replicas: number; readonly template: { readonly metadata: { readonly labels: Labels } } };
  readonly status?: { readonly availableReplicas?: number };
}

interface Pod {
  readonly metadata: { readonly name: string; readonly labels: Labels; readonly deletionTimestamp?: Date };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

interface List<T> {
  readonly items: readonly T[];
}

/** The part of the package's Cluster that the tests use. */
interface Cluster {
  init(): Promise<void>;
  apply(objects: readonly object[]): Promise<unknown>;
  close(): Promise<void>;
  readonly api: {
    readonly appsv1: { listNamespacedReplicaSet(request: { namespace: string }): Promise<List<ReplicaSet>> };
    readonly corev1: {
      listNamespacedPod(request: { namespace: string }): Promise<List<Pod>>;
      replaceNamespacedPodStatus(request: { name: string; namespace: string; body: object }): Promise<unknown>;
    };
  };
}

const NAMESPACE = 'default';

/** The rollout of one Deployment. */
export interface Setting {
  readonly strategy: DeploymentStrategy;
  readonly replicas: number;
}

/** Pod counts at one point of a rollout. */
export type Counts = Omit<DeploymentWave, 'wave'>;

function deployment({ strategy, replicas }: Setting, index: number, version: 'old' | 'new'): object {
  const labels = { index: String(index) };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `web-${index}`, namespace: NAMESPACE },
    spec: {
      replicas,
      strategy,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels: { ...labels, version } },
        spec: { nodeName: 'nowhere', terminationGracePeriodSeconds: 0, containers: [{ name: 'app', image: 'app:1' }] },
      },
    },
  };
}

function labelsOf(set: ReplicaSet): Labels {
  return set.spec.template.metadata.labels;
}

function replicasOf(sets: readonly ReplicaSet[]): number {
  return sets.reduce((total, set) => total + set.spec.replicas, 0);
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/**
 * A cluster with one Deployment per setting.
 *
 * Their pods are bound to a node that does not exist, so no kubelet starts them. The test marks them as ready.
 */
export class RolloutCluster {
  private readonly cluster: Cluster;

  public constructor(private readonly settings: readonly Setting[]) {
    const entry = loadEntry() as { Cluster: new (options: { nodes: number }) => Cluster };
    this.cluster = new entry.Cluster({ nodes: 1 });
  }

  /** Starts the old version with all pods ready, and then applies the new one. */
  public async start(): Promise<void> {
    await this.cluster.init();
    await this.apply('old');
    while (!(await this.isOldVersionUp())) await this.readyAll();
    await this.apply('new');
  }

  public async close(): Promise<void> {
    await this.cluster.close();
  }

  private async apply(version: 'old' | 'new'): Promise<void> {
    await this.cluster.apply(this.settings.map((setting, index) => deployment(setting, index, version)));
  }

  private async isOldVersionUp(): Promise<boolean> {
    await wait(5);
    const counts = await this.counts();
    return this.settings.every(({ replicas }, index) => counts[index]!.available === replicas);
  }

  /** Returns the desired and available pods of the ReplicaSets of each Deployment, in the order of the settings. */
  private async counts(): Promise<Counts[]> {
    const { items } = await this.cluster.api.appsv1.listNamespacedReplicaSet({ namespace: NAMESPACE });
    return this.settings.map((_, index) => {
      const own = items.filter((set) => labelsOf(set).index === String(index));
      const newReplicas = replicasOf(own.filter((set) => labelsOf(set).version === 'new'));
      const oldReplicas = replicasOf(own.filter((set) => labelsOf(set).version === 'old'));
      const available = own.reduce((total, set) => total + (set.status?.availableReplicas ?? 0), 0);
      return { newReplicas, oldReplicas, total: newReplicas + oldReplicas, available };
    });
  }

  /** Returns the counts once they are as expected and unchanged for `quiet` ms, or as they are after `patience` ms. */
  public async waitForCounts(expected: readonly Counts[], quiet = 50, patience = 10_000): Promise<Counts[]> {
    const begin = Date.now();
    for (;;) {
      const before = await this.counts();
      await wait(quiet);
      const counts = await this.counts();
      const isDone = isDeepStrictEqual(counts, before) && isDeepStrictEqual(counts, expected);
      if (isDone || Date.now() - begin > patience) return counts;
    }
  }

  /** Makes every existing pod ready. */
  public async readyAll(): Promise<void> {
    const { items } = await this.cluster.api.corev1.listNamespacedPod({ namespace: NAMESPACE });
    for (const pod of items.filter((item) => !item.metadata.deletionTimestamp && !isReady(item))) {
      const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: new Date() }];
      const body = { ...pod, status: { ...pod.status, phase: 'Running', conditions } };
      await this.cluster.api.corev1.replaceNamespacedPodStatus({ name: pod.metadata.name, namespace: NAMESPACE, body });
    }
  }
}
