/**
 * What `npm start` shows: each example planned with what belongs to it, in a few lines, and what a newcomer may read next.
 *
 * What stands beside an example is given by its name; what else it needs stands below.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

interface Stop {
  /** What there is to see. */
  readonly shows: string;
  /** More of the command line. */
  readonly args?: readonly string[];
  /** How many errors it is there to show. @default 0 */
  readonly errors?: number;
}

export const STOPS: Readonly<Record<string, Stop>> = {
  'quick-start': { shows: 'two components of a model, decided by two levels of configuration' },
  'deployment-policies': { shows: 'policies for Deployments and StatefulSets', args: ['--startup-seconds', '30'] },
  guardrails: { shows: 'a platform team’s guardrails, and the admission policy that enforces them' },
  'daemonset-agents': { shows: 'DaemonSets over the nodes of a cluster', args: ['--startup-seconds', '30'] },
  'gpu-quota': { shows: 'a surge that a quota has no room for, and two ways out', errors: 1 },
  'kserve-guide': { shows: 'the examples of KServe’s rollout guide' },
  'kserve-best-practices': { shows: 'presets for production and testing' },
  'kserve-platform': { shows: 'defaults of a platform, and who overrides them' },
  'kserve-multinode': { shows: 'a model over several nodes, whose head and workers roll apart' },
  'kuberay-guide': { shows: 'incremental upgrades of RayServices', args: ['--versions', 'kuberay=1.7'] },
  'kuberay-llm-40-gpus': { shows: 'an upgrade on 44 GPUs that never needs more' },
  'fleet-guide': { shows: 'Fleet bundles over 200 clusters' },
  'fleet-git': { shows: 'a fleet.yaml for Git, against an inventory' },
  llminferenceservice: { shows: 'an LLMInferenceService, its scheduler and its workers' },
  leaderworkerset: { shows: 'groups of a leader and its workers, which roll together' },
  disaggregatedset: { shows: 'prefill and decode of one model, stepped together' },
  'argo-cd': { shows: 'an ApplicationSet of Argo CD that syncs over clusters, step by step' },
  'ibm-baw': { shows: 'IBM BAW, beside what IBM’s page says' },
};

/** What a command line prints. */
function printed(argv: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['lib/cli/main.js', ...argv], {
    encoding: 'utf8',
    env: {},
    maxBuffer: Infinity,
  });
  if (status !== 0) throw new Error(`rolloutkit ${argv.join(' ')} could not run:\n${stdout}${stderr}`);
  return stdout;
}

/** What stands beside an example under the name that it is known by, and the flag that gives it. */
const BESIDE = [
  ['--clusters', 'clusters.json'],
  ['--clusters', 'clusters.yaml'],
  ['--kserve-config', 'inferenceservice-config.yaml'],
] as const;

/** The inventory of an example, and its platform. */
function belongings(example: string): string[] {
  return BESIDE.map(([flag, name]) => [flag, `examples/${example}/${name}`])
    .filter(([, file]) => existsSync(file!))
    .flat();
}

/** Shows an example, and gives how many errors it has that it should not. */
function show(example: string, number: number, of: number): number {
  const { shows, args = [], errors = 0 } = STOPS[example] ?? { shows: 'an example without words of its own' };
  const argv = ['plan', `dist/${example}`, ...belongings(example), ...args];
  const { summary } = JSON.parse(printed([...argv, '--format', 'json'])) as { summary: { errors: number } };
  console.log(`[${number} of ${of}] ${shows}\n$ rolloutkit ${argv.join(' ')} --details none --min-severity error\n`);
  console.log(printed([...argv, '--details', 'none', '--min-severity', 'error']));
  if (errors > 0 && summary.errors === errors) console.log(`This is on purpose: ${example} is there to show it. All is well.\n`);
  return Math.abs(summary.errors - errors);
}

function main(): void {
  const examples = readdirSync('dist').filter((name) => existsSync(path.join('examples', name, 'main.ts')));
  const known = Object.keys(STOPS).filter((name) => examples.includes(name));
  const all = [...known, ...examples.filter((name) => !known.includes(name))];
  let unexpected = 0;
  for (const [index, example] of all.entries()) unexpected += show(example, index + 1, all.length);
  console.log('And a change, against what is there:\n$ rolloutkit plan --from examples/change/old examples/change/new --details none\n');
  console.log(printed(['plan', '--from', 'examples/change/old', 'examples/change/new', '--details', 'none']));
  if (unexpected > 0) {
    console.log(`${unexpected} errors more or fewer than the examples should have: something is broken in this checkout.`);
    process.exitCode = 1;
    return;
  }
  console.log(
    [
      `${all.length} examples are planned as they should be; the one deadlock among them is deliberate. What to do next:`,
      '  see one whole      node lib/cli/main.js plan dist/quick-start --kserve-config examples/quick-start/inferenceservice-config.yaml',
      '  see it drawn       node lib/cli/main.js plan dist/gpu-quota --format html --output plan.html   (docs/gallery has more)',
      '  plan your own      node lib/cli/main.js plan path/to/manifests/',
      '  what a word means  README.md, "Ten words"',
    ].join('\n'),
  );
}

if (require.main === module) main();
