/**
 * Output of `npm start`: a short plan of each example, and what to read next.
 *
 * Input files next to an example are found by their names. Other arguments are listed below.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

interface Stop {
  /** What the example shows. */
  readonly shows: string;
  /** Further arguments of the command line. */
  readonly args?: readonly string[];
  /** Expected number of errors. @default 0 */
  readonly errors?: number;
}

export const STOPS: Readonly<Record<string, Stop>> = {
  'quick-start': { shows: 'two components of a model, whose strategies come from two levels of configuration' },
  'deployment-policies': { shows: 'policies for Deployments and StatefulSets', args: ['--startup-seconds', '30'] },
  guardrails: { shows: 'a platform team’s guardrails, and the admission policy that enforces them' },
  'daemonset-agents': { shows: 'DaemonSets on the nodes of a cluster', args: ['--startup-seconds', '30'] },
  'gpu-quota': { shows: 'a surge that exceeds a quota, and two solutions', errors: 1 },
  'kserve-guide': { shows: 'the examples of KServe’s rollout guide' },
  'kserve-best-practices': { shows: 'presets for production and testing' },
  'kserve-platform': { shows: 'defaults of a platform, and services that override them' },
  'kserve-multinode': { shows: 'a model on several nodes, whose head and workers roll separately' },
  'kuberay-guide': { shows: 'incremental upgrades of RayServices', args: ['--versions', 'kuberay=1.7'] },
  'kuberay-llm-40-gpus': { shows: 'an upgrade that needs at most 44 GPUs' },
  'fleet-guide': { shows: 'Fleet bundles over 200 clusters' },
  'fleet-git': { shows: 'a fleet.yaml for Git, against an inventory' },
  llminferenceservice: { shows: 'an LLMInferenceService, its scheduler and its workers' },
  leaderworkerset: { shows: 'groups of a leader and its workers that roll together' },
  disaggregatedset: { shows: 'prefill and decode of one model, stepped together' },
  drain: { shows: 'servers that finish their requests before their pods end' },
  'argo-cd': { shows: 'an ApplicationSet of Argo CD that syncs over clusters, step by step' },
  'ibm-baw': { shows: 'IBM BAW, compared with IBM’s page' },
};

/** Runs a command line and returns its output. */
function runRolloutkit(argv: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['lib/cli/main.js', ...argv], {
    encoding: 'utf8',
    env: {},
    maxBuffer: Infinity,
  });
  if (status !== 0) throw new Error(`rolloutkit ${argv.join(' ')} could not run:\n${stdout}${stderr}`);
  return stdout;
}

/** Input files next to an example, and their flags. */
const INPUT_FILES = [
  ['--clusters', 'clusters.json'],
  ['--clusters', 'clusters.yaml'],
  ['--kserve-config', 'inferenceservice-config.yaml'],
] as const;

/** Returns the arguments for the inventory and the platform of an example. */
function inputArguments(example: string): string[] {
  return INPUT_FILES.map(([flag, name]) => [flag, `examples/${example}/${name}`])
    .filter(([, file]) => existsSync(file!))
    .flat();
}

/** Shows an example and returns the difference from its expected number of errors. */
function show(example: string, number: number, of: number): number {
  const { shows, args = [], errors = 0 } = STOPS[example] ?? { shows: 'an example without a description' };
  const argv = ['plan', `dist/${example}`, ...inputArguments(example), ...args];
  const { summary } = JSON.parse(runRolloutkit([...argv, '--format', 'json'])) as { summary: { errors: number } };
  console.log(`[${number} of ${of}] ${shows}\n$ rolloutkit ${argv.join(' ')} --details none --min-severity error\n`);
  console.log(runRolloutkit([...argv, '--details', 'none', '--min-severity', 'error']));
  if (errors > 0 && summary.errors === errors) console.log(`This error is expected: ${example} demonstrates it.\n`);
  return Math.abs(summary.errors - errors);
}

function main(): void {
  const examples = readdirSync('dist').filter((name) => existsSync(path.join('examples', name, 'main.ts')));
  const known = Object.keys(STOPS).filter((name) => examples.includes(name));
  const all = [...known, ...examples.filter((name) => !known.includes(name))];
  let unexpected = 0;
  for (const [index, example] of all.entries()) unexpected += show(example, index + 1, all.length);
  console.log(
    'A change, compared with the current state:\n$ rolloutkit plan --from examples/change/old examples/change/new --details none\n',
  );
  console.log(runRolloutkit(['plan', '--from', 'examples/change/old', 'examples/change/new', '--details', 'none']));
  if (unexpected > 0) {
    console.log(`The examples have ${unexpected} errors more or fewer than expected: this checkout is broken.`);
    process.exitCode = 1;
    return;
  }
  console.log(
    [
      `All ${all.length} examples are planned as expected; their one deadlock is deliberate. Next steps:`,
      '  see a full plan    node lib/cli/main.js plan dist/quick-start --kserve-config examples/quick-start/inferenceservice-config.yaml',
      '  see a picture      node lib/cli/main.js plan dist/gpu-quota --format html --output plan.html   (docs/gallery has more)',
      '  plan your own      node lib/cli/main.js plan path/to/manifests/',
      '  what a word means  README.md, "Glossary"',
    ].join('\n'),
  );
}

if (require.main === module) main();
