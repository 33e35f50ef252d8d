// The folders whose mutants are tried together, with the tests that are asked: those of their place, what upstream's code says of it,
// of changes and of constructs, and the texts of all rules.
// Tests are files, or folders with all below. A folder holds the files in it, not those below.
const RULES = ['test/docs/rule-messages.test.ts', 'test/plan/advice.test.ts'];
const CHANGES = ['test/change/systems.test.ts', 'test/change/each-workload.test.ts'];

const named = (folder) => (...names) => names.map((name) => `test/${folder}/${name}.test.ts`);
const upstream = named('upstream');
const constructs = named('constructs');
const change = named('change');

const system = (name, ...further) => ({
  folders: [`src/systems/${name}`, `src/systems/${name}/rules`],
  tests: [`test/systems/${name}`, ...further, ...CHANGES, ...RULES],
});

const workload = (kind, ...further) => ({
  folders: [`src/workloads/${kind}`, `src/workloads/${kind}/rules`],
  tests: [`test/workloads/${kind}`, ...further, ...CHANGES, ...RULES],
});

export const TOGETHER = [
  system('kserve', ...constructs('inference-service-rollout', 'kserve-platform-config'), ...change('kserve-mode'), ...upstream('kserve-config', 'kserve-nodes', 'kserve-strategies')),
  { folders: ['src/systems/kserve/knative'], tests: ['test/systems/kserve/knative', 'test/systems/kserve'] },
  {
    folders: ['src/cluster', 'src/cluster/rules', 'src/cluster/room'],
    tests: ['test/cluster', ...upstream('disruption-budgets', 'placement', 'quota-rollouts', 'quota-scales', 'quota-usage', 'limit-ranges'), ...change('last-room', 'limit-range', 'added-pods', 'raised-quota'), 'test/plan/units.test.ts', ...RULES],
  },
  workload('deployment', ...constructs('deployment-policy'), ...upstream('deployment-changes', 'deployment-validation', 'deployment-waves')),
  workload('statefulset', ...change('claims-deleted'), ...upstream('statefulset-changes', 'statefulset-order', 'statefulset-validation')),
  workload('daemonset', ...constructs('daemon-set-policy'), ...upstream('daemonset-changes', 'daemonset-nodes', 'daemonset-validation', 'daemonset-waves')),
  {
    folders: ['src/workloads', 'src/workloads/rules', 'src/workloads/pod', 'src/workloads/pod/validation'],
    tests: ['test/workloads', ...upstream('pod-fields', 'workload-validation'), ...CHANGES, ...RULES],
  },
  {
    folders: ['src/workloads/leader-worker-set', 'src/workloads/leader-worker-set/rules', 'src/systems/leaderworkerset', 'src/systems/leaderworkerset/rules'],
    tests: ['test/systems/leaderworkerset', ...constructs('leader-worker-set-rollout'), ...change('leaderworkerset', 'leaderworkerset-live'), ...upstream('leaderworkerset'), ...CHANGES, ...RULES],
  },
  {
    folders: ['src/core', 'src/core/simulations', 'src/core/rules'],
    tests: [
      'test/core', 'test/input', 'test/workloads/deployment', 'test/workloads/statefulset', 'test/workloads/daemonset',
      ...change('diff', 'secrets', 'plan-change'), ...constructs('synth-errors', 'rollout-plan'), ...named('plan')('plan', 'plan-budget', 'not-planned', 'refusal'),
      ...upstream('name-pattern'), ...CHANGES, ...RULES,
    ],
  },
  system('disaggregatedset', ...constructs('disaggregated-set-rollout'), ...upstream('disaggregatedset')),
  system('argo-rollouts', ...upstream('argo-rollouts')),
  system('argo-cd', ...constructs('application-set-rollout'), ...upstream('argo-cd')),
  system('llminferenceservice', ...constructs('llm-inference-service-rollout'), ...upstream('llminferenceservice')),
  system('operator-resource', ...constructs('operator-rolling-update')),
  system('kuberay', ...constructs('incremental-ray-service', 'incremental-ray-service-stages', 'incremental-ray-service-types'), ...upstream('kuberay-edits', 'kuberay-identity', 'kuberay-upgrades', 'kuberay-validation')),
  system('fleet', ...constructs('fleet-bundle', 'fleet-rollout-intents'), ...upstream('fleet-rollouts')),
];
