import { StringDecoder } from 'node:string_decoder';
import { ClusterError, getLastErrorLine } from '../kubectl';
import type { Kubectl, KubectlWatch } from '../kubectl';
import type { VerifiedRollout } from '../../core/verify-report';
import type { PlanVerifier, WatchQuery } from './verify-plan';
import { EventReader } from './watch-events';

/** How to follow a cluster. */
export interface FollowOptions {
  /** Milliseconds after which following ends. */
  readonly timeout: number;
  /** Receives each rollout whose result changed. */
  readonly onChange: (rollout: VerifiedRollout) => void;
}

/** Milliseconds without an event after which the objects are compared: the events of one step arrive together. */
const QUIET_MILLISECONDS = 300;

/** Longest time in milliseconds that events without a pause delay a comparison. */
const MAX_DELAY_MILLISECONDS = 2_000;

/** A watch that ends sooner, in milliseconds, has failed. A server ends each watch after some minutes. */
const MIN_WATCH_MILLISECONDS = 5_000;

const KIND_OF_RESOURCE: Readonly<Record<string, string>> = {
  'daemonsets.apps': 'DaemonSet',
  'deployments.apps': 'Deployment',
  'replicasets.apps': 'ReplicaSet',
  'statefulsets.apps': 'StatefulSet',
  events: 'Event',
  pods: 'Pod',
};

/** The watches of one run. */
class WatchSet {
  private readonly watches = new Set<KubectlWatch>();
  isStopped = false;
  /** Time of the latest event that is not compared yet, and of the first one, in milliseconds. */
  latest: number | undefined;
  first: number | undefined;

  constructor(
    private readonly kubectl: Kubectl,
    private readonly verifier: PlanVerifier,
  ) {}

  /** Watches a type until the set is stopped, again and again, since servers end watches. @throws ClusterError if it cannot be watched */
  async keepWatching(query: WatchQuery): Promise<void> {
    const { resource, namespace } = query;
    while (!this.isStopped) {
      const startedAt = Date.now();
      const reader = new EventReader();
      const decoder = new StringDecoder('utf8');
      this.verifier.forget(KIND_OF_RESOURCE[resource]!, namespace);
      const watch = this.kubectl.start(
        'get',
        [resource, ...(namespace === undefined ? [] : [`--namespace=${namespace}`]), '--watch', '--output-watch-events', '--output=json'],
        (chunk) => {
          this.verifier.load(reader.read(decoder.write(chunk)));
          this.latest = Date.now();
          this.first ??= this.latest;
        },
      );
      this.watches.add(watch);
      const { succeeded, stderr } = await watch.ended;
      this.watches.delete(watch);
      if (!this.isStopped && Date.now() - startedAt < MIN_WATCH_MILLISECONDS) {
        const said = getLastErrorLine(stderr) || (succeeded ? 'the watch ends at once' : 'kubectl fails');
        throw new ClusterError(`cannot watch ${resource} of context ${this.kubectl.context}: ${said}`);
      }
    }
  }

  stop(): void {
    this.isStopped = true;
    for (const watch of this.watches) watch.stop();
  }
}

/** Compares the rollouts after events, until all have ended or the time is over. */
function compareUntilEnd(watches: WatchSet, verifier: PlanVerifier, { timeout, onChange }: FollowOptions): Promise<void> {
  const deadline = Date.now() + timeout;
  return new Promise((done) => {
    const timer = setInterval(() => {
      const { latest, first } = watches;
      const now = Date.now();
      if (latest !== undefined && (now - latest >= QUIET_MILLISECONDS || now - first! >= MAX_DELAY_MILLISECONDS)) {
        watches.latest = undefined;
        watches.first = undefined;
        verifier.compare().forEach(onChange);
      }
      if (!verifier.hasEnded && !watches.isStopped && now < deadline) return;
      clearInterval(timer);
      done();
    }, 100);
  });
}

/**
 * Follows the rollouts of a plan in a cluster until all have ended or the time is over.
 *
 * @throws ClusterError if a type cannot be watched
 */
export async function followCluster(kubectl: Kubectl, verifier: PlanVerifier, options: FollowOptions): Promise<void> {
  const watches = new WatchSet(kubectl, verifier);
  try {
    await Promise.race([
      compareUntilEnd(watches, verifier, options),
      Promise.all(verifier.listWatches().map((query) => watches.keepWatching(query))),
    ]);
  } finally {
    watches.stop();
  }
}
