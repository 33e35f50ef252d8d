import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';

import { renderBarChart } from './bar-chart';
import { atMostRatio } from './figure';
import type { Figure } from './figure';
import { buildYamlFile, deployment } from './manifests';
import { measureSynthCosts } from './synth';

/** Program that measures a process: its CPU time and its peak memory. */
const TIME = '/usr/bin/time';
const MAIN = path.resolve(__dirname, '../../lib/cli/main.js');
const DOCS = path.resolve(__dirname, '../../docs');
const COUNTS = [100, 1_000, 10_000] as const;
const RUNS = 5;

/** Cost of one run of a program. */
interface Cost {
  readonly seconds: number;
  readonly megabytes: number;
}

/** A tool that users run on the same files. */
interface Tool {
  readonly name: string;
  readonly program: string;
  /** Returns its arguments for a file of Deployments in a separate folder. */
  readonly args: (file: string, folder: string) => readonly string[];
  /** Maximum number of Deployments to measure. @default - all counts */
  readonly maxCount?: number;
}

const PARSE = "require('yaml').parseAllDocuments(require('node:fs').readFileSync(process.argv[1], 'utf8'))";

const TOOLS: readonly Tool[] = [
  { name: 'rolloutkit check', program: process.execPath, args: (file) => [MAIN, 'check', file] },
  { name: 'yaml, parsing only', program: process.execPath, args: (file) => ['-e', PARSE, file] },
  {
    name: 'kubeconform, with an empty schema',
    program: 'kubeconform',
    args: (file, folder) => ['-schema-location', path.join(folder, 'schema.json'), file],
  },
  { name: 'kube-score score', program: 'kube-score', args: (file) => ['score', file] },
  // kubectl takes minutes for 10,000 Deployments.
  { name: 'kubectl kustomize', program: 'kubectl', args: (file) => ['kustomize', path.dirname(file)], maxCount: 1_000 },
];

function isInstalled({ program }: Tool): boolean {
  return spawnSync('which', [program]).status === 0;
}

function minCostOf(costs: readonly Cost[]): Cost {
  return { seconds: Math.min(...costs.map(({ seconds }) => seconds)), megabytes: Math.min(...costs.map(({ megabytes }) => megabytes)) };
}

function costOf({ program, args }: Tool, file: string, folder: string): Cost {
  const { stderr } = spawnSync(TIME, ['-f', '%U %S %M', program, ...args(file, folder)], { encoding: 'utf8', maxBuffer: 2 ** 30 });
  const [user = NaN, system = NaN, kilobytes = NaN] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  return { seconds: user + system, megabytes: kilobytes / 1_000 };
}

/**
 * Measures the cost of tools for one file. They run alternately, because the speed of a machine can change by half from one minute to
 * the next.
 */
