// Makes one file each of what the command line starts with, of the program behind it and of its commands: see src/cli/kept-code.ts.
// It takes what tsc has made of them, and puts what it makes in their place.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build, transform } from 'esbuild';
import { importsOf, lazily } from './lazy-imports.mjs';

/** What a program is started by, loaded where one is: to load it takes as long as to plan a file. */
const CHILD_PROCESS = ['spawn', 'spawnSync'];

/** A package that every run needs: to find and read its files takes longer than to run it. */
const COMMANDER = createRequire(import.meta.url).resolve('commander');

const LIB = path.resolve('lib');

const compiled = new Map(
  readdirSync(LIB, { recursive: true })
    .filter((name) => name.endsWith('.js'))
    .map((name) => path.join(LIB, name))
    .map((file) => [file, readFileSync(file, 'utf8')]),
);
const imports = importsOf(compiled);

/** What is bundled otherwise than as it stands. */
const PARTS = {
  name: 'parts',
  setup(bundler) {
    bundler.onResolve({ filter: /^commander$/ }, () => ({ path: COMMANDER }));
    bundler.onResolve({ filter: /^node:child_process$/ }, ({ namespace }) =>
      namespace === 'where-asked' ? { external: true } : { path: 'child_process', namespace: 'where-asked' },
    );
    bundler.onLoad({ filter: /./, namespace: 'where-asked' }, () => ({
      contents: CHILD_PROCESS.map((name) => `exports.${name} = (...given) => require('node:child_process').${name}(...given);`).join('\n'),
    }));
    bundler.onLoad({ filter: /\.js$/ }, ({ path: file }) =>
      compiled.has(file) ? { contents: lazily(file, compiled.get(file), imports), loader: 'js' } : undefined,
    );
  },
};

const BUNDLED = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  packages: 'external',
  sourcesContent: false,
  minifyWhitespace: true,
  outdir: 'lib/cli',
  plugins: [PARTS],
  logLevel: 'warning',
};

const WRAPPED = ['run', 'lazy-commands'].map((name) => `lib/cli/${name}.js`);

/**
 * The text with short names. Not by the bundler in one go: it would make an arrow function of each module, and of one within a function
 * the engine reads all at once.
 */
async function shortened({ path: file, text }) {
  const { code, map } = await transform(text, {
    minifyIdentifiers: true,
    minifyWhitespace: true,
    platform: 'node',
    target: 'node20',
    sourcefile: file,
    sourcemap: true,
    sourcesContent: false,
  });
  // Read as text of one byte a character, without a copy. All is escaped but what stands in a pattern.
  const [strange] = code.match(/.{0,40}[^\0-\x7f].{0,40}/) ?? [];
  if (strange !== undefined) throw new Error(`${file} is not ASCII: write an escape in the pattern ${strange}`);
  writeFileSync(file, `${code.trimEnd().replace(/;$/, '')}\n//# sourceMappingURL=${path.basename(file)}.map\n`);
  writeFileSync(`${file}.map`, map);
}

const bundledAlready = WRAPPED.find((file) => compiled.get(path.resolve(file)).startsWith('('));
if (bundledAlready) throw new Error(`${bundledAlready} is bundled already; run npm run build, which compiles first`);

const program = await build({
  ...BUNDLED,
  entryPoints: WRAPPED,
  banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
  footer: { js: '})' },
  sourcemap: 'inline',
  write: false,
});
await build({ ...BUNDLED, entryPoints: ['lib/cli/main.js'], sourcemap: true, allowOverwrite: true });
await Promise.all(program.outputFiles.map(shortened));

copyFileSync(path.join(path.dirname(COMMANDER), 'LICENSE'), 'lib/cli/commander.LICENSE');
