// Whether tests notice Stryker's mutants, folder by folder.
//
//     npm install --no-save --prefix /elsewhere @stryker-mutator/instrumenter typed-inject
//     NODE_PATH=/elsewhere/node_modules node oracle/mutants/main.mjs LOG [FOLDER[/FILE]…]
//
// Tries the files of each FOLDER on the tests that `folders.mjs` names for it, of all folders there unless some are given, and writes how many were killed to `scores.json`,
// and those that no test noticed to `survivors.json`; `npm run docs` makes docs/mutation-testing.md of both. Whoever goes through the survivors writes beside each why it stays (`why`);
// that is kept for as long as the line and the mutant are the same. LOG is a folder that gets the survivors with their lines, a file for each of ours;
// a file that has its log there is not tried again, so that a run can be stopped and gone on with.
// MUTANTS_PER_FILE draws so many of a file, always the same ones, of all files but those of rollouts' arithmetic; the others count as not tried.
// TESTS asks these instead of those of `folders.mjs`, for files of which it is known what holds them: quicker, and the score is too low rather than too high.
// SECONDS_PER_FILE (900) ends a file that takes longer: the rest of its mutants count as not tried. What SECONDS_PER_MUTANT (3) means stands in `try.mjs`.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { TOGETHER } from './folders.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SCORES = path.join(import.meta.dirname, 'scores.json');
const SURVIVORS = path.join(import.meta.dirname, 'survivors.json');
const TRY = path.join(import.meta.dirname, 'try.mjs');
/** A mutant that says nothing for so long does not end. Before the first, the tests run without any. */
const SILENT_SECONDS = 120;
const SECONDS_BEFORE_FIRST = 900;

const isTest = (name) => name.endsWith('.test.ts');
const testsBelow = (name) => (isTest(name) ? [name] : readdirSync(path.join(ROOT, name), { recursive: true }).filter(isTest).map((file) => path.join(name, file)).toSorted());
const filesIn = (folder) => readdirSync(path.join(ROOT, folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts')).map((name) => path.join(folder, name));

/** One process that tries mutants; says what it says of each, and gives whether it came to its end. */
function tryOnce(files, tests, knownFile, say) {
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
      say(JSON.parse(line));
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

/** Says what became of every mutant of some files. One that ends its process, or does not end, is noticed by whoever runs the tests. */
async function tryFiles(files, tests, knownFile, say) {
  rmSync(knownFile, { force: true });
  let tried = 0;
  let last = { file: files[0] };
  const count = (mutant) => {
    tried++;
    last = mutant;
    say(mutant);
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

/** Writes a file of what is known by file, an entry a file, in order; files that are gone are left out. */
function keep(where, file, known, textOf) {
  const lines = Object.entries({ ...readJson(where), [file]: known })
    .filter(([name]) => existsSync(path.join(ROOT, name)))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => `  ${JSON.stringify(name)}: ${textOf(entry)}`);
  writeFileSync(where, `{\n${lines.join(',\n')}\n}\n`);
}

const listText = (entries) => (entries.length === 0 ? '[]' : `[\n${entries.map((entry) => `    ${JSON.stringify(entry)}`).join(',\n')}\n  ]`);

/** The mutants of a file that no test noticed, with the reasons that were written beside the same ones. */
function survivorsOf(file, unnoticed) {
  const before = readJson(SURVIVORS)[file] ?? [];
  return unnoticed.map(({ state, at, was, is }) => {
    const why = before.find((other) => other.at === at && other.was === was && other.is === is)?.why;
    return { state, at, was, is, ...(why && { why }) };
  });
}

const asked = process.env.TESTS?.split(',');
const [log, ...wanted] = process.argv.slice(2);
mkdirSync(log, { recursive: true });
const isWanted = (file) => wanted.length === 0 || wanted.some((name) => file === name || path.dirname(file) === name);
const logOf = (file) => path.join(log, `${file.replaceAll('/', '_')}.log`);
const isTried = (file) => existsSync(logOf(file)) && statSync(logOf(file)).mtimeMs > statSync(path.join(ROOT, file)).mtimeMs;

/** Writes down what became of the mutants of a file; one that says nothing but types has none. */
function end(file, all) {
  const unnoticed = all.filter(({ state }) => state === 'survived' || state === 'not reached');
  writeFileSync(logOf(file), unnoticed.map(({ state, line, mutator, at, was, is }) => `${state} ${file}:${line} ${mutator}\n  ${at}\n  ${was}\n  ${is}\n`).join(''));
  keep(SCORES, file, scoreOf(all), JSON.stringify);
  keep(SURVIVORS, file, survivorsOf(file, unnoticed), listText);
  process.stdout.write(`${file} ${JSON.stringify(scoreOf(all))}\n`);
}

for (const { folders, tests } of TOGETHER) {
  const files = folders.flatMap(filesIn).filter((file) => isWanted(file) && !isTried(file));
  if (files.length === 0) continue;
  let all = [];
  await tryFiles(files, (asked ?? tests).flatMap(testsBelow), path.join(log, 'known.json'), (mutant) => {
    if (all.length > 0 && all[0].file !== mutant.file) {
      end(all[0].file, all);
      all = [];
    }
    all.push(mutant);
  });
  if (all.length > 0) end(all[0].file, all);
  for (const file of files) if (!isTried(file)) end(file, []);
}
