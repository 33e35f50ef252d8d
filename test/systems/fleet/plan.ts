import type { PlannedRollout } from '../../../src/core/document/rollout';
import type { FleetSimulation, FleetWaves } from '../../../src/core/simulations/fleet';
import { planManifests } from '../../../src/headless';
import type { PlanOptions } from '../../../src/headless';

/** Returns a Bundle for every cluster with this rolloutStrategy and these fields of the spec replaced. */
export function bundle(rolloutStrategy?: unknown, spec: object = {}, metadata: object = { name: 'shop' }): object {
  return {
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'Bundle',
    metadata,
    spec: { targets: [{ clusterSelector: {} }], rolloutStrategy, ...spec },
  };
}

/** Returns `count` clusters in the compact form: `name-001`, `name-002`, …, all with these labels. */
export function clusters(count: number, name = 'cluster', labels: Record<string, string> = {}): object[] {
  return Array.from({ length: count }, (_, index) => ({ name: `${name}-${String(index + 1).padStart(3, '0')}`, labels }));
}

/** Returns options with an inventory of these clusters and groups. */
export function inventory(entries: readonly object[], groups: readonly object[] = []): PlanOptions {
  return { clusters: [{ clusters: entries, groups }] };
}

/** Returns the rollout of the first object, planned with all of them as input. */
export function rolloutOf(objects: object | readonly object[], options?: PlanOptions): PlannedRollout {
  return planManifests(Array.isArray(objects) ? objects : [objects], options).rollouts[0]!;
}

/** Returns the simulation of the first object's rollout, which must not be refused. */
export function simulationOf(objects: object | readonly object[], options?: PlanOptions): FleetSimulation {
  const rollout = rolloutOf(objects, options);
  if (rollout.simulation?.kind !== 'fleet') throw new Error(`not simulated: ${JSON.stringify(rollout.findings)}`);
  return rollout.simulation;
}

/** Returns the findings of the first object's rollout as short lines: `error fleet/max-new-zero spec.rolloutStrategy.maxNew`. */
export function lines(objects: object | readonly object[], options?: PlanOptions): string[] {
  return rolloutOf(objects, options).findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`);
}

/**
 * Formats waves in one line: `20 + 20, halts after staging (1 partition unavailable), 10 not released`. Runs of equal waves are counted: `3 × 20`.
 */
export function formatWaves({ waves, done, halted, notReleasedCount }: FleetWaves): string {
  const runs: { count: number; times: number }[] = [];
  for (const { count } of waves) {
    const run = runs.at(-1);
    if (run?.count === count) run.times++;
    else runs.push({ count, times: 1 });
  }
  const sizes = runs.map(({ count, times }) => (times === 1 ? String(count) : `${times} × ${count}`)).join(' + ') || 'nothing';
  if (done) return `${sizes}, done`;
  const where = halted?.partition == null ? '' : ` after ${halted.partition}`;
  const end = halted ? `halts${where} (partitions unavailable: ${halted.unavailablePartitions})` : 'ends';
  return `${sizes}, ${end}, ${notReleasedCount} not released`;
}

/** Formats install and update in one line each. */
export function wavesOf(objects: object | readonly object[], options?: PlanOptions): { install: string; update: string } {
  const { install, update } = simulationOf(objects, options);
  return { install: formatWaves(install), update: formatWaves(update) };
}

/** Formats partitions: `staging 10/1` for ten clusters with one that may be unavailable. */
export function partitionsOf(objects: object | readonly object[], options?: PlanOptions): string[] {
  return simulationOf(objects, options).partitions.map(({ name, count, maxUnavailable }) => `${name} ${count}/${maxUnavailable}`);
}
