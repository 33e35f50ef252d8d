/**
 * The app that `cdk8s synth` runs: every example in turn, each into a folder of its own name.
 *
 * A new folder `examples/<name>/main.ts` joins by itself. Run alone, an example writes into `dist/` as any cdk8s app does.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const outdir = process.env.CDK8S_OUTDIR ?? 'dist';
// The sources are listed, not the compiled files, so that an example that was removed is not run from a stale build.
// A folder without main.ts is no cdk8s app: examples/pulumi is a program of its own.
const examples = readdirSync('examples').filter((name) => existsSync(path.join('examples', name, 'main.ts')));

for (const example of examples.toSorted()) {
  process.env.CDK8S_OUTDIR = path.join(outdir, example);
  require(path.join(__dirname, example, 'main.js'));
}
