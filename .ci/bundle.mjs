// Makes one file each of what the command line starts with, of the program behind it and of its commands: see src/cli/kept-code.ts.
import { copyFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';

const commander = createRequire(import.meta.url).resolve('commander');

/** What a program is started by, loaded where one is: to load it takes as long as to plan a file. */
const CHILD_PROCESS = ['spawn', 'spawnSync'];

/** What is bundled otherwise than as it stands. */
const PARTS = {
  name: 'parts',
  setup(bundler) {
    // To find and read its files takes longer than to run it.
    bundler.onResolve({ filter: /^commander$/ }, () => ({ path: commander }));
    bundler.onResolve({ filter: /^node:child_process$/ }, ({ namespace }) =>
      namespace === 'where-asked' ? { external: true } : { path: 'child_process', namespace: 'where-asked' },
    );
    bundler.onLoad({ filter: /./, namespace: 'where-asked' }, () => ({
      contents: CHILD_PROCESS.map((name) => `exports.${name} = (...given) => require('node:child_process').${name}(...given);`).join('\n'),
    }));
  },
};

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
  plugins: [PARTS],
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

copyFileSync(path.join(path.dirname(commander), 'LICENSE'), 'lib/cli/commander.LICENSE');
