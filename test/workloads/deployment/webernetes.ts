import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @ngrok/webernetes, a Kubernetes that runs in a process, with an independent port of the Deployment controller.
 *
 * The package has only ES modules and exports only its entry, so jest's require finds neither the entry nor the controller.
 * They are loaded by file. The entry is the file in the package's exports.
 */
const PACKAGE = path.resolve(__dirname, '../../../node_modules/@ngrok/webernetes');

/** Loads a module of the package by its file. */
export function loadModule(file: string): unknown {
  return require(path.join(PACKAGE, file));
}

/** Loads the exports of the package. */
export function loadEntry(): unknown {
  const { exports } = JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8')) as { exports: { '.': { import: string } } };
  return loadModule(exports['.'].import);
}
