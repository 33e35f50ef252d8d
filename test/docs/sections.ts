import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { FIGURE_RULES, compareSeverities, SIMULATION_RULE, STRATEGY_RULE } from '../../src/change/diff-rules';
import type { Severity } from '../../src/core/finding';
import { PRODUCTS, getProduct } from '../../src/core/versions';
import { ROOT } from './generated';

/** `npm test` builds before jest runs, so the documentation shows what users get: the compiled command line and examples. */
const MAIN = path.join(ROOT, 'lib/cli/main.js');

function fenced(language: string, text: string): string {
  return ['```' + language, text.trimEnd(), '```'].join('\n');
}

/** The compiled examples, as `npm run build` leaves them. */
const EXAMPLES = path.join(ROOT, 'build/examples/main.js');

/** Runs every example app as `cdk8s synth` does and gives the folder that then holds `dist/` and `examples/`. */
export function synthesizeExamples(): string {
  if (!existsSync(EXAMPLES) || !existsSync(MAIN)) throw new Error('The documentation shows what is compiled: run "npm run build" first.');
  const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-docs-'));
  cpSync(path.join(ROOT, 'examples'), path.join(folder, 'examples'), { recursive: true });
  execFileSync(process.execPath, [EXAMPLES], {
    cwd: folder,
    env: { ...process.env, CDK8S_OUTDIR: 'dist' },
  });
  return folder;
}

function commandOutput(folder: string, command: string): string {
  const [program, ...args] = command.split(' ');
  if (program !== 'rolloutkit') throw new Error(`documentation runs rolloutkit alone, not ${command}`);
  const { stdout, stderr, status } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  const exit = status === 0 ? '' : `\n(exit code ${status})`;
  return fenced('console', `$ ${command}\n${(stdout + stderr).trimEnd()}${exit}`);
}

/** What a compiled example says on standard error, as `cdk8s synth` shows it. */
function saidBy(folder: string, example: string): string {
  const { stderr, status } = spawnSync(process.execPath, [path.join(ROOT, 'build', example)], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', CDK8S_OUTDIR: path.join('dist', path.dirname(example)) },
  });
  if (status !== 0) throw new Error(`${example} ends with ${status}: ${stderr}`);
  return fenced('console', stderr);
}

/** The products and their versions, as the code knows them. */
function versionsTable(): string {
  const rows = PRODUCTS.map((product) => {
    const { name, defaultVersion, oldest, newest } = getProduct(product);
    return `| ${name} | \`${product}\` | ${defaultVersion} | ${oldest} to ${newest} |`;
  });
  return ['| product | `--versions` | planned for by default | known |', '|---|---|---|---|', ...rows].join('\n');
}

/** What the package runs with, as `package.json` says it; the compilers are those that `npm run test:types` compiles with. */
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
    '| the types | TypeScript 5.0 to 7; `moduleResolution` node10, node16 or bundler; `exactOptionalPropertyTypes` on or off |',
  ].join('\n');
}

const SEVERITIES: readonly (Severity | undefined)[] = [undefined, 'info', 'warning', 'error'];

/** The changes of a finding's severity that `diff` calls riskier: `none to warning`. */
function riskierSeverities(): string {
  const riskier = SEVERITIES.flatMap((before) =>
    SEVERITIES.filter((after) => compareSeverities(before, after) === 'riskier').map((after) => `${before ?? 'none'} to ${after}`),
  );
  return riskier.join(', ');
}

/** Every rule by which `diff` calls a rollout riskier, and the figures that it judges in neither way. */
function risks(): string {
  const judged = [STRATEGY_RULE, SIMULATION_RULE, ...FIGURE_RULES].flatMap(({ field, risk, reason }) =>
    risk ? [`| \`${field}\` | ${risk.riskier} | ${reason} |`] : [],
  );
  const neutral = FIGURE_RULES.filter(({ risk }) => risk === undefined).map(({ field }) => `\`${field}\``);
  return [
    '| figure | riskier is | why |',
    '|---|---|---|',
    ...judged,
    `| \`finding <code>\` | ${riskierSeverities()} | An error or a warning is a risk, an info explains. |`,
    '',
    `Shown, and neutral by themselves: ${neutral.join(', ')}.`,
  ].join('\n');
}

