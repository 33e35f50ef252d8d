import type { PlanDocument } from '../../src/core/document/plan-document';
import type { PlannedRollout } from '../../src/core/document/rollout';
import type { VerifiedRollout, VerifyReport } from '../../src/core/document/verify-report';
import { rolloutkit } from '../cli/command-line';
import { ObservedNamespace } from './observed-cluster';
import type { LiveEvent, LiveObject, ObservedWorkload } from './observed-cluster';

/** One change of live workloads, recorded by `oracle/cluster/rollouts.js`. */
export interface RecordedRollout {
  readonly family: string;
  readonly namespace: string;
  /** How kubectl applied it. */
  readonly mode: 'client' | 'server';
  /** Resource version before the apply. */
  readonly since: number;
  readonly next: readonly LiveObject[];
  /** What else happened during the rollout. */
  readonly steps: readonly { readonly since: number; readonly does: string }[];
  readonly applied: { readonly code: number };
  readonly snapshot: string;
  readonly events: readonly LiveEvent[];
}

/** A recorded change with what this version says about it. */
export interface ComparedRollout {
  readonly plan: PlanDocument;
  readonly report: VerifyReport;
  /** Sentences that contradict what happened; empty if everything agrees. */
  readonly differences: readonly string[];
  /** Figures that are equal, of those that are compared: a plan is a limit, since pods of one wave may become ready one by one. */
  readonly equal: number;
  readonly figures: number;
}

const WORKLOADS = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);

/** Effects of an apply that replace pods. */
const ROLLING = new Set(['roll', 'roll-and-scale', 'replace']);
const QUIET = new Set(['none', 'metadata', 'settings', 'held']);

function watchStream(events: readonly LiveEvent[]): string {
  return events.map((event) => JSON.stringify(event)).join('\n');
}

