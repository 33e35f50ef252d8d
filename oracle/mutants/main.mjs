// Measures whether tests notice Stryker's mutants, folder by folder.
//
//     npm install --no-save --prefix /elsewhere @stryker-mutator/instrumenter typed-inject
//     NODE_PATH=/elsewhere/node_modules node oracle/mutants/main.mjs LOG [FOLDER[/FILE]…]
//
// Runs the tests that `folders.mjs` lists for each FOLDER (default: all folders) on the mutants of its files. Writes the numbers of killed
// mutants to `scores.json`, and the mutants that no test noticed to `survivors.json`; `npm run docs` builds docs/mutation-testing.md from both.
// When you review a survivor, write the reason why it stays into its `why`. The reason is kept while the line and the mutant are the same.
// LOG is a folder for the survivors with their lines, one log per source file. A file with a log is not tried again, so that a stopped run
// can continue.
// MUTANTS_PER_FILE limits the mutants per file, except for files with the arithmetic of rollouts. The selection is always the same, and
// the other mutants count as not tried.
// TESTS replaces the tests of `folders.mjs`, if you know which tests cover the files. That is faster, and the score is too low rather than too high.
// SECONDS_PER_FILE (900) stops a file that takes longer: its remaining mutants count as not tried. `try.mjs` explains SECONDS_PER_MUTANT (3).
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { TOGETHER } from './folders.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SCORES = path.join(import.meta.dirname, 'scores.json');
const SURVIVORS = path.join(import.meta.dirname, 'survivors.json');
const TRY = path.join(import.meta.dirname, 'try.mjs');
/** Seconds without output after which a mutant counts as endless. The first one takes longer, because the tests run without mutants before it. */
const SILENT_SECONDS = 120;
const SECONDS_BEFORE_FIRST = 900;

const isTest = (name) => name.endsWith('.test.ts');
const testsBelow = (name) => (isTest(name) ? [name] : readdirSync(path.join(ROOT, name), { recursive: true }).filter(isTest).map((file) => path.join(name, file)).toSorted());
const filesIn = (folder) => readdirSync(path.join(ROOT, folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts')).map((name) => path.join(folder, name));

/** Runs one process that tries mutants. Passes on its report of each, and returns whether the process completed. */
function tryOnce(files, tests, knownFile, report) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--max-old-space-size=3000', TRY, files.join(','), tests.join(','), knownFile, path.join(path.dirname(knownFile), 'dear.json')], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
    let timer;
    const wait = (seconds) => {
      clearTimeout(timer);
      timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
    };
    wait(SECONDS_BEFORE_FIRST);
    createInterface({ input: child.stdout }).on('line', (line) => {
      wait(SILENT_SECONDS);
      report(JSON.parse(line));
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

/** Reports the result of every mutant of some files. A mutant that crashes its process or never ends counts as killed. */
async function tryFiles(files, tests, knownFile, report) {
  rmSync(knownFile, { force: true });
  let tried = 0;
  let last = { file: files[0] };
  const count = (mutant) => {
    tried++;
    last = mutant;
    report(mutant);
  };
  while (!(await tryOnce(files, tests, knownFile, count))) {
    if (!existsSync(knownFile)) throw new Error(`the tests of ${files[0]} do not end without mutants`);
    count({ file: last.file, state: 'killed' });
    writeFileSync(knownFile, JSON.stringify({ ...JSON.parse(readFileSync(knownFile, 'utf8')), tried }));
  }
}

const countOf = (all, state) => all.filter((mutant) => mutant.state === state).length;

function scoreOf(all) {
  return { killed: countOf(all, 'killed'), survived: countOf(all, 'survived'), notReached: countOf(all, 'not reached'), static: countOf(all, 'static'), notTried: countOf(all, 'not tried') };
}

const readJson = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

/** Updates the entry of a source file in a JSON file, sorted by source file. Entries of deleted files are removed. */
function updateEntry(where, file, known, textOf) {
  const lines = Object.entries({ ...readJson(where), [file]: known })
    .filter(([name]) => existsSync(path.join(ROOT, name)))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => `  ${JSON.stringify(name)}: ${textOf(entry)}`);
  writeFileSync(where, `{\n${lines.join(',\n')}\n}\n`);
}

const listText = (entries) => (entries.length === 0 ? '[]' : `[\n${entries.map((entry) => `    ${JSON.stringify(entry)}`).join(',\n')}\n  ]`);

/** Returns the mutants of a file that no test noticed, with the reasons already written for the same mutants. */
function survivorsOf(file, unnoticed) {
  const before = readJson(SURVIVORS)[file] ?? [];
  return unnoticed.map(({ state, at, was, is }) => {
    const why = before.find((other) => other.at === at && other.was === was && other.is === is)?.why;
    return { state, at, was, is, ...(why && { why }) };
  });
}

const testOverride = process.env.TESTS?.split(',');
const [log, ...wanted] = process.argv.slice(2);
mkdirSync(log, { recursive: true });
const isWanted = (file) => wanted.length === 0 || wanted.some((name) => file === name || path.dirname(file) === name);
const logOf = (file) => path.join(log, `${file.replaceAll('/', '_')}.log`);
const isTried = (file) => existsSync(logOf(file)) && statSync(logOf(file)).mtimeMs > statSync(path.join(ROOT, file)).mtimeMs;

/** Records the results of the mutants of a file. A file with only types has none. */
function recordResults(file, all) {
  const unnoticed = all.filter(({ state }) => state === 'survived' || state === 'not reached');
  writeFileSync(logOf(file), unnoticed.map(({ state, line, mutator, at, was, is }) => `${state} ${file}:${line} ${mutator}\n  ${at}\n  ${was}\n  ${is}\n`).join(''));
  updateEntry(SCORES, file, scoreOf(all), JSON.stringify);
  updateEntry(SURVIVORS, file, survivorsOf(file, unnoticed), listText);
  process.stdout.write(`${file} ${JSON.stringify(scoreOf(all))}\n`);
}

for (const { folders, tests } of TOGETHER) {
  const files = folders.flatMap(filesIn).filter((file) => isWanted(file) && !isTried(file));
  if (files.length === 0) continue;
  let all = [];
  await tryFiles(files, (testOverride ?? tests).flatMap(testsBelow), path.join(log, 'known.json'), (mutant) => {
    if (all.length > 0 && all[0].file !== mutant.file) {
      recordResults(all[0].file, all);
      all = [];
    }
    all.push(mutant);
  });
  if (all.length > 0) recordResults(all[0].file, all);
  for (const file of files) if (!isTried(file)) recordResults(file, []);
}
