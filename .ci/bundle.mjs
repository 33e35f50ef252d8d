// Makes one file each of what the command line starts with, of the program behind it and of its commands: see src/cli/kept-code.ts.
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

const BUNDLED = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  packages: 'external',
  sourcemap: true,
  sourcesContent: false,
  minifyWhitespace: true,
  outdir: 'lib/cli',
  allowOverwrite: true,
  logLevel: 'warning',
};

await build({ ...BUNDLED, entryPoints: ['src/cli/main.ts'] });
await build({
  ...BUNDLED,
  entryPoints: ['src/cli/run.ts', 'src/cli/bundle.ts'],
  banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
  footer: { js: '})' },
});

// Read as text of one byte a character, without a copy. The bundler escapes all but what stands in a pattern.
for (const file of ['run', 'bundle']) {
  const [strange] = readFileSync(`lib/cli/${file}.js`, 'utf8').match(/.{0,40}[^\0-\x7f].{0,40}/) ?? [];
  if (strange !== undefined) throw new Error(`lib/cli/${file}.js is not ASCII: write an escape in the pattern ${strange}`);
}
