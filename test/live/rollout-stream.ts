const START = Date.parse('2026-11-28T09:00:00Z');

const at = (seconds: number) => new Date(START + seconds * 1_000).toISOString().replace('.000Z', 'Z');

/** Builds a pod template, as a ReplicaSet has it if a hash is given. */
function template(image: string, hash?: string) {
  const labels = { app: 'web', ...(hash !== undefined && { 'pod-template-hash': hash }) };
  return { metadata: { labels }, spec: { containers: [{ name: 'web', image }] } };
}

/** A pod of a played Deployment. */
interface PlayedPod {
  readonly set: 'old' | 'new';
  readonly created: number;
  readyAt?: number;
  isDeleting?: true;
  /** Why its container waits. */
  waiting?: { readonly reason: string; readonly message: string };
  unschedulable?: string;
}

/** An object of a played cluster. */
interface PlayedObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly [field: string]: unknown;
}

/** Options of a played Deployment. */
export interface DeploymentStreamOptions {
  readonly replicas: number;
  readonly image?: string;
  readonly strategy?: object;
}

/** Writes the watch events of one Deployment `shop/web`, whose controller and kubelet the test plays. */
export class DeploymentStream {
  private readonly events: { readonly type: string; readonly object: PlayedObject }[] = [];
  private readonly pods = new Map<string, PlayedPod>();
  private sizes: { old: number; new?: number };
  private failure: { readonly message: string; readonly seconds: number } | undefined;
  private image: string;
  private readonly firstImage: string;
  private generation = 1;
  private revision = 1;

  constructor(private readonly options: DeploymentStreamOptions) {
    this.image = options.image ?? 'web:1';
    this.firstImage = this.image;
    this.sizes = { old: options.replicas };
    for (let index = 1; index <= options.replicas; index++) this.pods.set(`old-${index}`, { set: 'old', created: -100, readyAt: -90 });
    this.emit('ADDED', this.deployment(0));
    this.emit('ADDED', this.replicaSet('old'));
    for (const name of this.pods.keys()) this.emit('ADDED', this.pod(name));
  }

  /** The watch begins now: it lists the last state of each object. */
  joinNow(): this {
    const last = new Map(this.events.map(({ object }) => [`${object.kind}/${object.metadata.name}`, object]));
    this.events.length = 0;
    for (const object of last.values()) this.events.push({ type: 'ADDED', object });
    return this;
  }

  /** The new template is applied, and the controller makes a ReplicaSet for it. */
  apply(seconds: number, image: string): this {
    this.image = image;
    this.generation++;
    this.revision++;
    this.sizes.new = 0;
    this.emit('MODIFIED', {
      ...this.deployment(seconds),
      status: { ...this.deployment(seconds).status, observedGeneration: this.generation - 1 },
    });
    this.emit('ADDED', this.replicaSet('new'));
    return this.emit('MODIFIED', this.deployment(seconds));
  }

  scale(set: 'old' | 'new', size: number): this {
    this.sizes = { ...this.sizes, [set]: size };
    return this.emit('MODIFIED', this.replicaSet(set));
  }

  /** A new pod is created and scheduled. */
  create(name: string, seconds: number): this {
    this.pods.set(name, { set: 'new', created: seconds });
    return this.emit('ADDED', this.pod(name));
  }

  ready(name: string, seconds: number): this {
    return this.change(name, { readyAt: seconds }, seconds);
  }

  waits(name: string, seconds: number, reason: string, message: string): this {
    return this.change(name, { waiting: { reason, message } }, seconds);
  }

  unschedulable(name: string, seconds: number, message: string): this {
    return this.change(name, { unschedulable: message }, seconds);
  }

  /** An old pod is deleted: it ends, and is gone. */
  remove(name: string, seconds: number): this {
    this.change(name, { isDeleting: true }, seconds);
    const gone = this.pod(name);
    this.pods.delete(name);
    this.emit('DELETED', gone);
    return this.emit('MODIFIED', this.deployment(seconds));
  }

