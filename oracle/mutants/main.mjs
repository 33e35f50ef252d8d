// Stryker's mutants of some files, and whether tests notice them: all in one process that loads the tests once, so that hundreds take seconds.
//
//     npm install --no-save --prefix /elsewhere @stryker-mutator/instrumenter typed-inject
//     NODE_PATH=/elsewhere/node_modules node oracle/mutants/main.mjs FILE[,FILE…] TEST…
//
// What a module works out while it is loaded, such as a pattern, is the same for all mutants, so those are counted as `static` and not tried.
// Snapshots are not looked at, and tests that start programs or mock modules do not run here.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** A loop that goes through a mutant so often does not end. */
const MOST_HITS = 200_000;
const ALIASES = { rolloutkit: 'src/index.ts', 'rolloutkit/plan': 'src/headless.ts' };

const require = createRequire(path.join(ROOT, 'package.json'));
const elsewhere = createRequire(path.join(process.env.NODE_PATH, 'x'));
const importElsewhere = (name) => import(pathToFileURL(elsewhere.resolve(name)).href);

async function instrumented(files) {
  const { createInjector } = await importElsewhere('typed-inject');
  const { createInstrumenter } = await importElsewhere('@stryker-mutator/instrumenter');
  const silent = () => undefined;
  const logger = { isDebugEnabled: () => false, trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent };
  const instrumenter = createInjector().provideValue('logger', logger).injectFunction(createInstrumenter);
  const given = files.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') }));
  return instrumenter.instrument(given, { plugins: null, excludedMutations: [], mutationLevel: 'standard', ignorers: [], noHeader: false });
}

/* oxlint-disable no-underscore-dangle -- Node.js names them so */
/** Lets TypeScript be required, with the mutants in it. */
function loadWith(mutated) {
  const swc = require('@swc/core');
  const compiled = (filename, text) =>
    swc.transformSync(text, { filename, jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } }).code;
  Module._extensions['.ts'] = (module, file) => module._compile(compiled(file, mutated.get(file) ?? readFileSync(file, 'utf8')), file);
  const resolve = Module._resolveFilename;
  Module._resolveFilename = (request, ...rest) => (ALIASES[request] ? path.join(ROOT, ALIASES[request]) : resolve(request, ...rest));
}

/** The tests of some files, as jest would name them. */
function testsOf(files) {
  const tests = [];
  const trail = [];
  const { jestExpect } = require('@jest/expect');
  const { bind } = require('jest-each');
  const test = (name, run) => tests.push({ name: [...trail, name].join(' > '), run });
  const describe = (name, within) => {
    trail.push(name);
    within();
    trail.pop();
  };
  const seen = () => ({ pass: true, message: () => '' });
  jestExpect.extend({ toMatchSnapshot: seen, toMatchInlineSnapshot: seen });
  const none = () => undefined;
  const hooks = { beforeAll: none, afterAll: none, beforeEach: none, afterEach: none };
  Object.assign(globalThis, hooks, {
    expect: jestExpect,
    test: Object.assign(test, { each: bind(test) }),
    describe: Object.assign(describe, { each: bind(describe) }),
  });
  require(path.join(ROOT, 'test/setup/properties.ts'));
  for (const file of files) require(path.resolve(file));
  return tests;
}

/** The tests that pass without mutants, each with its cost and the mutants that it goes through; the cheapest first. */
async function passing(tests, space) {
  const found = [];
  for (const test of tests) {
    space.currentTestId = test.name;
    const before = process.cpuUsage();
    try {
      await test.run();
    } catch (error) {
      process.stderr.write(`fails without mutants: ${test.name}: ${error.message}\n`);
      continue;
    }
    const { user, system } = process.cpuUsage(before);
    found.push({ ...test, cost: user + system, covers: space.mutantCoverage?.perTest[test.name] ?? {} });
  }
  space.currentTestId = undefined;
  return found.toSorted((a, b) => a.cost - b.cost);
}

async function stateOf({ id }, tests, space) {
  const covering = tests.filter(({ covers }) => covers[id] !== undefined);
  if (covering.length === 0) return space.mutantCoverage?.static[id] === undefined ? 'not reached' : 'static';
  Object.assign(space, { activeMutant: id, hitCount: 0, hitLimit: MOST_HITS });
  try {
    for (const { run } of covering) await run();
    return 'survived';
  } catch {
    return 'killed';
  } finally {
    Object.assign(space, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
  }
}

const [names, ...testFiles] = process.argv.slice(2);
const { files, mutants } = await instrumented(names.split(',').map((name) => path.resolve(name)));
const space = (globalThis.__stryker__ ??= {});
loadWith(new Map(files.map(({ name, content }) => [name, content])));
const tests = await passing(testsOf(testFiles), space);
const counts = {};
for (const mutant of mutants) {
  const state = await stateOf(mutant, tests, space);
  const file = path.relative(ROOT, mutant.fileName);
  counts[file] ??= {};
  counts[file][state] = (counts[file][state] ?? 0) + 1;
  if (state === 'killed' || state === 'static') continue;
  const line = mutant.location.start.line;
  const written = readFileSync(mutant.fileName, 'utf8').split('\n')[line].trim();
  process.stdout.write(`${state} ${file}:${line + 1} ${mutant.mutatorName}\n  ${written}\n  ${mutant.replacement.replaceAll('\n', ' ').slice(0, 200)}\n`);
}
process.stdout.write(`${JSON.stringify(counts, null, 2)}\n`);