/** The first lines of what a command prints: `4 rolloutkit plan …`. */
function commandBeginning(folder: string, argument: string): string {
  const [count, ...command] = argument.split(' ');
  const lines = commandOutput(folder, command.join(' ')).split('\n');
  return [...lines.slice(0, 2 + Number(count)), '…', '```'].join('\n');
}

/** What became of the mutants of a file, as `oracle/mutants` writes it. */
interface MutantCounts {
  readonly killed: number;
  readonly survived: number;
  readonly notReached: number;
  /** The same for all mutants, for they are worked out while the module is loaded. */
  readonly static: number;
  readonly notTried: number;
}

function codeFilesIn(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));
}

/** A mutant that no test noticed, as `oracle/mutants` writes it. */
interface Survivor {
  /** The line that it is in, and what of it became what. */
  readonly at: string;
  readonly was: string;
  readonly is: string;
  /** Why it stays, in the words of whoever looked at it; absent until somebody has. */
  readonly why?: string;
}

const mutantsFile = <T>(name: string) =>
  JSON.parse(readFileSync(path.join(ROOT, 'oracle/mutants', name), 'utf8')) as Readonly<Record<string, T>>;

/** A row for each folder of which some files were measured. */
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
      `${score} %`,
      survived + notReached - explained,
    ];
    return `| \`${folder}\` | ${files} | ${figures.join(' | ')} |`;
  });
  const head = '| folder | files measured | mutants tried | killed | survived | not reached | score | of the others without a reason |';
  return [head, '|---|---:|---:|---:|---:|---:|---:|---:|', ...rows].join('\n');
}

/** Why the mutants stay that no test noticed, file by file; those of which nobody has said why come last in their file. */
function survivorsTable(): string {
  const rows = Object.entries(mutantsFile<readonly Survivor[]>('survivors.json')).flatMap(([file, survivors]) => {
    const reasons = [...new Set(survivors.map(({ why }) => why ?? ''))].toSorted((a, b) => Number(a === '') - Number(b === ''));
    return reasons.map((reason) => {
      const count = survivors.filter(({ why }) => (why ?? '') === reason).length;
      return `| \`${file.slice('src/'.length)}\` | ${count} | ${reason === '' ? '**not looked at**' : reason} |`;
    });
  });
  return ['| file below `src/` | mutants | why they stay |', '|---|---:|---|', ...rows].join('\n');
}

const SECTIONS: Readonly<Record<string, (folder: string, argument: string) => string>> = {
  /** A whole source file. */
  source: (_folder, file) => fenced(path.extname(file).slice(1), readFileSync(path.join(ROOT, file), 'utf8')),
  /** A file that the examples synthesized. */
  synthesized: (folder, file) => fenced('yaml', readFileSync(path.join(folder, file), 'utf8')),
  /** A command and what it prints. */
  output: commandOutput,
  /** A command and the first lines of what it prints. */
  begin: commandBeginning,
  /** What an example app says while it is synthesized. */
  said: saidBy,
  /** The versions that plans can be made for. */
  versions: versionsTable,
  /** What the package needs of others. */
  requirements: requirementsTable,
  /** What is riskier in a diff, and why. */
  risks,
  /** What the tests notice of mutants, folder by folder. */
  mutants: mutantsTable,
  /** Why the other mutants stay. */
  survivors: survivorsTable,
};

/**
 * Fills the generated parts of a page: each stands between `<!-- generated: KIND ARGUMENT -->` and `<!-- /generated -->`.
 *
 * @throws for a section of no known kind
 */
export function fillSections(page: string, folder: string): string {
  return page.replaceAll(/<!-- generated: (\w+) (.*?) -->\n[\s\S]*?<!-- \/generated -->/g, (_section, kind: string, argument: string) => {
    const section = SECTIONS[kind];
    if (section === undefined) throw new Error(`no generated section of the kind "${kind}"`);
    return `<!-- generated: ${kind} ${argument} -->\n${section(folder, argument)}\n<!-- /generated -->`;
  });
}
