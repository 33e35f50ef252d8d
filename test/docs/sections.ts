import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { FIGURE_RULES, compareSeverities, SIMULATION_RULE, STRATEGY_RULE } from '../../src/change/diff/diff-rules';
import type { Severity } from '../../src/core/findings/finding';
import { COMMAND_MODULES } from '../../src/cli/lazy-commands';
import { run } from '../../src/cli/run';
import { PRODUCTS, getProduct } from '../../src/core/values/versions';
import { ROOT } from './generated';

/** `npm test` builds before jest runs, so the README shows what users get: the compiled command line and examples. */
const MAIN = path.join(ROOT, 'lib/cli/main.js');

function fenced(language: string, text: string): string {
  return ['```' + language, text.trimEnd(), '```'].join('\n');
}

/** The compiled examples, as `npm run build` leaves them. */
const EXAMPLES = path.join(ROOT, 'build/examples/main.js');

/** Runs every example app as `cdk8s synth` does and returns a folder with `dist/` and `examples/`. */
export function synthesizeExamples(): string {
  if (!existsSync(EXAMPLES) || !existsSync(MAIN)) throw new Error('The documentation shows compiled code: run "npm run build" first.');
  const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-docs-'));
  cpSync(path.join(ROOT, 'examples'), path.join(folder, 'examples'), { recursive: true });
  execFileSync(process.execPath, [EXAMPLES], {
    cwd: folder,
    env: { ...process.env, CDK8S_OUTDIR: 'dist' },
  });
  return folder;
}

interface Printed {
  readonly text: string;
  readonly exitCode: number | null;
}

/** Runs a command line in a folder. */
type CommandLine = (args: readonly string[], cwd: string) => Printed | Promise<Printed>;

/** Runs the compiled command line, as users do. */
export const runCompiled: CommandLine = (args, cwd) => {
  const options = { cwd, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } } as const;
  const { stdout, stderr, status } = spawnSync(process.execPath, [MAIN, ...args], options);
  return { text: stdout + stderr, exitCode: status };
};

/** Runs a command line in this process, which takes a tenth of the time. */
export const runInProcess: CommandLine = async (args, cwd) => {
  let [stdout, stderr] = ['', ''];
  const io = {
    stdout: { write: (text: string) => void (stdout += text), isTTY: false },
    stderr: { write: (text: string) => void (stderr += text), isTTY: false },
    stdin: [],
    cwd,
    env: { NO_COLOR: '1' },
  };
  const exitCode = await run(args, io, () => COMMAND_MODULES);
  return { text: stdout + stderr, exitCode };
};

/** What the sections of a page are made from. */
interface Sources {
  /** The folder with `dist/` and `examples/`. */
  readonly folder: string;
  readonly commandLine: CommandLine;
}

async function commandOutput({ folder, commandLine }: Sources, command: string): Promise<string> {
  const [program, ...args] = command.split(' ');
  if (program !== 'rolloutkit') throw new Error(`documentation runs only rolloutkit, not ${command}`);
  const { text, exitCode } = await commandLine(args, folder);
  const exit = exitCode === 0 ? '' : `\n(exit code ${exitCode})`;
  return fenced('console', `$ ${command}\n${text.trimEnd()}${exit}`);
}

/** Returns what a compiled example prints to standard error, as `cdk8s synth` shows it. */
function exampleStderr({ folder }: Sources, example: string): string {
  const { stderr, status } = spawnSync(process.execPath, [path.join(ROOT, 'build', example)], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', CDK8S_OUTDIR: path.join('dist', path.dirname(example)) },
  });
  if (status !== 0) throw new Error(`${example} exits with ${status}: ${stderr}`);
  return fenced('console', stderr);
}

/** Returns the supported products and versions. */
function versionsTable(): string {
  const rows = PRODUCTS.map((product) => {
    const { name, defaultVersion, oldest, newest } = getProduct(product);
    return `| ${name} | \`${product}\` | ${defaultVersion} | ${oldest} to ${newest} |`;
  });
  return ['| product | `--versions` | default | supported |', '|---|---|---|---|', ...rows].join('\n');
}

/** Returns the requirements of the package from `package.json`. The compilers are those of `npm run test:types`. */
function requirementsTable(): string {
  const { engines, peerDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    readonly engines: Readonly<Record<string, string>>;
    readonly peerDependencies: Readonly<Record<string, string>>;
  };
  const needed = (...names: readonly string[]) => names.map((name) => `\`${name}\` ${peerDependencies[name]}`).join(', ');
  return [
    '| for | needs |',
    '|---|---|',
    `| the command line, \`rolloutkit/plan\` | Node.js ${engines['node']} |`,
    `| cdk8s constructs | ${needed('cdk8s', 'constructs')} |`,
    `| policies on cdk8s-plus workloads | ${needed('cdk8s-plus-28')} |`,
    `| Pulumi components | ${needed('@pulumi/pulumi', '@pulumi/kubernetes')} |`,
    `| the Pulumi policy pack | ${needed('@pulumi/policy')} |`,
    '| the types | TypeScript 5.0 to 7; `moduleResolution` node16 or bundler, and node10 before TypeScript 7, which no longer has it; `exactOptionalPropertyTypes` on or off |',
  ].join('\n');
}

const SEVERITIES: readonly (Severity | undefined)[] = [undefined, 'info', 'warning', 'error'];

