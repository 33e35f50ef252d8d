// Prints the last line of the gate, "N passed, N failed", from the results that jest wrote into the given folder.
const { readFileSync, readdirSync } = require('node:fs');
const path = require('node:path');

const folder = process.argv[2];
const runs = readdirSync(folder).map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')));
if (runs.length === 0) throw new Error('jest wrote no results');

const skipped = runs
  .flatMap(({ testResults }) => testResults.flatMap(({ assertionResults }) => assertionResults))
  .filter(({ status }) => status !== 'passed' && status !== 'failed');
for (const { fullName } of skipped) console.error(`skipped: ${fullName}`);

const sum = (numberOf) => runs.reduce((total, run) => total + numberOf(run), 0);
const passed = sum(({ numPassedTests }) => numPassedTests);
// A test file that cannot be loaded has no tests to count, so it counts as one failure.
const failed = sum(({ numFailedTests, numRuntimeErrorTestSuites }) => numFailedTests + numRuntimeErrorTestSuites);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || skipped.length > 0 ? 1 : 0;
