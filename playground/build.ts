import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { minify } from '@swc/core';
import { build } from 'esbuild';
import type { BuildOptions, Plugin } from 'esbuild';
import { examples } from './examples';
import { WITHOUT_PAGES } from './without-pages';

/** Relative to the root of the checkout, where npm runs scripts and jest runs tests. */
const FOLDER = path.resolve('playground');

const FOR_BROWSERS: BuildOptions = {
  bundle: true,
  minify: true,
  platform: 'browser',
  target: 'es2023',
  format: 'iife',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'error',
  alias: {
    'node:path': path.join(FOLDER, 'paths.ts'),
    'node:buffer': path.join(FOLDER, 'bytes.ts'),
    'd3-shape': path.join(FOLDER, 'step-areas.ts'),
    'fastest-levenshtein': path.join(FOLDER, 'distance.ts'),
    re2js: path.join(FOLDER, 'native-expressions.ts'),
    picocolors: path.join(FOLDER, 'no-colours.ts'),
  },
};

/** Leaves out the fast YAML reader, and the check of custom resources with the CRDs of the input. */
const WITHOUT_LARGE_PARTS: Plugin = {
  name: 'without-large-parts',
  setup(bundler) {
    bundler.onResolve({ filter: /^\.\/fast-reader$/ }, () => ({ path: path.join(FOLDER, 'slow-reading.ts') }));
    bundler.onResolve({ filter: /\/input-definitions$/ }, () => ({ path: path.join(FOLDER, 'no-definitions.ts') }));
  },
};

/** Bundles a module as a classic script, which can be loaded from disk and declares the exports as a global. */
async function classicScript(module: string, globalName: string, plugins: Plugin[]): Promise<string> {
  const entryPoints = [path.join(FOLDER, module)];
  const { outputFiles } = await build({ ...FOR_BROWSERS, entryPoints, globalName, plugins, write: false });
  return smaller(outputFiles[0]!.text);
}

/** Builds the script of the planner and its text formats, which declares `rolloutkit`. */
export function engineScript(): Promise<string> {
  return classicScript('engine.ts', 'rolloutkit', [WITHOUT_PAGES, WITHOUT_LARGE_PARTS]);
}

/** Builds the script that draws plans, which declares `rolloutkitDrawing`. It is a separate script because it only needs the plan. */
export function drawingScript(): Promise<string> {
  return classicScript('drawing.ts', 'rolloutkitDrawing', []);
}

/** Minifies a script again with a second minifier, which reduces the download by 4%. */
async function smaller(script: string): Promise<string> {
  const { code } = await minify(script, {
    // No code reads the number of parameters of a function.
    compress: { passes: 6, keep_fargs: false },
    mangle: true,
    module: false,
    format: { comments: false },
  });
  return code;
}

async function appScript(): Promise<string> {
  const { outputFiles } = await build({ ...FOR_BROWSERS, entryPoints: [path.join(FOLDER, 'app.ts')], write: false });
  return outputFiles[0]!.text;
}

/** Serializes JSON for a script element: no text may end the script or a line of it. */
function jsonInScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** Writes the page into a folder atomically. */
export async function buildPlayground(target: string): Promise<void> {
  const scripts = {
    'engine.js': await engineScript(),
    'drawing.js': await drawingScript(),
    'app.js': await appScript(),
    'examples.js': `var rolloutkitExamples = ${jsonInScript(examples())};\n`,
  };
  mkdirSync(path.dirname(target), { recursive: true });
  const made = mkdtempSync(`${target}-`);
  for (const [name, script] of Object.entries(scripts)) writeFileSync(path.join(made, name), script);
  for (const name of ['index.html', 'style.css']) copyFileSync(path.join(FOLDER, name), path.join(made, name));
  chmodSync(made, 0o755);
  rmSync(target, { recursive: true, force: true });
  renameSync(made, target);
}
