// Source folders that are mutated together, and the tests to run for them: the folder's own tests, comparisons with upstream's code, tests of
// changes and constructs, the messages of all rules, and tests of other folders that depend on these.
// A test is a file, or a folder with its subfolders. A source folder does not include its subfolders.
const RULES = ['test/docs/rule-messages.test.ts'];
const CHANGES = ['test/change/systems.test.ts', 'test/change/each-workload.test.ts'];

const named = (folder) => (...names) => names.map((name) => `test/${folder}/${name}.test.ts`);
const upstream = named('upstream');
const constructs = named('constructs');
const change = named('change');
const plan = named('plan');
const cli = named('cli');

const system = (name, ...further) => ({
  folders: [`src/systems/${name}`, `src/systems/${name}/rules`],
  tests: [`test/systems/${name}`, ...further, ...CHANGES, ...RULES],
});

const workload = (kind, ...further) => ({
  folders: [`src/workloads/${kind}`, `src/workloads/${kind}/rules`],
  tests: [`test/workloads/${kind}`, 'test/workloads/rules', 'test/workloads/pod', ...named('workloads')('plan', 'policies'), ...further, ...CHANGES, ...RULES],
});

/** Files with the arithmetic of rollouts. All of their mutants are tried, even if a run tries only some mutants of other files. */
export const WHOLE = /\/core\/simulations\/|\/(simulate[\w-]*|simulation|canary-pod-counts|planner|partitions|upgrade-loop|leader-worker-set\/reconcile|limit)\.ts$/;

