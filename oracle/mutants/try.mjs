// Runs some tests on Stryker's mutants of some files, all in one process that loads the tests once, so that hundreds take seconds.
// `main.mjs` starts it and reads one line of JSON per mutant.
//
//     NODE_PATH=/elsewhere/node_modules node oracle/mutants/try.mjs FILE[,FILE…] TEST[,TEST…] [KNOWN [SLOW]]
//
// KNOWN is a file with the mutants that each test covers, as found by an earlier process, and with the number of mutants already tried.
// SLOW is a file with the tests that take longer than the time for one mutant. They are not run again to measure their coverage.
// Tests that start programs or mock modules do not run here.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { WHOLE } from './folders.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
/**
 * A test counts as endless if it executes a mutant more often than `MOST_TIMES` times its executions without mutants, plus `MOST_HITS`:
 * with 10 executions, more than 1,050.
 */
const MOST_TIMES = 5;
const MOST_HITS = 1_000;
/** Maximum milliseconds per file. Its remaining mutants are not tried. */
const MOST_MILLISECONDS = 1e3 * Number(process.env.SECONDS_PER_FILE ?? 900);
/** Maximum total time of the tests of one mutant, in microseconds as measured without mutants. Tests that exceed it are not run. */
const MOST_COST = 1e6 * Number(process.env.SECONDS_PER_MUTANT ?? 3);
/**
 * Maximum number of mutants per file that does not match `WHOLE`. A hash selects them, so the selection is the same each time, and a larger
 * number includes the selection of a smaller one.
 */
const MOST_MUTANTS = Number(process.env.MUTANTS_PER_FILE ?? Infinity);
const ALIASES = { rolloutkit: 'src/index.ts', 'rolloutkit/plan': 'src/headless.ts' };

const require = createRequire(path.join(ROOT, 'package.json'));
const elsewhere = createRequire(path.join(process.env.NODE_PATH, 'x'));
const importElsewhere = (name) => import(pathToFileURL(elsewhere.resolve(name)).href);

async function instrument(files) {
  const { createInjector } = await importElsewhere('typed-inject');
  const { createInstrumenter } = await importElsewhere('@stryker-mutator/instrumenter');
  const silent = () => undefined;
  const logger = { isDebugEnabled: () => false, trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent };
  const instrumenter = createInjector().provideValue('logger', logger).injectFunction(createInstrumenter);
  const sources = files.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') }));
  return instrumenter.instrument(sources, { plugins: null, excludedMutations: [], mutationLevel: 'standard', ignorers: [], noHeader: false });
}

/* oxlint-disable no-underscore-dangle -- these are names of Node.js */
/** Makes `require` load TypeScript, with the mutants in it. */
function loadWith(mutated) {
  const swc = require('@swc/core');
  const compiled = (filename, text) =>
    swc.transformSync(text, { filename, jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } }).code;
  Module._extensions['.ts'] = (module, file) => module._compile(compiled(file, mutated.get(file) ?? readFileSync(file, 'utf8')), file);
  const resolve = Module._resolveFilename;
  Module._resolveFilename = (request, ...rest) => (ALIASES[request] ? path.join(ROOT, ALIASES[request]) : resolve(request, ...rest));
}

/** Returns the tests of some files, with the names that jest gives them. */
function testsOf(files) {
  const tests = [];
  const trail = [];
  const { jestExpect } = require('@jest/expect');
  const { bind } = require('jest-each');
  const snapshots = require('jest-snapshot');
  let snapshotState;
  let testPath;
  const test = (name, run) => {
    const [currentTestName, file, state] = [[...trail, name].join(' '), testPath, snapshotState];
    tests.push({
      name: `${path.relative(ROOT, file)} > ${currentTestName}`,
      run: async () => {
        state.clear();
        jestExpect.setState({ currentTestName, testPath: file, snapshotState: state, suppressedErrors: [] });
        await run();
        // A different snapshot does not end its test.
        const [differs] = jestExpect.getState().suppressedErrors;
        if (differs) throw differs;
      },
    });
  };
  const describe = (name, within) => {
    trail.push(name);
    within();
    trail.pop();
  };
  jestExpect.extend({ toMatchSnapshot: snapshots.toMatchSnapshot, toMatchInlineSnapshot: snapshots.toMatchInlineSnapshot });
  const none = () => undefined;
  const hooks = { beforeAll: none, afterAll: none, beforeEach: none, afterEach: none };
  Object.assign(globalThis, hooks, {
    expect: jestExpect,
    test: Object.assign(test, { each: bind(test) }),
    describe: Object.assign(describe, { each: bind(describe) }),
  });
  require(path.join(ROOT, 'test/setup/properties.ts'));
  const fc = require('fast-check');
  fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
  const { default: places } = require(path.join(ROOT, 'test/setup/snapshot-paths.ts'));
  const snapshotFormat = { escapeString: false, printBasicPrototype: false };
  for (const file of files) {
    testPath = path.resolve(file);
    const options = { updateSnapshot: 'none', expand: false, rootDir: ROOT, snapshotFormat, prettierPath: null };
    snapshotState = new snapshots.SnapshotState(places.resolveSnapshotPath(testPath, '.snap'), options);
    try {
      require(testPath);
    } catch (error) {
      process.stderr.write(`skipped, because it cannot be loaded here: ${file}: ${error.message.slice(0, 300)}\n`);
    }
  }
  return tests;
}