/** Returns the severity changes of a finding that `diff` reports as riskier: `none to warning`. */
function riskierSeverities(): string {
  const riskier = SEVERITIES.flatMap((before) =>
    SEVERITIES.filter((after) => compareSeverities(before, after) === 'riskier').map((after) => `${before ?? 'none'} to ${after}`),
  );
  return riskier.join(', ');
}

/** Returns every rule by which `diff` reports a rollout as riskier, and the neutral metrics. */
function risks(): string {
  const riskRows = [STRATEGY_RULE, SIMULATION_RULE, ...FIGURE_RULES].flatMap(({ field, risk, reason }) =>
    risk ? [`| \`${field}\` | ${risk.riskier} | ${reason} |`] : [],
  );
  const neutral = FIGURE_RULES.filter(({ risk }) => risk === undefined).map(({ field }) => `\`${field}\``);
  return [
    '| metric | riskier if | why |',
    '|---|---|---|',
    ...riskRows,
    `| \`finding <code>\` | ${riskierSeverities()} | An error or a warning is a risk; an info is an explanation. |`,
    '',
    `Shown without a rating: ${neutral.join(', ')}.`,
  ].join('\n');
}

/** Returns the first lines of the output of a command: `4 rolloutkit plan …`. */
async function commandBeginning(sources: Sources, argument: string): Promise<string> {
  const [count, ...command] = argument.split(' ');
  const lines = (await commandOutput(sources, command.join(' '))).split('\n');
  return [...lines.slice(0, 2 + Number(count)), '…', '```'].join('\n');
}

/** Results for the mutants of a file, as written by `oracle/mutants`. */
interface MutantCounts {
  readonly killed: number;
  readonly survived: number;
  readonly notReached: number;
  /** Mutants in code that runs when the module is loaded. */
  readonly static: number;
  readonly notTried: number;
}

function codeFilesIn(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));
}

/** A mutant that no test detected, as written by `oracle/mutants`. */
interface Survivor {
  /** Its line, and the original and the mutated code. */
  readonly at: string;
  readonly was: string;
  readonly is: string;
  /** The reason for accepting it; unset until it has been reviewed. */
  readonly why?: string;
}

const mutantsFile = <T>(name: string) =>
  JSON.parse(readFileSync(path.join(ROOT, 'oracle/mutants', name), 'utf8')) as Readonly<Record<string, T>>;

/** Returns a row for each folder with measured files. */
function mutantsTable(): string {
  const scores = mutantsFile<MutantCounts>('scores.json');
  const survivors = mutantsFile<readonly Survivor[]>('survivors.json');
  const folders = [...new Set(Object.keys(scores).map((file) => path.posix.dirname(file)))].toSorted();
  const rows = folders.map((folder) => {
    const measured = Object.entries(scores).filter(([file]) => path.posix.dirname(file) === folder);
    const sum = (of: keyof MutantCounts) => measured.reduce((total, [, counts]) => total + counts[of], 0);
    const [killed, survived, notReached] = [sum('killed'), sum('survived'), sum('notReached')];
    const explained = measured.flatMap(([file]) => survivors[file] ?? []).filter(({ why }) => why !== undefined).length;
    const score = Math.floor((100 * killed) / Math.max(1, killed + survived + notReached));
    const files = `${measured.length} of ${codeFilesIn(folder).length}`;
    const tried = killed + survived + notReached;
    const figures = [
      `${tried} of ${tried + sum('notTried')}`,
      killed,
      survived,
      notReached,
      `${score}%`,
      survived + notReached - explained,
    ];
    return `| \`${folder}\` | ${files} | ${figures.join(' | ')} |`;
  });
  const head = '| folder | files measured | mutants tried | killed | survived | not reached | score | unreviewed |';
  return [head, '|---|---:|---:|---:|---:|---:|---:|---:|', ...rows].join('\n');
}

const SECTIONS: Readonly<Record<string, (sources: Sources, argument: string) => string | Promise<string>>> = {
  /** A complete source file. */
  source: (_, file) => fenced(path.extname(file).slice(1), readFileSync(path.join(ROOT, file), 'utf8')),
  /** A file that the examples synthesized. */
  synthesized: ({ folder }, file) => fenced('yaml', readFileSync(path.join(folder, file), 'utf8')),
  /** A command and its output. */
  output: commandOutput,
  /** A command and the first lines of its output. */
  begin: commandBeginning,
  /** The standard error of an example app while it is synthesized. */
  said: exampleStderr,
  /** The versions that plans support. */
  versions: versionsTable,
  /** The requirements of the package. */
  requirements: requirementsTable,
  /** What `diff` reports as riskier, and why. */
  risks,
  /** The mutants that the tests detect, by folder. */
  mutants: mutantsTable,
};

const SECTION = /<!-- generated: (\w+) (.*?) -->\n[\s\S]*?<!-- \/generated -->/g;

/**
 * Fills the generated sections of a page, between `<!-- generated: KIND ARGUMENT -->` and `<!-- /generated -->`.
 *
 * @throws Error for an unknown kind of section
 */
export async function fillSections(page: string, sources: Sources): Promise<string> {
  let filled = '';
  let end = 0;
  for (const { 0: old, 1: kind, 2: argument, index } of page.matchAll(SECTION)) {
    const section = SECTIONS[kind!];
    if (section === undefined) throw new Error(`no generated section of the kind "${kind}"`);
    const content = await section(sources, argument!);
    filled += `${page.slice(end, index)}<!-- generated: ${kind} ${argument} -->\n${content}\n<!-- /generated -->`;
    end = index + old.length;
  }
  return filled + page.slice(end);
}