function measureCosts(tools: readonly Tool[], file: string, folder: string): Cost[] {
  const rounds = Array.from({ length: RUNS }, () => tools.map((tool) => costOf(tool, file, folder)));
  return tools.map((_, index) => minCostOf(rounds.map((round) => round[index]!)));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|---${'|---:'.repeat(head.length - 1)}|`, ...rows.map(line)].join('\n');
}

interface ToolCosts {
  readonly name: string;
  /** Costs in the order of the counts of documents, up to the maximum count of the tool. */
  readonly costs: readonly Cost[];
}

function measureTools(tools: readonly Tool[]): ToolCosts[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-bench-'));
  try {
    writeFileSync(path.join(folder, 'schema.json'), '{}');
    const files = COUNTS.map((count) => {
      const own = path.join(folder, `${count}`);
      const file = path.join(own, 'deployments.yaml');
      mkdirSync(own);
      writeFileSync(file, buildYamlFile(deployment, count));
      writeFileSync(path.join(own, 'kustomization.yaml'), 'resources: [deployments.yaml]\n');
      return { count, file };
    });
    const costs = new Map<Tool, Cost[]>(tools.map((tool) => [tool, []]));
    for (const { count, file } of files) {
      const tested = tools.filter(({ maxCount = Infinity }) => count <= maxCount);
      measureCosts(tested, file, folder).forEach((cost, index) => costs.get(tested[index]!)!.push(cost));
    }
    return tools.map((tool) => ({ name: tool.name, costs: costs.get(tool)! }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a row of a table, with a dash for each count that was not measured. */
function buildRow(name: string, costs: readonly Cost[], format: (cost: Cost) => string): string[] {
  return [name, ...COUNTS.map((_, index) => (costs[index] ? format(costs[index]) : '–'))];
}

/** Returns a row with the cost of a tool as a multiple of the first tool's: seconds, then memory. */
function buildRatioRow(first: ToolCosts, { name, costs }: ToolCosts): string[] {
  const times = (one: number, other: number) => `${(one / other).toFixed(2)} x`;
  const cells = costs.map(({ seconds, megabytes }, index) => {
    const own = first.costs[index]!;
    return `${times(seconds, own.seconds)}, ${times(megabytes, own.megabytes)}`;
  });
  return [name, ...COUNTS.map((_, index) => cells[index] ?? '–')];
}

/** Returns a row with the time per item, as the number of items grows. */
function buildGrowthRow({ name, growth }: Figure): string[][] {
  if (!growth || growth.sizes.join() !== COUNTS.join()) return [];
  return [[name, ...growth.perItem.map((microseconds) => microseconds.toFixed(1)), `${growth.factor.toFixed(2)} x`]];
}

const COUNT_HEADS = COUNTS.map((count) => count.toLocaleString('en'));

/** Renders docs/performance.md with the costs of the tools on this machine. */
function renderPerformancePage(
  reading: readonly ToolCosts[],
  synth: ReturnType<typeof measureSynthCosts>,
  growthFigures: readonly Figure[],
  missingTools: readonly Tool[],
): string {
  const { model } = cpus()[0]!;
  const machine = `${cpus().length} cores (${model.trim()}), ${Math.round(totalmem() / 1e9)} GB of memory, Node.js ${process.versions.node}`;
  const missing = missingTools.length === 0 ? '' : `\n\nNot installed on this machine: ${missingTools.map(({ name }) => name).join(', ')}.`;
  return `# Performance

Made by \`npm run bench\` on ${machine}. The figures are from one machine, so compare them only with each other. Each is the minimum of ${RUNS} runs.

## Checking a file of Deployments

![CPU seconds for 10,000 Deployments](performance.svg)

CPU seconds, by the number of Deployments in the file:

${table(
  ['', ...COUNT_HEADS],
  reading.map(({ name, costs }) => buildRow(name, costs, ({ seconds }) => `${seconds.toFixed(2)} s`)),
)}

Peak memory:

${table(
  ['', ...COUNT_HEADS],
  reading.map(({ name, costs }) => buildRow(name, costs, ({ megabytes }) => `${megabytes.toFixed(0)} MB`)),
)}

CPU seconds and memory as a multiple of rolloutkit's. Above 1, rolloutkit needs less; below 1, the other tool does:

${table(
  ['', ...COUNT_HEADS],
  reading.slice(1).map((tool) => buildRatioRow(reading[0]!, tool)),
)}

The tools do different work. kubeconform gets a schema that allows everything, so it only reads and matches. kube-score evaluates its checks. kubectl renders a kustomization that only lists the file; it is not measured with 10,000 Deployments because that takes minutes. rolloutkit validates and plans each rollout.${missing}

## Synthesizing with cdk8s

Milliseconds to create the objects and print their YAML, in one process:

${table(
  ['', ...COUNT_HEADS],
  synth.map(({ name, milliseconds }) => [name, ...milliseconds.map((each) => `${each.toFixed(0)} ms`)]),
)}

## Scaling

Microseconds per item, as the number of items grows. If two kinds of objects are combined, there are equally many of both. The last column is the time per item with 10,000 items, divided by that with 100:
1 is linear, and up to 3 is allowed, because only 100 items fit into the CPU caches.

${table(['', ...COUNT_HEADS, 'times'], growthFigures.flatMap(buildGrowthRow))}
`;
}

/** Returns the promised figures relative to other tools, with 10,000 Deployments. Tools that are not installed have none. */
function buildToolFigures(reading: readonly ToolCosts[]): Figure[] {
  const { seconds, megabytes } = reading[0]!.costs.at(-1)!;
  const compareWith = (program: string, build: (cost: Cost, name: string) => Figure) => {
    const other = reading.find(({ name }) => name.startsWith(program))?.costs.at(-1);
    return other ? [build(other, program)] : [];
  };
  const compareSeconds = (cost: Cost, name: string) =>
    atMostRatio(`check of 10,000 Deployments, CPU time relative to ${name}`, 1, seconds / cost.seconds);
  return [
    ...compareWith('kubeconform', compareSeconds),
    ...compareWith('kube-score', compareSeconds),
    ...compareWith('kube-score', (cost, name) =>
      atMostRatio(`check of 10,000 Deployments, peak memory relative to ${name}`, 1, megabytes / cost.megabytes),
    ),
  ];
}

/** Figures relative to other tools, and a message about the written page. */
export interface Comparison {
  readonly figures: readonly Figure[];
  readonly message: string;
}

/**
 * Compares rolloutkit with the installed tools, and writes `docs/performance.md` and its chart.
 *
 * @param figures - all other figures; the page shows those that measure growth
 */
export function compareTools(figures: readonly Figure[]): Comparison {
  if (!existsSync(TIME)) return { figures: [], message: `skipped the comparison with other tools: ${TIME} is not installed` };
  const present = TOOLS.filter(isInstalled);
  const reading = measureTools(present);
  mkdirSync(DOCS, { recursive: true });
  writeFileSync(
    path.join(DOCS, 'performance.md'),
    renderPerformancePage(
      reading,
      measureSynthCosts(COUNTS),
      figures,
      TOOLS.filter((tool) => !present.includes(tool)),
    ),
  );
  writeFileSync(
    path.join(DOCS, 'performance.svg'),
    renderBarChart({
      title: 'CPU seconds for 10,000 Deployments',
      unit: 's',
      bars: reading
        .filter(({ costs }) => costs.length === COUNTS.length)
        .map(({ name, costs }) => ({ name, value: costs.at(-1)!.seconds })),
    }),
  );
  return { figures: buildToolFigures(reading), message: `wrote docs/performance.md, with ${present.map(({ name }) => name).join(', ')}` };
}
