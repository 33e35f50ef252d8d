import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { minify } from '@swc/core';
import { build } from 'esbuild';
import type { BuildOptions, Plugin } from 'esbuild';
import { examples } from './examples';
import { WITHOUT_PAGES } from './without-pages';

/** npm runs its scripts, and jest its tests, at the root of the checkout. */
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
    picocolors: path.join(FOLDER, 'no-colours.ts'),
  },
};

/** Leaves the fast reader of YAML out. */
const WITHOUT_FAST_READER: Plugin = {
  name: 'without-fast-reader',
  setup(bundler) {
    bundler.onResolve({ filter: /^\.\/fast-yaml$/ }, () => ({ path: path.join(FOLDER, 'slow-reading.ts') }));
  },
};

/** A classic script, which may be loaded from disk, that declares what a module exports. */
async function classicScript(module: string, globalName: string, plugins: Plugin[]): Promise<string> {
  const entryPoints = [path.join(FOLDER, module)];
  const { outputFiles } = await build({ ...FOR_BROWSERS, entryPoints, globalName, plugins, write: false });
  return smaller(outputFiles[0]!.text);
}

/** The planner, with what it prints; it declares `rolloutkit`. */
export function engineScript(): Promise<string> {
  return classicScript('engine.ts', 'rolloutkit', [WITHOUT_PAGES, WITHOUT_FAST_READER]);
}

/** What draws a plan, a script of its own since it asks for nothing but the plan; it declares `rolloutkitDrawing`. */
export function drawingScript(): Promise<string> {
  return classicScript('drawing.ts', 'rolloutkitDrawing', []);
}

/** A script made smaller by a second minifier, which folds and drops what the bundler leaves: a twenty-fifth of what is downloaded. */
async function smaller(script: string): Promise<string> {
  const { code } = await minify(script, {
    // No function is asked for the number of its parameters.
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

/** JSON within a script: no text may end the script or a line of it. */
function jsonInScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** Writes the page into a folder, whole or not at all. */
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
