import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { collectFindings } from '../../src/core/document/plan-document';
import { planManifests } from '../../src/headless';
import { Inventory } from '../../src/props/inventory';
import { examples, examplesFolder, synthesize } from './synthesize';

/** The errors that an example demonstrates. All other examples have none. */
const SHOWN_ERRORS: Readonly<Record<string, readonly string[]>> = { 'gpu-quota': ['kubernetes/surge-needs-headroom'] };

describe.each(examples)('%s', (example) => {
  const files = synthesize(example);

  test.each(files.map(({ name, yaml }) => [name, yaml]))('writes %s', (_, yaml) => {
    expect(`\n${yaml}`).toMatchSnapshot();
  });

  test('writes the same bytes every time', () => {
    expect(synthesize(example)).toEqual(files);
  });

  test('has a plan without errors', () => {
    // A fleet.yaml is not an object: the command line reads it together with its bundle.
    const objects = files
      .filter(({ name }) => !name.endsWith('fleet.yaml'))
      .flatMap(({ yaml }) => parseAllDocuments(yaml).map((document) => document.toJS() as unknown));
    const plan = planManifests(objects, { clusters: inventoryOf(example)?.clusters });

    expect(
      collectFindings(plan)
        .filter(({ severity }) => severity === 'error')
        .map(({ code }) => code),
    ).toEqual(SHOWN_ERRORS[example] ?? []);
    expect(plan.rollouts.length).toBeGreaterThan(0);
    expect(plan.rollouts.map(lineOf)).toMatchSnapshot();
  });
});

/** Returns the clusters of a Fleet example. */
function inventoryOf(example: string): Inventory | undefined {
  const file = ['clusters.json', 'clusters.yaml'].map((name) => path.join(examplesFolder, example, name)).find((name) => existsSync(name));
  return file === undefined ? undefined : Inventory.fromFile(file);
}

/** Summarizes a rollout on one line: its metrics and the warnings of the plan. */
function lineOf({ resource, simulation, findings }: ReturnType<typeof planManifests>['rollouts'][number]): string {
  const name = [resource.kind, resource.name, resource.component].filter(Boolean).join(' ');
  const warnings = findings.filter(({ severity }) => severity === 'warning').map(({ code }) => code);
  const figures =
    simulation?.kind === 'deployment'
      ? `${simulation.replicas} replicas, ${simulation.iterations} iterations, peak ${simulation.peakPods}, at least ${simulation.minAvailable} available`
      : simulation?.kind === 'statefulset'
        ? `${simulation.replicas} replicas, replaces ${simulation.order.join(', ')}, leaves ${simulation.untouched.join(', ')}`
        : simulation?.kind === 'daemonset'
          ? `${simulation.nodes} nodes in ${simulation.waves.length} waves, peak ${simulation.peakPods}, at least ${simulation.minAvailable} available`
          : simulation?.kind === 'rayservice'
            ? `${simulation.outcome} after ${simulation.durationSeconds} s, peak ${simulation.peakCapacityPercent} %`
            : simulation?.kind === 'fleet'
              ? `${simulation.partitions.length} partitions, install in ${simulation.install.waves.length} waves, update in ${simulation.update.waves.length}`
              : 'no simulation';
  return [`${name}: ${figures}`, ...warnings].join('; ');
}
