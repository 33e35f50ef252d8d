import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import { Deadline, DeadlineError } from '../../core/budget/deadline';
import { ClusterError, describeFailure, getLastErrorLine, isForbidden } from '../kubectl';
import type { Kubectl, KubectlResult, KubectlWatch } from '../kubectl';
import type { VerifiedRollout } from '../../core/document/verify-report';
import type { PlanVerifier, WatchQuery } from './verify-plan';
import { EventReader, EventStreamError } from './watch-events';

/** How to follow a cluster. */
export interface FollowOptions {
  /** Milliseconds after which following ends. */
  readonly timeout: number;
  /** Receives each rollout whose result changed. */
  readonly onChange: (rollout: VerifiedRollout) => void;
  /** Receives what the comparison does without. */
  readonly onNote: (text: string) => void;
}

/** Milliseconds between two looks at what the watches have brought. */
const MILLISECONDS_BETWEEN_LOOKS = 100;

/** Milliseconds without an event after which the objects are compared: the events of one step arrive together. */
const QUIET_MILLISECONDS = 300;

/** Longest time in milliseconds that events without a pause delay a comparison. */
const MAX_DELAY_MILLISECONDS = 2_000;

/** Milliseconds without an event after which the objects are compared once more, since some reasons are certain only after a while. */
const IDLE_MILLISECONDS = 1_000;

/** Milliseconds that the last comparison may take, although the timeout is near. */
const MIN_COMPARISON_MILLISECONDS = 1_000;

/** A watch that ends sooner without output, in milliseconds, has failed. A server ends each watch after some minutes. */
const MIN_WATCH_MILLISECONDS = 5_000;

/** Milliseconds until a watch that ended has listed the objects again. */
const RELIST_MILLISECONDS = 10_000;

/** Milliseconds until an interrupted watch is started again, and how often it may fail until following ends. A server that restarts is back by then. */
const RETRY_MILLISECONDS = 2_000;
const MAX_FAILURES = 30;

const EVENTS = 'events';

/** Maximum number of watches. Each is a process of kubectl, and a plan may name any number of namespaces. */
const MAX_WATCHES = 200;

const wait = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds).unref());

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
  /** Time of the latest event, and of the first one that is not compared yet, in milliseconds. */
  latest: number | undefined;
  first: number | undefined;

  constructor(
    private readonly kubectl: Kubectl,
    private readonly verifier: PlanVerifier,
    private readonly onNote: (text: string) => void,
  ) {}

  /** Watches a type until the set is stopped, again and again, since servers end watches. @throws ClusterError if it cannot be watched */
  async keepWatching(query: WatchQuery): Promise<void> {
    const { resource } = query;
    let hasListed = false;
    for (let failures = 0; !this.isStopped;) {
      const startedAt = Date.now();
      const { result, hasOutput } = await this.watchOnce(query);
      if (this.isStopped) return;
      // A namespace without such objects prints nothing.
      const hasWatched = hasOutput || Date.now() - startedAt >= MIN_WATCH_MILLISECONDS;
      hasListed ||= hasWatched;
      failures = hasWatched ? 0 : failures + 1;
      const said = getLastErrorLine(result.stderr) || (result.succeeded ? 'the watch ends at once' : describeFailure(result));
      if (isForbidden(said) && resource === EVENTS) {
        this.onNote(`the user may not read ${EVENTS}: reasons come from the pods only`);
        return;
      }
      if (failures > 0 && (!hasListed || failures >= MAX_FAILURES || isForbidden(said))) {
        throw new ClusterError(`cannot watch ${resource} of context ${this.kubectl.context}: ${said}`);
      }
      await wait(RETRY_MILLISECONDS);
    }
  }

  /** Watches a type until the server or kubectl ends the watch. The objects of an earlier watch stay until this one has listed them again. */
  private async watchOnce({ resource, namespace }: WatchQuery): Promise<{ readonly result: KubectlResult; readonly hasOutput: boolean }> {
    const reader = new EventReader();
    const decoder = new StringDecoder('utf8');
    const forgetStale = this.verifier.relist(KIND_OF_RESOURCE[resource]!, namespace);
    let hasOutput = false;
    let problem: { readonly error: unknown } | undefined;
    /** Does work in a callback. An error ends the watch. */
    const attempt = (work: () => void) => {
      try {
        work();
      } catch (error) {
        problem ??= { error };
        watch.stop();
      }
    };
    const watch = this.kubectl.start(
      'get',
      [resource, ...(namespace === undefined ? [] : [`--namespace=${namespace}`]), '--watch', '--output-watch-events', '--output=json'],
      (chunk) => {
        hasOutput = true;
        attempt(() => this.verifier.load(reader.read(decoder.write(chunk))));
        this.latest = Date.now();
        this.first ??= this.latest;
      },
    );
    const timer = setTimeout(() => attempt(forgetStale), RELIST_MILLISECONDS);
    this.watches.add(watch);
    try {
      const result = await watch.ended;
      if (problem?.error instanceof EventStreamError)
        throw new ClusterError(
          `cannot watch ${resource} of context ${this.kubectl.context}: what kubectl prints is no stream of events: ${problem.error.message}`,
        );
      if (problem) throw problem.error;
      return { result, hasOutput };
    } finally {
      clearTimeout(timer);
      this.watches.delete(watch);
    }
  }

  stop(): void {
    this.isStopped = true;
    for (const watch of this.watches) watch.stop();
  }
}

