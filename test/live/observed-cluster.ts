/** An object of a cluster, as an event shows it. */
export interface LiveObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly generation?: number;
    readonly resourceVersion: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly uid: string; readonly controller?: boolean }[];
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly endpoints?:
    | readonly { readonly targetRef?: { readonly uid: string }; readonly conditions?: { readonly ready?: boolean } }[]
    | null;
  readonly ports?: readonly object[] | null;
}

/** An event of a watch. */
export interface LiveEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: LiveObject;
}

/** What happened to a workload, counted from its pods alone. */
export interface ObservedWorkload {
  /** Pods at the first event. */
  readonly before: number;
  /** Most pods at once, without those that are being deleted. */
  readonly peak: number;
  /** Fewest ready pods at once. */
  readonly leastReady: number;
  /** Pods at the last event, and those of them that are ready. */
  readonly after: number;
  readonly readyAfter: number;
  /** Pods from before that are gone or are being deleted. */
  readonly removed: number;
  /** Pods that were created. */
  readonly created: number;
  /** Whether, at some time, all pods from before were gone and all desired ones were ready. */
  readonly wasReplaced: boolean;
  /** Whether its template was changed. */
  readonly isTemplateChanged: boolean;
  /** Desired replicas at the first and at the last event; undefined for a DaemonSet. */
  readonly replicas: readonly [before: unknown, after: unknown];
  /** Whether it was deleted. */
  readonly isDeleted: boolean;
}

/** Ready endpoints of a Service. */
export interface ObservedService {
  readonly before: number;
  readonly least: number;
  readonly after: number;
}

function ownerOf({ metadata }: LiveObject): string | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller)?.uid;
}

function isReady({ metadata, status }: LiveObject): boolean {
  const conditions = (status?.conditions ?? []) as readonly { readonly type: string; readonly status: string }[];
  return metadata.deletionTimestamp === undefined && conditions.some(({ type, status: value }) => type === 'Ready' && value === 'True');
}

/** Returns the version that the server gives each change of any object. */
const versionOf = ({ object }: LiveEvent) => Number(object.metadata.resourceVersion);

function sortEvents(events: readonly LiveEvent[]): LiveEvent[] {
  return events.toSorted((a, b) => versionOf(a) - versionOf(b));
}

/** Counts the pods that the ReplicaSets of a Deployment want; as many as any for other kinds. */
function countDesired(workload: LiveObject, all: readonly LiveObject[]): number {
  if (workload.kind !== 'Deployment') return Infinity;
  const sets = all.filter((object) => object.kind === 'ReplicaSet' && ownerOf(object) === workload.metadata.uid);
  return sets.reduce((sum, { spec }) => sum + Number(spec!.replicas), 0);
}

/** The objects of a namespace, event by event. */
export class ObservedNamespace {
  private readonly first: ReadonlyMap<string, LiveObject>;
  private readonly events: readonly LiveEvent[];

  /** @param since - resource version before the apply: objects of earlier events ran already */
  constructor(events: readonly LiveEvent[], since: number) {
    const sorted = sortEvents(events);
    this.events = sorted.filter((event) => versionOf(event) > since);
    const first = new Map<string, LiveObject>();
    for (const { type, object } of sorted.filter((event) => versionOf(event) <= since)) {
      if (type === 'DELETED') first.delete(object.metadata.uid);
      else first.set(object.metadata.uid, object);
    }
    this.first = first;
  }

  /** Calls back for the state before the first event and after each one. */
  private replay(onState: (objects: ReadonlyMap<string, LiveObject>) => void): void {
    const objects = new Map(this.first);
    onState(objects);
    for (const { type, object } of this.events) {
      if (type === 'DELETED') objects.delete(object.metadata.uid);
      else objects.set(object.metadata.uid, object);
      onState(objects);
    }
  }

  /** Measures the pods of a workload; undefined if it never existed. */
  measureWorkload(kind: string, name: string): ObservedWorkload | undefined {
    let before: number | undefined;
    let last: LiveObject | undefined;
    let firstSeen: LiveObject | undefined;
    let isDeleted = false;
    let wasReplaced = false;
    let [peak, leastReady, after, readyAfter] = [0, Infinity, 0, 0];
    const initialPods = new Set<string>();
    const created = new Set<string>();
    let remaining = new Set<string>();
    this.replay((objects) => {
      const all = [...objects.values()];
      const workload = all.find((object) => object.kind === kind && object.metadata.name === name);
      if (!workload) {
        isDeleted = last !== undefined;
        return;
      }
      firstSeen ??= workload;
      last = workload;
      const owners = new Set([
        workload.metadata.uid,
        ...all
          .filter((object) => object.kind === 'ReplicaSet' && ownerOf(object) === workload.metadata.uid)
          .map(({ metadata }) => metadata.uid),
      ]);
      const pods = all.filter(
        (object) => object.kind === 'Pod' && owners.has(ownerOf(object) ?? '') && object.metadata.deletionTimestamp === undefined,
      );
      if (before === undefined) for (const { metadata } of pods) initialPods.add(metadata.uid);
      else for (const { metadata } of pods) if (!initialPods.has(metadata.uid)) created.add(metadata.uid);
      before ??= pods.length;
      remaining = new Set(pods.map(({ metadata }) => metadata.uid));
      after = pods.length;
      readyAfter = pods.filter(isReady).length;
      // ReplicaSets create and delete at the same time, so pods that one of them is about to delete do not count.
      const isReplaced = ![...initialPods].some((uid) => remaining.has(uid));
      wasReplaced ||= isReplaced && after === readyAfter && after === workload.spec!.replicas;
      peak = Math.max(peak, Math.min(after, countDesired(workload, all)));
      leastReady = Math.min(leastReady, readyAfter);
    });
    if (!firstSeen || !last) return undefined;
    return {
      before: before ?? 0,
      peak,
      leastReady,
      after,
      readyAfter,
      removed: [...initialPods].filter((uid) => !remaining.has(uid)).length,
      created: created.size,
      wasReplaced,
      isTemplateChanged: JSON.stringify(firstSeen.spec!.template) !== JSON.stringify(last.spec!.template),
      replicas: [firstSeen.spec!.replicas, last.spec!.replicas],
      isDeleted,
    };
  }

  /** Counts the ready endpoints in the EndpointSlices of a Service. A port that no pod has gives a slice without ports. */
  measureService(name: string): ObservedService {
    let before: number | undefined;
    let [least, after] = [Infinity, 0];
    this.replay((objects) => {
      const slices = [...objects.values()].filter(
        ({ kind, metadata, ports }) =>
          kind === 'EndpointSlice' && metadata.labels?.['kubernetes.io/service-name'] === name && (ports ?? []).length > 0,
      );
      const ready = new Set(
        slices.flatMap(({ endpoints }) =>
          (endpoints ?? []).filter(({ conditions }) => conditions?.ready === true).map(({ targetRef }) => targetRef?.uid),
        ),
      );
      after = ready.size;
      before ??= after;
      least = Math.min(least, after);
    });
    return { before: before ?? 0, least, after };
  }
}
