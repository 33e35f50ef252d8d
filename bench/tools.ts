import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';

import { barChart } from './bar-chart';
import { atMostRatio } from './figure';
import type { Figure } from './figure';
import { deployment, many } from './manifests';
import { synthCosts } from './synth';

/** The yardstick of processes: seconds of the processor, not of the clock, and the most memory held at once. */
const TIME = '/usr/bin/time';
const MAIN = path.resolve(__dirname, '../../lib/cli/main.js');
const DOCS = path.resolve(__dirname, '../../docs');
const COUNTS = [100, 1_000, 10_000] as const;
const RUNS = 5;

/** What one run of a program took. */
interface Cost {
  readonly seconds: number;
  readonly megabytes: number;
}

/** A tool that a user may run on the same files. */
interface Tool {
  readonly name: string;
  readonly program: string;
  /** What it is given for a file of Deployments in a folder of its own. */
  readonly args: (file: string, folder: string) => readonly string[];
  /** The most Deployments that it is asked for. @default - all counts */
  readonly most?: number;
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
  // It takes minutes for 10,000.
  { name: 'kubectl kustomize', program: 'kubectl', args: (file) => ['kustomize', path.dirname(file)], most: 1_000 },
];

function isInstalled({ program }: Tool): boolean {
  return spawnSync('which', [program]).status === 0;
}

function leastOf(costs: readonly Cost[]): Cost {
  return { seconds: Math.min(...costs.map(({ seconds }) => seconds)), megabytes: Math.min(...costs.map(({ megabytes }) => megabytes)) };
}

function costOf({ program, args }: Tool, file: string, folder: string): Cost {
  const { stderr } = spawnSync(TIME, ['-f', '%U %S %M', program, ...args(file, folder)], { encoding: 'utf8', maxBuffer: 2 ** 30 });
  const [user = NaN, system = NaN, kilobytes = NaN] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  return { seconds: user + system, megabytes: kilobytes / 1_000 };
}

/** What tools take for one file. They run by turns: a machine may be half as fast in one minute as in the next, for whatever else runs on it. */
function costsOf(tools: readonly Tool[], file: string, folder: string): Cost[] {
  const rounds = Array.from({ length: RUNS }, () => tools.map((tool) => costOf(tool, file, folder)));
  return tools.map((_, index) => leastOf(rounds.map((round) => round[index]!)));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|---${'|---:'.repeat(head.length - 1)}|`, ...rows.map(line)].join('\n');
}

interface Measured {
  readonly name: string;
  /** By the counts of documents, in their order, as far as it was asked for them. */
  readonly costs: readonly Cost[];
}

function measured(tools: readonly Tool[]): Measured[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-bench-'));
  try {
    writeFileSync(path.join(folder, 'schema.json'), '{}');
    const files = COUNTS.map((count) => {
      const own = path.join(folder, `${count}`);
      const file = path.join(own, 'deployments.yaml');
      mkdirSync(own);
      writeFileSync(file, many(deployment, count));
      writeFileSync(path.join(own, 'kustomization.yaml'), 'resources: [deployments.yaml]\n');
      return { count, file };
    });
    const costs = new Map<Tool, Cost[]>(tools.map((tool) => [tool, []]));
    for (const { count, file } of files) {
      const asked = tools.filter(({ most = Infinity }) => count <= most);
      costsOf(asked, file, folder).forEach((cost, index) => costs.get(asked[index]!)!.push(cost));
    }
    return tools.map((tool) => ({ name: tool.name, costs: costs.get(tool)! }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A row of a table, with a dash for what was not measured. */
function row(name: string, costs: readonly Cost[], shown: (cost: Cost) => string): string[] {
  return [name, ...COUNTS.map((_, index) => (costs[index] ? shown(costs[index]) : '–'))];
}

/** How many times what the first of them takes another one does: seconds, then memory. */
function timesTheFirst(first: Measured, { name, costs }: Measured): string[] {
  const times = (one: number, other: number) => `${(one / other).toFixed(2)} x`;
  const cells = costs.map(({ seconds, megabytes }, index) => {
    const own = first.costs[index]!;
    return `${times(seconds, own.seconds)}, ${times(megabytes, own.megabytes)}`;
  });
  return [name, ...COUNTS.map((_, index) => cells[index] ?? '–')];
}

/** A row of what one item costs where there are ever more of them. */
function grownRow({ name, growth }: Figure): string[][] {
  if (!growth || growth.sizes.join() !== COUNTS.join()) return [];
  return [[name, ...growth.perItem.map((microseconds) => microseconds.toFixed(1)), `${growth.factor.toFixed(2)} x`]];
}

const COUNT_HEADS = COUNTS.map((count) => count.toLocaleString('en'));

/** The page of what the tools cost, as they were found on this machine; undefined where processes can't be timed here. */
function performancePage(
  reading: readonly Measured[],
  synth: ReturnType<typeof synthCosts>,
  grown: readonly Figure[],
  absent: readonly Tool[],
): string {
  const { model } = cpus()[0]!;
  const machine = `${cpus().length} cores (${model.trim()}), ${Math.round(totalmem() / 1e9)} GB of memory, Node.js ${process.versions.node}`;
  const missing = absent.length === 0 ? '' : `\n\nNot installed where this was measured: ${absent.map(({ name }) => name).join(', ')}.`;
  return `# Performance

Made by \`npm run bench\` on ${machine}. The figures are from one machine, so compare them only with each other. Each is the minimum of ${RUNS} runs.

## Checking a file of Deployments

![CPU seconds for 10,000 Deployments](performance.svg)

CPU seconds, by the number of Deployments in the file:

${table(
  ['', ...COUNT_HEADS],
  reading.map(({ name, costs }) => row(name, costs, ({ seconds }) => `${seconds.toFixed(2)} s`)),
)}

Peak memory:

${table(
  ['', ...COUNT_HEADS],
  reading.map(({ name, costs }) => row(name, costs, ({ megabytes }) => `${megabytes.toFixed(0)} MB`)),
)}

CPU seconds and memory as a multiple of rolloutkit's. Above 1, rolloutkit needs less; below 1, the other tool does:

${table(
  ['', ...COUNT_HEADS],
  reading.slice(1).map((tool) => timesTheFirst(reading[0]!, tool)),
)}

The tools do different work. kubeconform gets a schema that allows everything, so it only reads and matches. kube-score evaluates its checks. kubectl renders a kustomization that only lists the file; it is not measured with 10,000, which take very long. rolloutkit validates and plans each rollout.${missing}

## Synthesizing with cdk8s

Milliseconds to create the objects and print their YAML, in one process:

${table(
  ['', ...COUNT_HEADS],
  synth.map(({ name, milliseconds }) => [name, ...milliseconds.map((each) => `${each.toFixed(0)} ms`)]),
)}

## Scaling

Microseconds per item, as the number of items grows. If two kinds of objects are combined, there are equally many of both. The last column is the time per item with 10,000 items, divided by that with 100:
1 is linear, and up to 3 is allowed, because only 100 items fit into the CPU caches.

${table(['', ...COUNT_HEADS, 'times'], grown.flatMap(grownRow))}
`;
}