  /** The API server refuses a pod of the new ReplicaSet. */
  refuse(message: string, seconds = 0): this {
    this.failure = { message, seconds };
    return this.emit('MODIFIED', this.replicaSet('new'));
  }

  /** Somebody else changes the Deployment. */
  changeSpec(seconds: number, spec: object): this {
    const deployment = this.deployment(seconds);
    return this.emit('MODIFIED', { ...deployment, spec: { ...deployment.spec, ...spec } });
  }

  toString(): string {
    return this.events.map((event) => JSON.stringify(event, undefined, 4)).join('\n');
  }

  private change(name: string, fields: Partial<PlayedPod>, seconds: number): this {
    Object.assign(this.pods.get(name)!, fields);
    this.emit('MODIFIED', this.pod(name));
    for (const set of ['old', 'new'] as const) if (this.sizes[set] !== undefined) this.emit('MODIFIED', this.replicaSet(set));
    return this.emit('MODIFIED', this.deployment(seconds));
  }

  private emit(type: string, object: PlayedObject): this {
    this.events.push({ type, object });
    return this;
  }

  private count(set: 'old' | 'new') {
    const own = [...this.pods.values()].filter((pod) => pod.set === set && !pod.isDeleting);
    return { replicas: own.length, availableReplicas: own.filter(({ readyAt }) => readyAt !== undefined).length };
  }

  private deployment(seconds: number) {
    const [before, after] = [this.count('old'), this.count('new')];
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name: 'web',
        namespace: 'shop',
        uid: 'uid-web',
        generation: this.generation,
        annotations: { 'deployment.kubernetes.io/revision': String(this.revision) },
      },
      spec: {
        replicas: this.options.replicas,
        strategy: this.options.strategy,
        template: template(this.image),
      },
      status: {
        observedGeneration: this.generation,
        replicas: before.replicas + after.replicas,
        updatedReplicas: this.revision === 1 ? before.replicas : after.replicas,
        availableReplicas: before.availableReplicas + after.availableReplicas,
        conditions: [{ type: 'Progressing', status: 'True', lastTransitionTime: at(seconds) }],
      },
    };
  }

  private replicaSet(set: 'old' | 'new') {
    return {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `web-${set}`,
        namespace: 'shop',
        uid: `uid-web-${set}`,
        annotations: { 'deployment.kubernetes.io/revision': set === 'old' ? '1' : '2' },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'uid-web', controller: true }],
      },
      spec: { replicas: this.sizes[set], template: template(set === 'new' ? this.image : this.firstImage, set) },
      status: {
        ...this.count(set),
        ...(set === 'new' &&
          this.failure !== undefined && {
            conditions: [
              {
                type: 'ReplicaFailure',
                status: 'True',
                reason: 'FailedCreate',
                message: this.failure.message,
                lastTransitionTime: at(this.failure.seconds),
              },
            ],
          }),
      },
    };
  }

  private pod(name: string) {
    const { set, created, readyAt, isDeleting, waiting, unschedulable } = this.pods.get(name)!;
    const ready = { type: 'Ready', status: readyAt === undefined ? 'False' : 'True', lastTransitionTime: at(readyAt ?? created) };
    const scheduled =
      unschedulable === undefined
        ? { type: 'PodScheduled', status: 'True', lastTransitionTime: at(created) }
        : { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: unschedulable };
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: `web-${name}`,
        namespace: 'shop',
        uid: `uid-web-${name}`,
        creationTimestamp: at(created),
        ...(isDeleting && { deletionTimestamp: at(created) }),
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `web-${set}`, uid: `uid-web-${set}`, controller: true }],
      },
      spec: {},
      status: {
        conditions: [ready, scheduled],
        ...(waiting && { containerStatuses: [{ name: 'web', restartCount: 0, state: { waiting } }] }),
      },
    };
  }
}
