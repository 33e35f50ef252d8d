import type { Finding } from '../../src/core/findings/finding';
import type { PlannedRollout, RolloutDuration } from '../../src/core/document/rollout';
import { planManifests } from '../../src/headless';
import type { PlanOptions } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';

export { deployment, statefulSet } from '../builders/workload';

/** Returns a pod template with one container that has a readiness probe, and these fields. */
export function template(container: object = {}): object {
  return { spec: { containers: [{ name: 'app', readinessProbe: { httpGet: { path: '/ready', port: 8080 } }, ...container }] } };
}

/** Returns the rollout of the first object, planned together with the others. */
export function rolloutOf(objects: readonly object[], options?: PlanOptions): PlannedRollout {
  return planManifests(objects, options).rollouts[0]!;
}

/** Returns the findings of the first object's rollout with this code, or all findings without a code. */
export function findingsOf(objects: readonly object[], code?: string, options?: PlanOptions): readonly Finding[] {
  const { findings } = rolloutOf(objects, options);
  return code === undefined ? findings : findings.filter((finding) => finding.code === code);
}

/** Formats findings as short lines: `error kubernetes/invalid-strategy spec.replicas`. */
export function lines(findings: readonly Finding[]): string[] {
  return findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`);
}

/** Options for a plan in which every pod needs a minute to become ready. */
export const MINUTE: PlanOptions = { startupSeconds: 60 };

/** Returns the duration of the first object's rollout, planned together with the others. */
export function durationOf(object: object, options: PlanOptions = MINUTE, ...others: readonly object[]): RolloutDuration | undefined {
  return expectValidPlan(planManifests([object, ...others], options)).rollouts[0]!.duration;
}
