import { planRecordedUpgrades } from './operator-upgrades';
import type { ComparedUpgrade } from './operator-upgrades';

/** Components by the end of the names of their workloads. */
const COMPONENTS: readonly (readonly [end: string, component: string])[] = [
  ['-router-scheduler', 'scheduler'],
  ['-prefill', 'prefill'],
  ['', 'workload'],
];

const componentOf = (name: string) => COMPONENTS.find(([end]) => name.endsWith(end))![1];

/**
 * Returns the components whose pods are replaced, as they were recorded. The fake server accepts a changed selector, and the real one refuses it:
 * then neither prefill nor the scheduler, which comes after it, is written.
 */
function listRecorded({ recorded: { differences = {} } }: ComparedUpgrade): string[] {
  const changed = Object.entries(differences).filter(([, paths]) => paths.some((path) => path.startsWith('.template.')));
  const isRefused = Object.values(differences)
    .flat()
    .some((path) => path.startsWith('.selector.'));
  const components = changed.map(([name]) => componentOf(name));
  return components.filter((component) => !isRefused || component === 'workload').toSorted();
}

function listPlanned({ plan }: ComparedUpgrade): string[] {
  const rolled = plan.rollouts.filter(({ simulation }) => simulation !== null);
  return rolled.map(({ resource: { component } }) => (component === 'decode' ? 'workload' : component!)).toSorted();
}

/** The presets that KServe pins, by the annotation of the status. */
const PRESETS = ['template', 'worker-data-parallel', 'scheduler'].flatMap((name) => [
  `config-llm-${name}`,
  `config-llm-decode-${name}`,
  `config-llm-prefill-${name}`,
]);

/** Returns a service that is pinned to presets which the upgrade does not change, for a pair with the old presets. */
function pinPresets(input: object, pair: string): object {
  if (!pair.endsWith(' with the old presets')) return input;
  return { ...input, status: { annotations: Object.fromEntries(PRESETS.map((name) => [`serving.kserve.io/${name}`, `v1-${name}`])) } };
}

test('upgrades of KServe replace the pods of the components of an LLMInferenceService that are written differently', () => {
  const upgrades = planRecordedUpgrades('kserve-llm-upgrades', 'kserve', pinPresets);
  expect(upgrades.length).toBeGreaterThan(10);
  const differing = upgrades.filter((one) => JSON.stringify(listPlanned(one)) !== JSON.stringify(listRecorded(one)));
  expect(differing.map((one) => [one.pair, one.input, listRecorded(one), listPlanned(one), one.effect])).toEqual([]);
});