export const TOGETHER = [
  system('kserve', ...constructs('inference-service-rollout', 'kserve-platform-config'), ...change('kserve-mode', 'facts/kserve'), ...upstream('kserve-changes.long', 'kserve-config', 'kserve-nodes', 'kserve-strategies')),
  { folders: ['src/systems/kserve/knative'], tests: ['test/systems/kserve', ...upstream('kserve-config')] },
  {
    folders: ['autoscaling', 'context', 'disruption-budgets', 'evaluation', 'kinds', 'rejections', 'rollout'].map((name) => `src/cluster/${name}`),
    tests: [
      ...named('cluster')('autoscaler', 'context-kinds', 'context-rules', 'disruption-budget', 'volumes'), ...named('cluster/capacity')('own-nodes', 'pod-requests', 'unmodelled-constraints', 'admission', 'shared-capacity'),
      ...upstream('disruption-budgets', 'limit-ranges'), ...change('limit-range', 'added-pods'), ...plan('units', 'unsupported-kinds', 'each-kind', 'served-objects'), 'test/cli/surroundings.test.ts', ...named('workloads')('kinds'), 'test/cluster/capacity/node-pools.test.ts', 'test/cli/capacity.test.ts',
      'test/workloads/rules', 'test/systems/operator-resource', 'test/systems/leaderworkerset', 'test/systems/kserve/surroundings.test.ts', ...RULES,
    ],
  },
  {
    folders: ['src/cluster/capacity', ...['admission', 'daemons', 'nodes', 'surroundings'].map((name) => `src/cluster/capacity/${name}`)],
    tests: [
      'test/cluster/capacity', 'test/cluster/rules', ...upstream('placement', 'quota-rollouts', 'quota-scales', 'quota-usage', 'limit-ranges', 'daemonset-nodes'),
      ...change('competing-rollouts', 'quota-increases', 'added-pods', 'limit-range'), 'test/plan/units.test.ts', 'test/cli/capacity.test.ts', 'test/workloads/daemonset/plan.test.ts', 'test/workloads/rules/outage.test.ts',
      ...['kuberay/capacity', 'operator-resource/capacity', 'leaderworkerset/plan', 'disaggregatedset/plan'].map((name) => `test/systems/${name}.test.ts`), ...RULES,
    ],
  },
  {
    folders: ['src/cluster/rules'],
    tests: [
      'test/cluster', ...change('competing-rollouts', 'limit-range', 'added-pods', 'quota-increases'), ...plan('units', 'plan', 'each-kind', 'served-objects'), 'test/plan/advice.long.test.ts', ...cli('surroundings', 'capacity', 'input-rules'),
      ...['kinds', 'rules/outage', 'deployment/validation'].map((name) => `test/workloads/${name}.test.ts`), 'test/workloads/deployment/rules',
      ...['kuberay/capacity', 'leaderworkerset/plan', 'disaggregatedset/plan', 'kserve/knative/plan', 'kserve/surroundings', 'argo-rollouts/template', 'operator-resource/findings'].map((name) => `test/systems/${name}.test.ts`),
      ...CHANGES, ...RULES,
    ],
  },
  {
    folders: ['src/cluster/pods', 'src/cluster/pods/rules'],
    tests: [
      'test/cluster/pods', 'test/workloads/rules', 'test/workloads/deployment/rules', 'test/systems/leaderworkerset', 'test/systems/disaggregatedset',
      'test/systems/llminferenceservice', 'test/systems/kserve/findings.test.ts', 'test/systems/kuberay/rules', 'test/systems/argo-rollouts/template.test.ts', ...RULES,
    ],
  },
  workload('deployment', ...constructs('deployment-policy'), ...change('assumes-steady-state', 'rollback', 'scale-rollback', 'live-objects'), ...upstream('deployment-changes', 'deployment-validation', 'deployment-waves')),
  workload('statefulset', ...change('claims-deleted', 'live-objects'), ...upstream('statefulset-changes', 'statefulset-order', 'statefulset-validation', 'workload-validation.long')),
  workload('daemonset', ...constructs('daemon-set-policy'), ...change('live-objects'), ...upstream('daemonset-changes', 'daemonset-nodes', 'daemonset-validation', 'daemonset-waves'), 'test/cluster/capacity/other-pods.test.ts'),
  {
    folders: ['src/workloads', 'src/workloads/rules'],
    tests: [
      'test/workloads', ...named('systems/kserve')('surroundings', 'autoscaling', 'findings'), 'test/systems/llminferenceservice',
      ...change('live-objects', 'scale-rollback', 'assumes-steady-state', 'added-pods'), ...CHANGES, ...RULES,
    ],
  },
  {
    folders: ['src/workloads/pod', 'src/workloads/pod/validation'],
    tests: [
      ...upstream('pod-fields', 'object-validation.long', 'template-fields', 'workload-validation.long'), 'test/change/apiserver', 'test/workloads/rules', 'test/workloads/pod',
      ...['deployment', 'statefulset'].map((kind) => `test/workloads/${kind}/validation.test.ts`), ...RULES,
    ],
  },
  {
    folders: ['src/workloads/leader-worker-set', 'src/workloads/leader-worker-set/rules', 'src/systems/leaderworkerset', 'src/systems/leaderworkerset/rules'],
    tests: [
      'test/systems/leaderworkerset', 'test/systems/disaggregatedset', ...constructs('leader-worker-set-rollout', 'disaggregated-set-rollout', 'refused-props'),
      ...change('leaderworkerset', 'leaderworkerset-claims', 'leaderworkerset-live', 'disaggregatedset-live', 'added-pods', 'scale-rollback', 'assumes-steady-state'),
      ...upstream('leaderworkerset', 'disaggregatedset'), 'test/systems/llminferenceservice', 'test/core/simulations/deadlock.test.ts', ...CHANGES, ...RULES,
    ],
  },
  {
    folders: ['src/core/simulations'],
    tests: ['test/core/simulations', 'test/core/plan-key-order.test.ts', 'test/render/deadlock.test.ts', 'test/cluster/capacity', 'test/systems/operator-resource/capacity.test.ts', 'test/systems/kuberay/capacity.test.ts', ...plan('each-kind')],
  },
  {
    folders: ['budget', 'collections', 'document', 'errors', 'findings', 'manifest', 'rules', 'sources', 'text', 'values'].map((name) => `src/core/${name}`),
    tests: [
      'test/core', 'test/input', 'test/workloads/deployment', 'test/workloads/statefulset', 'test/workloads/daemonset', 'test/cluster/capacity', 'test/render', 'test/constructs/synth-errors.test.ts',
      ...change('diff', 'secrets', 'duplicate-old-object', 'quota-values', 'match-objects'), ...constructs('rollout-plan', 'javascript-callers', 'duplicates'),
      ...plan('plan', 'plan-budget', 'unsupported-kinds', 'rejection-reasons', 'each-kind', 'floods', 'deduplicate-findings', 'isolate-failures'),
      ...cli('bad-input', 'input-rules', 'input-documents', 'render', 'suppression', 'plan-from', 'plan', 'surroundings', 'check', 'diff', 'not-planned', 'crds', 'plan-documents'),
      ...upstream('name-pattern', 'quantities'), ...CHANGES, ...RULES,
    ],
  },
  system(
    'disaggregatedset', ...constructs('disaggregated-set-rollout', 'refused-props'), ...change('disaggregatedset-live', 'leaderworkerset'),
    ...upstream('disaggregatedset'), 'test/core/simulations/deadlock.test.ts',
  ),
  system('argo-rollouts', ...upstream('argo-rollouts')),
  system('argo-cd', ...constructs('application-set-rollout'), ...upstream('argo-cd'), ...plan('each-kind')),
  system('llminferenceservice', ...constructs('llm-inference-service-rollout'), ...upstream('llminferenceservice')),
  system('operator-resource', ...constructs('operator-rolling-update')),
  system(
    'kuberay', ...constructs('incremental-ray-service', 'incremental-ray-service-stages', 'incremental-ray-service-types', 'crd-acceptance-rayservice', 'refused-props'),
    ...upstream('kuberay-edits', 'kuberay-identity', 'kuberay-upgrades', 'kuberay-validation'), ...change('held-until', 'definition-defaults', 'secrets'),
  ),
  system(
    'fleet',
    ...constructs('fleet-bundle', 'fleet-rollout-intents'), ...upstream('fleet-rollouts', 'name-pattern'), ...change('fleet-targets', 'held-until'),
    ...plan('unsupported-kinds'), ...cli('surroundings'), 'test/change/facts/fleet.test.ts', 'test/render/text-fleet.test.ts', 'test/props/name-conflicts.test.ts',
  ),
];
