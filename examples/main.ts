/**
 * The app that `cdk8s synth` runs: every example, each into a folder with its name.
 *
 * New examples `examples/<name>/main.ts` are found automatically. A single example writes into `dist/`, like any cdk8s app.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const outdir = process.env.CDK8S_OUTDIR ?? 'dist';
// Lists the sources instead of the compiled files, so that a removed example is not run from a stale build.
// Folders without main.ts are not cdk8s apps: examples/pulumi is a separate program.
const examples = readdirSync('examples').filter((name) => existsSync(path.join('examples', name, 'main.ts')));

for (const example of examples.toSorted()) {
  process.env.CDK8S_OUTDIR = path.join(outdir, example);
  require(path.join(__dirname, example, 'main.js'));
}
