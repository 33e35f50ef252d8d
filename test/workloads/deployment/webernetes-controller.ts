import type { IntOrPercent } from '../../../src/core/values/int-or-percent';
import type { Limits, ReplicaSet } from './controller';
import { loadEntry, loadModule } from './webernetes';

/** The fields of the port's objects that its controller reads. */
interface PortedReplicaSet {
  readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> };
  readonly spec: { readonly replicas: number };
  readonly status: { readonly availableReplicas: number };
}

/** The port's DeploymentController. Each method returns whether it scaled anything. */
interface PortedController {
  reconcileNewReplicaSet(
    context: unknown,
    all: PortedReplicaSet[],
    newSet: PortedReplicaSet,
    deployment: object,
  ): Promise<[boolean, unknown]>;
  reconcileOldReplicaSets(
    context: unknown,
    all: PortedReplicaSet[],
    oldSets: PortedReplicaSet[],
    newSet: PortedReplicaSet,
    deployment: object,
  ): Promise<[boolean, unknown]>;
  scale(context: unknown, deployment: object, newSet: PortedReplicaSet, oldSets: PortedReplicaSet[]): Promise<unknown>;
}

interface Util {
  resolveFenceposts(maxSurge: unknown, maxUnavailable: unknown, desired: number): [surge: number, unavailable: number, error: unknown];
  newRSNewReplicas(deployment: object, all: PortedReplicaSet[], newSet: PortedReplicaSet): [replicas: number, error: unknown];
}

const util = loadModule('dist/controller/deployment/util/deployment-util.js') as Util;
const { DeploymentController } = loadModule('dist/controller/deployment/deployment-controller.js') as {
  DeploymentController: new (...parts: unknown[]) => PortedController;
};
const { Cluster } = loadEntry() as { Cluster: new () => { kubeConfig: unknown; ctx: unknown; close(): Promise<void> } };

/** Runs the port's `ResolveFenceposts`. */
export function portedFenceposts(maxSurge: IntOrPercent, maxUnavailable: IntOrPercent, replicas: number) {
  const [surge, unavailable, error] = util.resolveFenceposts(maxSurge, maxUnavailable, replicas);
  return { surge, unavailable, error };
}

/** Names ReplicaSets by age, since the port sorts by name if there are no timestamps. */
function ported(age: number, { replicas, available }: ReplicaSet, maxReplicas?: number): PortedReplicaSet {
  const annotations: Record<string, string> = {};
  if (maxReplicas !== undefined) annotations['deployment.kubernetes.io/max-replicas'] = String(maxReplicas);
  return { metadata: { name: `web-${age}`, annotations }, spec: { replicas }, status: { availableReplicas: available } };
}

function deploymentOf({ replicas, surge, unavailable }: Limits): object {
  const rollingUpdate = { maxSurge: surge, maxUnavailable: unavailable };
  return { metadata: { name: 'web' }, spec: { replicas, strategy: { type: 'RollingUpdate', rollingUpdate } } };
}

/** The port's controller with generated ReplicaSets. */
export class PortedSync {
  private readonly cluster = new Cluster();
  private readonly controller: PortedController;
  /** The sizes that the controller wrote, oldest ReplicaSet first, the new one last. */
  private sizes = new Map<string, number>();

  public constructor() {
    const appsv1 = {
      replaceNamespacedReplicaSet: ({ body }: { body: PortedReplicaSet }) => {
        this.sizes.set(body.metadata.name, body.spec.replicas);
        return Promise.resolve(body);
      },
    };
    const silent = { eventf: () => Promise.resolve() };
    this.controller = new DeploymentController({ appsv1 }, this.cluster.kubeConfig, {}, silent);
  }

  public async close(): Promise<void> {
    await this.cluster.close();
  }

  /** Runs `NewRSNewReplicas`. */
  public newReplicaSetSize(limits: Limits, newSet: ReplicaSet, oldSets: readonly ReplicaSet[]): number {
    const all = this.setsOf([...oldSets, newSet]);
    return util.newRSNewReplicas(deploymentOf(limits), all, all.at(-1)!)[0];
  }

  /** Returns the new ReplicaSet's size after `reconcileNewReplicaSet`. */
  public async reconcileNewReplicaSet(limits: Limits, newSet: ReplicaSet, oldSets: readonly ReplicaSet[]): Promise<number> {
    const all = this.setsOf([...oldSets, newSet]);
    await this.controller.reconcileNewReplicaSet(this.cluster.ctx, all, all.at(-1)!, deploymentOf(limits));
    return [...this.sizes.values()].at(-1)!;
  }

  /** Returns the old ReplicaSets' sizes after `reconcileOldReplicaSets`. */
  public async reconcileOldReplicaSets(limits: Limits, newSet: ReplicaSet, oldSets: readonly ReplicaSet[]): Promise<number[]> {
    const all = this.setsOf([...oldSets, newSet]);
    await this.controller.reconcileOldReplicaSets(this.cluster.ctx, all, all.slice(0, -1), all.at(-1)!, deploymentOf(limits));
    return [...this.sizes.values()].slice(0, -1);
  }

  /**
   * Returns the sizes of all ReplicaSets after `scale`, which distributes a change of replicas. Their annotations contain `maxReplicas`.
   */
  public async scaleProportionally(limits: Limits, sizes: readonly number[], maxReplicas: number): Promise<number[]> {
    const all = this.setsOf(
      sizes.map((replicas) => ({ replicas, available: replicas })),
      maxReplicas,
    );
    await this.controller.scale(this.cluster.ctx, deploymentOf(limits), all.at(-1)!, all.slice(0, -1));
    return [...this.sizes.values()];
  }

  private setsOf(sets: readonly ReplicaSet[], maxReplicas?: number): PortedReplicaSet[] {
    const all = sets.map((set, age) => ported(age, set, maxReplicas));
    this.sizes = new Map(all.map((set) => [set.metadata.name, set.spec.replicas]));
    return all;
  }
}