/** Compares the rollouts, and logs those whose result changed. Returns whether the time sufficed. */
function tryCompare(verifier: PlanVerifier, milliseconds: number, { onChange, onNote }: FollowOptions): boolean {
  try {
    new Deadline(milliseconds / 1_000).limit(() => verifier.compare()).forEach(onChange);
    return true;
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error;
    onNote('the time was over before all rollouts were compared; raise --timeout');
    return false;
  }
}

/** Compares the rollouts after events, and while nothing happens, until all have ended or the time is over. */
async function compareUntilEnd(watches: WatchSet, verifier: PlanVerifier, options: FollowOptions): Promise<void> {
  const end = Date.now() + options.timeout;
  let compared = 0;
  for (;;) {
    await sleep(MILLISECONDS_BETWEEN_LOOKS);
    const { latest, first } = watches;
    const now = Date.now();
    let isInTime = now < end;
    const isQuiet = latest !== undefined && now - latest >= QUIET_MILLISECONDS;
    const isDue = first === undefined ? now - compared >= IDLE_MILLISECONDS : isQuiet || now - first >= MAX_DELAY_MILLISECONDS;
    if (latest !== undefined && isDue) {
      compared = now;
      watches.first = undefined;
      verifier.advance(now - latest);
      isInTime = tryCompare(verifier, Math.max(end - now, MIN_COMPARISON_MILLISECONDS), options) && isInTime;
    }
    if (verifier.hasEnded || watches.isStopped || !isInTime) return;
  }
}

/**
 * Follows the rollouts of a plan in a cluster until all have ended or the time is over.
 *
 * @throws ClusterError if a type cannot be watched, or if the plan needs too many watches
 */
export async function followCluster(kubectl: Kubectl, verifier: PlanVerifier, options: FollowOptions): Promise<void> {
  const queries = verifier.listWatches();
  if (queries.length > MAX_WATCHES)
    throw new ClusterError(
      `the rollouts of the plan need ${queries.length} watches at the same time, and at most ${MAX_WATCHES} are made; plan fewer namespaces, with plan --namespace`,
    );
  const watches = new WatchSet(kubectl, verifier, options.onNote);
  try {
    await Promise.race([compareUntilEnd(watches, verifier, options), Promise.all(queries.map((query) => watches.keepWatching(query)))]);
  } finally {
    watches.stop();
  }
}