/** What is promised of rolloutkit beside another tool, with 10,000 Deployments; nothing of one that is not installed. */
function promisesBeside(reading: readonly Measured[]): Figure[] {
  const { seconds, megabytes } = reading[0]!.costs.at(-1)!;
  const against = (program: string, judge: (cost: Cost, name: string) => Figure) => {
    const other = reading.find(({ name }) => name.startsWith(program))?.costs.at(-1);
    return other ? [judge(other, program)] : [];
  };
  const ofSeconds = (cost: Cost, name: string) =>
    atMostRatio(`check of 10,000 Deployments against ${name}, in seconds of the processor`, 1, seconds / cost.seconds);
  return [
    ...against('kubeconform', ofSeconds),
    ...against('kube-score', ofSeconds),
    ...against('kube-score', (cost, name) =>
      atMostRatio(`check of 10,000 Deployments against ${name}, memory`, 1, megabytes / cost.megabytes),
    ),
  ];
}

/** What was promised beside other tools, and what there is to say of the page that was written. */
export interface Comparison {
  readonly figures: readonly Figure[];
  readonly said: string;
}

/**
 * Measures rolloutkit beside the tools that are installed, and writes `docs/performance.md` and its picture.
 *
 * @param figures - all that was measured before, of which the page shows what grows
 */
export function comparison(figures: readonly Figure[]): Comparison {
  if (!existsSync(TIME)) return { figures: [], said: `no comparison with other tools: ${TIME} is not installed` };
  const present = TOOLS.filter(isInstalled);
  const reading = measured(present);
  mkdirSync(DOCS, { recursive: true });
  writeFileSync(
    path.join(DOCS, 'performance.md'),
    performancePage(
      reading,
      synthCosts(COUNTS),
      figures,
      TOOLS.filter((tool) => !present.includes(tool)),
    ),
  );
  writeFileSync(
    path.join(DOCS, 'performance.svg'),
    barChart({
      title: 'CPU seconds for 10,000 Deployments',
      unit: 's',
      bars: reading
        .filter(({ costs }) => costs.length === COUNTS.length)
        .map(({ name, costs }) => ({ name, value: costs.at(-1)!.seconds })),
    }),
  );
  return { figures: promisesBeside(reading), said: `docs/performance.md: written, with ${present.map(({ name }) => name).join(', ')}` };
}