/** Runs the tests without mutants. Returns the passing ones by name, with their cost and the mutants that each covers. */
async function measureCoverage(tests, space, slow) {
  const found = {};
  for (const { name, run } of tests) {
    if (slow.has(name)) continue;
    space.currentTestId = name;
    const before = process.cpuUsage();
    try {
      await run();
    } catch (error) {
      process.stderr.write(`fails without mutants: ${name}: ${error.message.slice(0, 300)}\n`);
      continue;
    }
    const { user, system } = process.cpuUsage(before);
    if (user + system > MOST_COST) slow.add(name);
    found[name] = { cost: user + system, covers: space.mutantCoverage?.perTest[name] ?? {} };
  }
  space.currentTestId = undefined;
  return { tests: found, static: Object.keys(space.mutantCoverage?.static ?? {}) };
}

/** Returns the tests that cover each mutant. `kills` counts the mutants that a test noticed, because it is likely to notice others too. */
function coveringTests(tests, known) {
  const covering = new Map();
  for (const { name, run } of tests) {
    const { cost, covers } = known.tests[name] ?? { covers: {} };
    const test = { run, cost, covers, kills: 0 };
    for (const id of Object.keys(covers)) {
      if (!covering.has(id)) covering.set(id, []);
      covering.get(id).push(test);
    }
  }
  return covering;
}

async function stateOf({ id }, covering, space) {
  if (covering.length === 0) return 'not reached';
  space.activeMutant = id;
  let budget = MOST_COST;
  try {
    for (const test of covering.toSorted((a, b) => a.cost / (1 + a.kills) - b.cost / (1 + b.kills))) {
      if (test.cost > budget) continue;
      budget -= test.cost;
      Object.assign(space, { hitCount: 0, hitLimit: MOST_HITS + MOST_TIMES * test.covers[id] });
      try {
        await test.run();
      } catch {
        test.kills++;
        return 'killed';
      }
    }
    return 'survived';
  } finally {
    Object.assign(space, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
  }
}

const UNNOTICED = new Set(['survived', 'not reached']);
const [names, testNames, knownFile, slowFile] = process.argv.slice(2);
const { files, mutants } = await instrument(names.split(',').map((name) => path.resolve(name)));
const space = (globalThis.__stryker__ ??= {});
loadWith(new Map(files.map(({ name, content }) => [name, content])));
const tests = testsOf(testNames.split(','));
const readJson = (file) => (file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);
const slow = new Set(readJson(slowFile));
const known = readJson(knownFile) ?? { ...(await measureCoverage(tests, space, slow)), tried: 0 };
if (slowFile) writeFileSync(slowFile, JSON.stringify([...slow]));
const remember = () => knownFile && writeFileSync(knownFile, JSON.stringify(known));
const covering = coveringTests(tests, known);
const beginnings = new Map();
/** Reports whether a file has taken longer than `MOST_MILLISECONDS`. */
function isOver(file) {
  if (!beginnings.has(file)) beginnings.set(file, Date.now());
  return Date.now() - beginnings.get(file) > MOST_MILLISECONDS;
}

function lotOf({ fileName, location, replacement }) {
  const { start, end } = location;
  return createHash('sha256').update([path.relative(ROOT, fileName), start.line, start.column, end.line, end.column, replacement].join('\n')).digest('hex');
}

/** Selects the mutants to try. Mutants that only run while a module is loaded are not selected, because every test would share them. */
function selectMutants() {
  const fixed = new Set(known.static);
  const selectOf = (name) => {
    const all = mutants.filter(({ fileName, id }) => fileName === name && (!fixed.has(id) || covering.has(id)));
    return all.map((mutant) => ({ mutant, lot: lotOf(mutant) })).toSorted((a, b) => (a.lot < b.lot ? -1 : 1)).slice(0, WHOLE.test(name) ? Infinity : MOST_MUTANTS);
  };
  return new Set(files.flatMap(({ name }) => selectOf(name)).map(({ mutant }) => mutant));
}

/** Returns the source text that a mutant replaces. */
function partOf({ location: { start, end } }, fileLines) {
  if (start.line === end.line) return fileLines[start.line].slice(start.column, end.column);
  return [fileLines[start.line].slice(start.column), ...fileLines.slice(start.line + 1, end.line), fileLines[end.line].slice(0, end.column)].join(' ');
}

const shortened = (text) => text.replaceAll(/\s+/g, ' ').slice(0, 200);

const selected = selectMutants();
remember();
const lines = new Map(files.map(({ name }) => [name, readFileSync(name, 'utf8').split('\n')]));
for (const mutant of mutants.slice(known.tried)) {
  const { line } = mutant.location.start;
  const origin = { file: path.relative(ROOT, mutant.fileName), line: line + 1, mutator: mutant.mutatorName };
  const testsToRun = covering.get(mutant.id) ?? [];
  const isFixed = testsToRun.length === 0 && known.static.includes(mutant.id);
  const isTried = selected.has(mutant) && !isOver(origin.file);
  const state = isFixed ? 'static' : isTried ? await stateOf(mutant, testsToRun, space) : 'not tried';
  const seen = !UNNOTICED.has(state) ? {} : { at: lines.get(mutant.fileName)[line].trim(), was: shortened(partOf(mutant, lines.get(mutant.fileName))), is: shortened(mutant.replacement) };
  process.stdout.write(`${JSON.stringify({ ...origin, state, ...seen })}\n`);
}
