// Splits the commands into the modules that a usual run loads and all others, because V8 scans a file completely before it runs the first
// function: without this, scanning takes a third of the time of checking a small file.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** Arguments of usual runs. */
const USUAL_RUNS = [
  ['check', '.ci/usual-manifests'],
  ['check', '.ci/usual-manifests/web.yaml'],
  ['plan', '.ci/usual-manifests'],
];

/** The function of esbuild that loads a module of the bundle. */
const LOADER = 'function __require() {';

/**
 * Returns the modules that usual runs load, by the names that esbuild gives them: `lib/core/manifest/manifest.js`.
 *
 * @param bundle - the bundle of all commands, which is written in order to run it
 * @throws Error if a run fails
 */
function recordLoadedModules({ path: file, text }) {
  if (!text.includes(LOADER)) throw new Error(`the bundle of esbuild has no ${LOADER}; change LOADER in .ci/split-bundle.mjs`);
  writeFileSync(file, text.replace(LOADER, `${LOADER} mod || require("node:fs").writeSync(3, Object.keys(cb)[0] + "\\n");`));
  const loaded = USUAL_RUNS.flatMap((args) => {
    const main = path.join(path.dirname(file), 'main.js');
    const { status, output } = spawnSync(process.execPath, [main, ...args], {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`rolloutkit ${args.join(' ')} ended with ${status}`);
    return output[3].split('\n').slice(0, -1);
  });
  return new Set(loaded);
}

/**
 * Returns the plugin that builds two bundles in place of one: `first` with the modules that usual runs load, and `other`, which is loaded when a
 * module of it is used. Each exports the modules that the other one uses as `MODULES`.
 *
 * @param bundle - the bundle of all commands
 * @param inputs - its modules with their imports, from the metafile of esbuild
 */
export function splitBundle(bundle, inputs, { first, other }) {
  const toName = (file) => path.relative('.', file).replaceAll(path.sep, '/');
  const loaded = recordLoadedModules(bundle).add(toName(bundle.path));
  const bundleOf = (name) => (loaded.has(name) ? first : other);
  const names = Object.keys(inputs);
  const exported = new Set(
    names.flatMap((name) =>
      inputs[name].imports.filter((used) => names.includes(used.path) && bundleOf(used.path) !== bundleOf(name)).map((used) => used.path),
    ),
  );
  const listModules = (own) => {
    const modules = Array.from(exported).filter((name) => bundleOf(name) === own);
    return `{ ${modules.map((name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(path.resolve(name))})`).join(',\n')} }`;
  };
  return {
    /** Appends the export of its modules to the text of the entry of the first bundle. */
    addModules: (text) => `${text}\nexports.MODULES = ${listModules(first)};\n`,
    plugin: {
      name: 'split',
      setup(bundler) {
        bundler.onResolve({ filter: /^\.{1,2}\// }, ({ path: specifier, importer, namespace, resolveDir }) => {
          if (namespace === 'other-bundle') return { path: specifier, external: true };
          const name = [`${specifier}.js`, `${specifier}/index.js`]
            .map((end) => toName(path.resolve(resolveDir, end)))
            .find((end) => end in inputs);
          return name && bundleOf(name) !== bundleOf(toName(importer)) ? { path: name, namespace: 'other-bundle' } : undefined;
        });
        bundler.onLoad({ filter: /./, namespace: 'other-bundle' }, ({ path: name }) => ({
          contents: `module.exports = require("./${bundleOf(name)}").MODULES[${JSON.stringify(name)}]();`,
          resolveDir: path.dirname(bundle.path),
        }));
        bundler.onResolve({ filter: new RegExp(`^${other}$`) }, () => ({ path: other, namespace: 'entry' }));
        bundler.onLoad({ filter: /./, namespace: 'entry' }, () => ({
          contents: `exports.MODULES = ${listModules(other)};`,
          resolveDir: path.dirname(bundle.path),
        }));
      },
    },
  };
}
