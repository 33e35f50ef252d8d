// The folders whose mutants are tried together, with the tests that are asked: those of their place, what upstream's code says of it,
// of changes and of constructs, the texts of all rules, and what other folders say that is decided here.
// Tests are files, or folders with all below. A folder holds the files in it, not those below.
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
  tests: [`test/workloads/${kind}`, 'test/workloads/rules', 'test/workloads/pod', ...named('workloads')('plan', 'checks', 'policies'), ...further, ...CHANGES, ...RULES],
});

/** Files that hold the arithmetic of a rollout: all of their mutants are tried, however few of the others are. */
export const WHOLE = /\/core\/simulations\/|\/(simulate[\w-]*|simulation|canary-counts|planner|partitions|upgrade-loop|turn|limit)\.ts$/;

export const TOGETHER = [
  system('kserve', ...constructs('inference-service-rollout', 'kserve-platform-config'), ...change('kserve-mode', 'facts/kserve'), ...upstream('kserve-changes', 'kserve-config', 'kserve-nodes', 'kserve-strategies')),
  { folders: ['src/systems/kserve/knative'], tests: ['test/systems/kserve', ...upstream('kserve-config')] },
  {
    folders: ['src/cluster'],
    tests: [
      ...named('cluster')('autoscaler', 'context-kinds', 'context-rules', 'disruption-budget', 'volumes'), ...named('cluster/room')('pod-requests', 'own-nodes', 'unmodelled', 'admission', 'shared-room'),
      ...upstream('disruption-budgets', 'limit-ranges'), ...change('limit-range', 'added-pods'), ...plan('units', 'not-planned', 'each-kind', 'admitted'), 'test/cli/surroundings.test.ts', ...named('workloads')('kinds', 'checks'), 'test/cluster/capacity/node-pools.test.ts', 'test/cli/capacity.test.ts',
      'test/workloads/rules', 'test/systems/operator-resource', 'test/systems/leaderworkerset', 'test/systems/kserve/surroundings.test.ts', ...RULES,
    ],
  },
  {
    folders: ['src/cluster/room'],
    tests: [
      'test/cluster/room', 'test/cluster/rules', ...upstream('placement', 'quota-rollouts', 'quota-scales', 'quota-usage', 'limit-ranges', 'daemonset-nodes'),
      ...change('last-room', 'raised-quota', 'added-pods', 'limit-range'), 'test/plan/units.test.ts', 'test/cli/capacity.test.ts', 'test/workloads/daemonset/plan.test.ts', 'test/workloads/rules/outage.test.ts',
      ...['kuberay/room', 'operator-resource/room', 'leaderworkerset/plan', 'disaggregatedset/plan'].map((name) => `test/systems/${name}.test.ts`), ...RULES,
    ],
  },
  {
    folders: ['src/cluster/rules'],
    tests: [
      'test/cluster', ...change('last-room', 'limit-range', 'added-pods', 'raised-quota'), ...plan('units', 'plan', 'each-kind', 'admitted'), 'test/plan/advice.long.test.ts', ...cli('surroundings', 'capacity', 'input-rules'),
      ...['kinds', 'rules/outage', 'deployment/validation'].map((name) => `test/workloads/${name}.test.ts`), 'test/workloads/deployment/rules',
      ...['kuberay/room', 'leaderworkerset/plan', 'disaggregatedset/plan', 'kserve/knative/plan', 'kserve/surroundings', 'argo-rollouts/template', 'operator-resource/findings'].map((name) => `test/systems/${name}.test.ts`),
      ...CHANGES, ...RULES,
    ],
  },
  workload('deployment', ...constructs('deployment-policy'), ...change('rows-from-rest', 'way-back', 'scale-back', 'live'), ...upstream('deployment-changes', 'deployment-validation', 'deployment-waves')),
  workload('statefulset', ...change('claims-deleted', 'live'), ...upstream('statefulset-changes', 'statefulset-order', 'statefulset-validation', 'workload-validation')),
  workload('daemonset', ...constructs('daemon-set-policy'), ...change('live'), ...upstream('daemonset-changes', 'daemonset-nodes', 'daemonset-validation', 'daemonset-waves'), 'test/cluster/capacity/other-pods.test.ts'),
  {
    folders: ['src/workloads', 'src/workloads/rules'],
    tests: [
      'test/workloads', ...named('systems/kserve')('surroundings', 'autoscaling', 'findings'), 'test/systems/llminferenceservice',
      ...change('live', 'scale-back', 'rows-from-rest', 'added-pods'), ...CHANGES, ...RULES,
    ],
  },
  {
    folders: ['src/workloads/pod', 'src/workloads/pod/validation'],
    tests: [
      ...upstream('pod-fields', 'object-validation', 'template-fields', 'workload-validation'), 'test/change/stored', 'test/workloads/rules', 'test/workloads/pod',
      ...['deployment', 'statefulset'].map((kind) => `test/workloads/${kind}/validation.test.ts`), ...RULES,
    ],
  },
  {
    folders: ['src/workloads/leader-worker-set', 'src/workloads/leader-worker-set/rules', 'src/systems/leaderworkerset', 'src/systems/leaderworkerset/rules'],
    tests: [
      'test/systems/leaderworkerset', 'test/systems/disaggregatedset', ...constructs('leader-worker-set-rollout', 'disaggregated-set-rollout', 'refused-props'),
      ...change('leaderworkerset', 'leaderworkerset-claims', 'leaderworkerset-live', 'disaggregatedset-live', 'added-pods', 'scale-back', 'rows-from-rest'),
      ...upstream('leaderworkerset', 'disaggregatedset'), 'test/systems/llminferenceservice', 'test/core/simulations/standing-still.test.ts', ...CHANGES, ...RULES,
    ],
  },
  {
    folders: ['src/core/simulations'],
    tests: ['test/core/simulations', 'test/core/plan-key-order.test.ts', 'test/render/standstill.test.ts', 'test/cluster/room', 'test/systems/operator-resource/room.test.ts', 'test/systems/kuberay/room.test.ts', ...plan('each-kind')],
  },
  {
    folders: ['src/core', 'src/core/rules'],
    tests: [
      'test/core', 'test/input', 'test/workloads/deployment', 'test/workloads/statefulset', 'test/workloads/daemonset', 'test/cluster/room', 'test/render', 'test/constructs/synth-errors.test.ts',
      ...change('diff', 'secrets', 'given-twice', 'quota-values', 'pairing'), ...constructs('rollout-plan', 'javascript-callers', 'duplicates'),
      ...plan('plan', 'plan-budget', 'not-planned', 'refusal', 'each-kind', 'floods', 'same-thing', 'failures'),
      ...cli('bad-input', 'input-rules', 'input-documents', 'render', 'numbers-as-written', 'suppression', 'plan-from', 'plan', 'surroundings', 'check', 'diff', 'not-planned', 'crds', 'plan-documents'),
      ...upstream('name-pattern', 'quantities'), ...CHANGES, ...RULES,
    ],
  },
  system(
    'disaggregatedset', ...constructs('disaggregated-set-rollout', 'refused-props'), ...change('disaggregatedset-live', 'leaderworkerset'),
    ...upstream('disaggregatedset'), 'test/core/simulations/standing-still.test.ts',
  ),
  system('argo-rollouts', ...upstream('argo-rollouts')),
  system('argo-cd', ...constructs('application-set-rollout'), ...upstream('argo-cd'), ...plan('each-kind')),
  system('llminferenceservice', ...constructs('llm-inference-service-rollout'), ...upstream('llminferenceservice')),
  system('operator-resource', ...constructs('operator-rolling-update')),
  system(
    'kuberay', ...constructs('incremental-ray-service', 'incremental-ray-service-stages', 'incremental-ray-service-types', 'crd-acceptance-rayservice', 'refused-props'),
    ...upstream('kuberay-edits', 'kuberay-identity', 'kuberay-upgrades', 'kuberay-validation'), ...change('held', 'definition-defaults', 'secrets'),
  ),
  system(
    'fleet',
    ...constructs('fleet-bundle', 'fleet-rollout-intents'), ...upstream('fleet-rollouts', 'name-pattern'), ...change('reached-clusters', 'held'),
    ...plan('not-planned'), ...cli('surroundings'), 'test/change/facts/fleet.test.ts', 'test/render/text-fleet.test.ts', 'test/props/name-conflicts.test.ts',
  ),
];
