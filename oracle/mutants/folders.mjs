// Each folder whose mutants are tried, with the tests that are asked: those of its own place, what upstream's code says of it, and the texts of all rules.
// Tests are files, or folders with all below. A folder holds the files in it, not those below.
const TEXTS = 'test/docs/rule-messages.test.ts';
const RULES = ['test/docs/rule-messages.test.ts', 'test/plan/advice.test.ts'];

const system = (name, ...further) => [
  { folder: `src/systems/${name}`, tests: [`test/systems/${name}`, ...further, TEXTS] },
  { folder: `src/systems/${name}/rules`, tests: [`test/systems/${name}`, ...RULES] },
];

const workload = (kind, ...further) => [
  { folder: `src/workloads/${kind}`, tests: [`test/workloads/${kind}`, ...further] },
  { folder: `src/workloads/${kind}/rules`, tests: [`test/workloads/${kind}`, ...RULES] },
];

const upstream = (...names) => names.map((name) => `test/upstream/${name}.test.ts`);

export const FOLDERS = [
  ...system('kuberay', ...upstream('kuberay-edits', 'kuberay-identity', 'kuberay-upgrades', 'kuberay-validation')),
  ...system('fleet', ...upstream('fleet-rollouts'), 'test/constructs/fleet-rollout-intents.test.ts'),
  ...workload('statefulset', ...upstream('statefulset-changes', 'statefulset-order', 'statefulset-validation')),
  { folder: 'src/cluster/room', tests: ['test/cluster', ...upstream('placement', 'quota-rollouts', 'quota-scales', 'quota-usage')] },
  { folder: 'src/core', tests: ['test/core', ...upstream('name-pattern')] },
  { folder: 'src/core/simulations', tests: ['test/core', 'test/workloads/deployment', 'test/workloads/statefulset', 'test/workloads/daemonset'] },
  { folder: 'src/core/rules', tests: ['test/core', 'test/input', ...RULES] },
  { folder: 'src/cluster', tests: ['test/cluster', ...upstream('disruption-budgets')] },
  { folder: 'src/cluster/rules', tests: ['test/cluster', ...RULES] },
  ...workload('deployment', ...upstream('deployment-changes', 'deployment-validation', 'deployment-waves')),
  ...workload('daemonset', ...upstream('daemonset-changes', 'daemonset-nodes', 'daemonset-validation', 'daemonset-waves')),
  { folder: 'src/workloads', tests: ['test/workloads'] },
  { folder: 'src/workloads/rules', tests: ['test/workloads', ...RULES] },
  { folder: 'src/workloads/pod', tests: ['test/workloads', ...upstream('pod-fields', 'workload-validation')] },
  { folder: 'src/workloads/pod/validation', tests: ['test/workloads', ...upstream('workload-validation')] },
  { folder: 'src/workloads/leader-worker-set', tests: ['test/systems/leaderworkerset', ...upstream('leaderworkerset')] },
  { folder: 'src/workloads/leader-worker-set/rules', tests: ['test/systems/leaderworkerset', ...RULES] },
  ...system('leaderworkerset', ...upstream('leaderworkerset')),
  ...system('disaggregatedset', ...upstream('disaggregatedset')),
  ...system('argo-rollouts', ...upstream('argo-rollouts')),
  ...system('argo-cd', ...upstream('argo-cd')),
  ...system('kserve', ...upstream('kserve-config', 'kserve-nodes', 'kserve-strategies')),
  { folder: 'src/systems/kserve/knative', tests: ['test/systems/kserve/knative', 'test/systems/kserve'] },
  ...system('llminferenceservice', ...upstream('llminferenceservice')),
  ...system('operator-resource'),
];
