import { checkTimeNow } from '../../core/budget/deadline';
import { parseTime } from '../../core/values/time';
import { getFieldsAt, getListAt, getValueAt, groupOf, isFields, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { findControllingOwner } from '../../cluster/kinds/ownership';
import type { WatchEvent } from './watch-events';

const EVENT_KIND = 'Event';

/** Milliseconds after which the controller of quotas no longer counts a pod that is gone. */
const QUOTA_SETTLE_MILLISECONDS = 5_000;

/** Milliseconds after which the scheduler no longer counts a pod that is gone. Times in objects have whole seconds. */
const NODE_SETTLE_MILLISECONDS = 2_000;

/**
 * Milliseconds after which the scheduler has tried a pending pod again, once a pod is gone.
 *
 * Source: pkg/scheduler/backend/queue/scheduling_queue.go `DefaultPodMaxBackoffDuration`, 10 s; Kubernetes 1.34
 */
const SCHEDULER_BACKOFF_MILLISECONDS = 12_000;

const keyOf = (group: string, kind: string, namespace: string | undefined, name: string) => [group, kind, namespace, name].join('\0');

const keyOfName = (group: string, kind: string, name: string) => ['name', group, kind, name].join('\0');
const keyOfOwner = (kind: string, uid: string) => ['owner', kind, uid].join('\0');
const keyOfSubject = (uid: string) => ['subject', uid].join('\0');

/** Returns what an object is looked up by, besides its key: its name, the uid of its owner, and that of the object of an event. */
function listIndexKeys(object: Manifest): string[] {
  const owner = findControllingOwner(object)?.uid;
  const subject = object.kind === EVENT_KIND ? getValueAt(object, 'involvedObject', 'uid') : undefined;
  return [
    keyOfName(groupOf(object), object.kind, nameOf(object)),
    ...(typeof owner === 'string' ? [keyOfOwner(object.kind, owner)] : []),
    ...(typeof subject === 'string' ? [keyOfSubject(subject)] : []),
  ];
}

/** Returns the condition of a type; an empty map if there is none. */
export function findCondition(object: Manifest, type: string): Fields {
  return (
    getListAt(object, 'status', 'conditions')
      .filter(isFields)
      .find((condition) => condition.type === type) ?? {}
  );
}

/** Returns the times in an object that the cluster writes when something happens. */
function listTimes(object: Manifest): number[] {
  const { lastTimestamp, eventTime, firstTimestamp } = object as unknown as Fields;
  const conditions = getListAt(object, 'status', 'conditions').map((condition) => getValueAt(condition, 'lastTransitionTime'));
  const metadata = getFieldsAt(object, 'metadata');
  return [lastTimestamp, eventTime, firstTimestamp, metadata.creationTimestamp, ...conditions].flatMap((value) => parseTime(value) ?? []);
}

/** The objects of a cluster as watch events show them, and the time there. */
export class ObservedObjects {
  private readonly objects = new Map<string, Manifest>();
  /** The objects by what they are looked up by: each event looks up some for each rollout. */
  private readonly index = new Map<string, Map<string, Manifest>>();
  /** Latest time that an object shows, in milliseconds. The clock of this computer may differ from it. */
  private latest = 0;
  /** Milliseconds that have passed since the latest event. */
  private elapsed = 0;
  /** Time at which following began, if a rollout ran already: a pod may have been gone just before. */
  private joined: number | undefined;
  /** Time at which the last pod of a namespace was gone, in milliseconds. */
  private readonly removals = new Map<string, number>();

  apply({ type, object }: WatchEvent): void {
    const key = keyOf(groupOf(object), object.kind, namespaceOf(object), nameOf(object));
    this.replace(key, type === 'DELETED' ? undefined : object);
    this.elapsed = 0;
    for (const time of listTimes(object)) if (time > this.latest) this.latest = time;
    if (type === 'DELETED' && object.kind === 'Pod') {
      const deleted = parseTime(getValueAt(object, 'metadata', 'deletionTimestamp')) ?? 0;
      this.removals.set(namespaceOf(object) ?? '', Math.max(deleted, this.latest));
    }
  }

  /** Replaces the object of a key; undefined forgets it. */
  private replace(key: string, object: Manifest | undefined): void {
    const before = this.objects.get(key);
    const indexKeys = object ? listIndexKeys(object) : [];
    for (const indexKey of before ? listIndexKeys(before) : []) {
      if (indexKeys.includes(indexKey)) continue;
      const indexed = this.index.get(indexKey);
      indexed?.delete(key);
      if (indexed?.size === 0) this.index.delete(indexKey);
    }
    if (!object) {
      this.objects.delete(key);
      return;
    }
    this.objects.set(key, object);
    for (const indexKey of indexKeys) {
      const indexed = this.index.get(indexKey);
      if (indexed) indexed.set(key, object);
      else this.index.set(indexKey, new Map([[key, object]]));
    }
  }

  private listIndexed(indexKey: string): Manifest[] {
    checkTimeNow();
    return [...(this.index.get(indexKey)?.values() ?? [])];
  }

  get now(): number {
    return this.latest + this.elapsed;
  }

  /** Notes that a rollout runs already: what happened before is not known. */
  join(): void {
    this.joined ??= this.latest;
  }

  /** Sets the milliseconds that have passed since the latest event. */
  advance(elapsed: number): void {
    this.elapsed = elapsed;
  }

  /** Returns an object. Without a namespace, the only one of its name; undefined if there are several. */
  get(group: string, kind: string, namespace: string | undefined, name: string): Manifest | undefined {
    if (namespace !== undefined) return this.objects.get(keyOf(group, kind, namespace, name));
    const found = this.listIndexed(keyOfName(group, kind, name));
    return found.length === 1 ? found[0] : undefined;
  }

  /** Returns a function that forgets those of some objects that were not listed again since now. */
  relist(isListed: (object: Manifest) => boolean): () => void {
    const stale = [...this.objects].filter(([, object]) => isListed(object));
    return () => {
      for (const [key, object] of stale) if (this.objects.get(key) === object) this.replace(key, undefined);
    };
  }

  /** Returns when the last pod of a namespace was gone, or may have been; undefined if none was. */
  private lastRemoval(object: Manifest): number | undefined {
    return this.removals.get(namespaceOf(object) ?? '') ?? this.joined;
  }

  /**
   * Reports whether a pod was refused some seconds after the last pod of its namespace was gone. What was refused before may succeed at the
   * next attempt, because the pod leaves its share of quotas, and their controller needs a moment to count again.
   */
  wasRefusedSinceRemoval(controller: Manifest, times: readonly unknown[]): boolean {
    return this.hasTimeAfter(this.lastRemoval(controller), QUOTA_SETTLE_MILLISECONDS, times);
  }

  /** Reports whether the scheduler has found no node for a pod since the last pod of its namespace was gone. */
  wasUnschedulableSinceRemoval(pod: Manifest, times: readonly unknown[]): boolean {
    const removal = this.lastRemoval(pod);
    return (
      this.hasTimeAfter(removal, NODE_SETTLE_MILLISECONDS, times) ||
      (removal !== undefined && this.now > removal + SCHEDULER_BACKOFF_MILLISECONDS)
    );
  }

  private hasTimeAfter(removal: number | undefined, settle: number, times: readonly unknown[]): boolean {
    return removal === undefined || times.some((time) => (parseTime(time) ?? 0) > removal + settle);
  }

  /** Returns the objects of a kind that an object controls. */
  ownedBy(owner: Manifest, kind: string): Manifest[] {
    const uid = getValueAt(owner, 'metadata', 'uid');
    return typeof uid === 'string' ? this.listIndexed(keyOfOwner(kind, uid)) : [];
  }

  /** Returns the events about an object, as objects of kind Event. */
  eventsAbout(object: Manifest): Manifest[] {
    const uid = getValueAt(object, 'metadata', 'uid');
    return typeof uid === 'string' ? this.listIndexed(keyOfSubject(uid)) : [];
  }
}