/** Plans a recorded change from its snapshot, and compares the plan with the recorded events. */
async function runCommands({ next, snapshot, events, mode }: RecordedRollout): Promise<{ plan: PlanDocument; report: VerifyReport }> {
  const files = { 'new.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: next }), 'snapshot.json': snapshot };
  const { stdout: plan, stderr } = await rolloutkit(`plan --from snapshot.json --apply ${mode} --format json new.json`, { files });
  if (plan === '') throw new Error(stderr);
  const relevant = events.filter(
    ({ object: { kind } }) => kind !== 'Service' && kind !== 'EndpointSlice' && kind !== 'HorizontalPodAutoscaler',
  );
  const verified = await rolloutkit('verify plan.json --events events.json --format json', {
    files: { 'plan.json': plan, 'events.json': watchStream(relevant) },
  });
  if (verified.stdout === '') throw new Error(verified.stderr);
  return { plan: JSON.parse(plan) as PlanDocument, report: JSON.parse(verified.stdout) as VerifyReport };
}

/** Figures of a plan that a rollout may stay within. */
class Figures {
  readonly differences: string[] = [];
  equal = 0;
  count = 0;

  /** Compares a figure that must be equal. */
  same(what: string, planned: unknown, observed: unknown): void {
    this.count++;
    if (planned === observed) this.equal++;
    else this.differences.push(`${what}: planned ${String(planned)}, observed ${String(observed)}`);
  }

  /** Compares a figure that the plan limits. */
  within(what: string, planned: number, observed: number, isMost: boolean): void {
    this.count++;
    if (planned === observed) this.equal++;
    if (isMost ? observed > planned : observed < planned) this.differences.push(`${what}: planned ${planned}, observed ${observed}`);
  }
}

const imageOf = ({ spec }: LiveObject) => {
  const { template } = spec as { template: { spec: { containers: readonly { image: string }[] } } };
  return template.spec.containers[0]!.image;
};

/** Reports whether a workload has reached its new state. */
function hasFinished({ after, readyAfter, replicas }: ObservedWorkload, verified: VerifiedRollout | undefined): boolean {
  const [, desired] = replicas;
  return after === readyAfter && (desired === undefined || after === desired) && verified?.status !== 'deadlocks';
}

function compareEffect(figures: Figures, name: string, effect: string, observed: ObservedWorkload, isAutoscaled: boolean): void {
  if (effect === 'held' || effect === 'unknown') return;
  const [before, after] = observed.replicas;
  const template = observed.isTemplateChanged ? 'roll' : '';
  // An autoscaler undoes a change of the replicas.
  const scale = (isAutoscaled ? effect.includes('scale') : before !== after) ? 'scale' : '';
  const happened = [template, scale].filter((part) => part !== '').join('-and-') || 'none';
  figures.same(`effect on ${name}`, QUIET.has(effect) ? 'none' : effect, happened);
}

function compareRollout(
  figures: Figures,
  recorded: RecordedRollout,
  object: LiveObject,
  rollout: PlannedRollout,
  verified: VerifiedRollout | undefined,
  observed: ObservedWorkload,
): void {
  const { name } = object.metadata;
  const { simulation, capacity } = rollout;
  const isBroken = /broken|crash|unready/.test(imageOf(object));
  const status = verified?.status ?? 'none';
  if (recorded.steps.length > 0) {
    const { does } = recorded.steps[0]!;
    // Pods that somebody deletes are replaced, and what comes after the end is not compared.
    const mayEndAsPlanned = does.startsWith('delete pods') || observed.wasReplaced;
    if (!mayEndAsPlanned) figures.same(`verify of ${name}, after ${does}`, 'deviating', status);
    return;
  }
  // After many refusals, a ReplicaSet waits up to 1,000 s until its next attempt, and the recording ends before.
  if (status === 'running' && verified!.reasons.some(({ reason }) => reason === 'FailedCreate')) return;
  const expectsDeadlock = capacity?.verdict === 'deadlocks';
  if (expectsDeadlock || isBroken) {
    const waits = imageOf(object).includes('unready') && !expectsDeadlock;
    const reached = simulation !== null && 'waves' in simulation && simulation.waves.length === 0;
    if (!reached)
      figures.same(`verify of ${name}`, waits ? 'no end' : 'deadlocks', waits && ['running', 'late'].includes(status) ? 'no end' : status);
  } else if (capacity?.verdict !== 'may-not-fit') {
    figures.same(
      `verify of ${name}`,
      'finished as planned',
      ['as-planned', 'late'].includes(status) ? 'finished as planned' : `${status}: ${verified?.message}`,
    );
  }
  // The waves are those of one number of replicas, and an autoscaler chooses another one in its range.
  if (rollout.autoscaled || !simulation || !('peakPods' in simulation || 'minAvailable' in simulation)) return;
  // Before the controller deletes an old pod in the same wave, it has created the new ones.
  const transient = simulation.kind === 'deployment' ? simulation.replicas + simulation.surge : 0;
  if ('peakPods' in simulation)
    figures.within(`peak of ${name}`, Math.max(simulation.peakPods, Math.min(transient, observed.peak)), observed.peak, true);
  if ('minAvailable' in simulation && !isBroken)
    figures.within(`fewest ready of ${name}`, simulation.minAvailable, observed.leastReady, false);
  const deadlockWave = capacity?.verdict === 'deadlocks' ? capacity.deadlockWave : undefined;
  if (deadlockWave !== undefined)
    figures.same(`wave of the deadlock of ${name}`, `wave ${deadlockWave}`, /at (wave \d+)/.exec(verified?.message ?? '')?.[1]);
  if (!isBroken && !expectsDeadlock && verified && hasFinished(observed, verified)) {
    for (const { wave, planned, observed: seen } of verified.waves) {
      figures.count++;
      if (seen && seen.new === planned.new && seen.old === planned.old) figures.equal++;
      if (!seen) figures.differences.push(`wave ${wave} of ${name} never came`);
    }
  }
}

/** Compares a recorded change with the plan from its snapshot, and with what `verify` says about its events. */
export async function compareRecordedRollout(recorded: RecordedRollout): Promise<ComparedRollout> {
  const { plan, report } = await runCommands(recorded);
  const figures = new Figures();
  const namespace = new ObservedNamespace(recorded.events, recorded.since);
  const refused = plan.change!.objects.filter(({ effect }) => effect === 'refused').length;
  figures.same('refused', refused > 0, recorded.applied.code !== 0);
  for (const object of recorded.next.filter(({ kind }) => WORKLOADS.has(kind))) {
    const { name } = object.metadata;
    const isThis = ({ resource }: { resource: { kind: string; name: string } }) => resource.kind === object.kind && resource.name === name;
    const observed = namespace.measureWorkload(object.kind, name);
    const change = plan.change!.objects.find(isThis);
    const rollout = plan.rollouts.find(isThis);
    if (!observed || !change) {
      figures.differences.push(`${name} is not in the ${observed ? 'plan' : 'cluster'}`);
      continue;
    }
    if (recorded.steps.length === 0) compareEffect(figures, name, change.effect, observed, rollout?.autoscaled !== undefined);
    if (!rollout || QUIET.has(change.effect)) continue;
    const verified = report.rollouts.find(isThis);
    compareRollout(figures, recorded, object, rollout, verified, observed);
    if (
      ROLLING.has(change.effect) &&
      !rollout.autoscaled &&
      recorded.steps.length === 0 &&
      verified &&
      ['as-planned', 'late'].includes(verified.status)
    ) {
      figures.same(`pods of ${name} after`, change.pods?.after, observed.after);
    }
  }
  const hasEnded = report.rollouts.every(({ status }) => status === 'as-planned' || status === 'late');
  for (const { resource, readyEndpoints, mayAlsoSelect } of plan.services ?? []) {
    if (resource.namespace !== recorded.namespace || recorded.steps.length > 0) continue;
    const observed = namespace.measureService(resource.name);
    figures.same(`endpoints of ${resource.name} before`, readyEndpoints.before, observed.before);
    if (mayAlsoSelect) continue;
    figures.within(`fewest endpoints of ${resource.name}`, readyEndpoints.least, observed.least, false);
    if (hasEnded) figures.same(`endpoints of ${resource.name} after`, readyEndpoints.after, observed.after);
  }
  return { plan, report, differences: figures.differences, equal: figures.equal, figures: figures.count };
}
