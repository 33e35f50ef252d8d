// Bundles the compiled command line into four files: its start (main.js), the program (run.js), the commands with what they usually need
// (lazy-commands.js), and everything else (rare-modules.js).
// Finding and reading hundreds of files takes longer than planning a small repository. The bundles replace the files that tsc wrote.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build, transform } from 'esbuild';
import { importsOf, lazily } from './lazy-imports.mjs';
import { splitBundle } from './split-bundle.mjs';

/** The functions of node:child_process in use. Few runs start a program, and loading the module takes as long as planning a file. */
const CHILD_PROCESS = ['spawn', 'spawnSync'];

/** A package that every run needs: finding and reading its files takes longer than running it. */
const COMMANDER = createRequire(import.meta.url).resolve('commander');

const LIB = path.resolve('lib');

const compiled = new Map(
  readdirSync(LIB, { recursive: true })
    .filter((name) => name.endsWith('.js'))
    .map((name) => path.join(LIB, name))
    .map((file) => [file, readFileSync(file, 'utf8')]),
);
const imports = importsOf(compiled);

/** Modules that are not bundled as they are written. */
const MODULES = {
  name: 'modules',
  setup(bundler) {
    bundler.onResolve({ filter: /^commander$/ }, () => ({ path: COMMANDER }));
    bundler.onResolve({ filter: /^node:child_process$/ }, ({ namespace }) =>
      namespace === 'on-demand' ? { external: true } : { path: 'child_process', namespace: 'on-demand' },
    );
    bundler.onLoad({ filter: /./, namespace: 'on-demand' }, () => ({
      contents: CHILD_PROCESS.map((name) => `exports.${name} = (...args) => require('node:child_process').${name}(...args);`).join('\n'),
    }));
    bundler.onLoad({ filter: /\.js$/ }, ({ path: file }) =>
      compiled.has(file) ? { contents: lazily(file, compiled.get(file), imports), loader: 'js' } : undefined,
    );
  },
};

const BUNDLES = ['main', 'run', 'lazy-commands'].map((name) => path.join(LIB, 'cli', `${name}.js`));

const bundledFile = BUNDLES.find((file) => !compiled.get(file).includes('Object.defineProperty(exports, "__esModule"'));
if (bundledFile) throw new Error(`${bundledFile} is bundled already; run npm run build, which compiles first`);

/**
 * Minifies a bundle. The bundler cannot do this itself: with short names it makes an arrow function of each module.
 * V8 compiles those at once, which takes 13 MB more memory in every run.
 */
async function minify({ path: file, text }) {
  const { code, map } = await transform(text, {
    minify: true,
    platform: 'node',
    target: 'node20',
    sourcefile: file,
    sourcemap: true,
    sourcesContent: false,
  });
  writeFileSync(file, `${code}//# sourceMappingURL=${path.basename(file)}.map\n`);
  writeFileSync(`${file}.map`, map);
}

const OPTIONS = {
  outdir: 'lib/cli',
  write: false,
  bundle: true,
  // Each bundle loads the others as files.
  external: ['./run', './lazy-commands', './rare-modules'],
  packages: 'external',
  platform: 'node',
  target: 'node20',
  sourcemap: 'inline',
  sourcesContent: false,
  plugins: [MODULES],
  logLevel: 'warning',
};

const [MAIN, RUN, COMMANDS] = BUNDLES;

const { outputFiles: starts } = await build({ ...OPTIONS, entryPoints: [MAIN, RUN] });
await Promise.all(starts.map(minify));

const {
  outputFiles: [bundle],
  metafile,
} = await build({ ...OPTIONS, entryPoints: [COMMANDS], metafile: true });
const { addModules, plugin } = splitBundle(bundle, metafile.inputs, { first: 'lazy-commands', other: 'rare-modules' });
compiled.set(COMMANDS, addModules(compiled.get(COMMANDS)));
const { outputFiles: commands } = await build({
  ...OPTIONS,
  entryPoints: { 'lazy-commands': COMMANDS, 'rare-modules': 'rare-modules' },
  plugins: [plugin, MODULES],
});
await Promise.all(commands.map(minify));

copyFileSync(path.join(path.dirname(COMMANDER), 'LICENSE'), 'lib/cli/commander.LICENSE');
