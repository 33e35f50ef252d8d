import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @ngrok/webernetes, a Kubernetes that runs in a process, with a port of the Deployment controller that knows nothing of ours.
 *
 * The package holds ES modules only and exports its entry alone, so that jest's require finds neither the entry nor the controller:
 * we load them by file, the entry by the one that the package's export names.
 */
const PACKAGE = path.resolve(__dirname, '../../../node_modules/@ngrok/webernetes');

/** A module of the package by its file. */
export function loadModule(file: string): unknown {
  return require(path.join(PACKAGE, file));
}

/** What the package exports. */
export function loadEntry(): unknown {
  const { exports } = JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8')) as { exports: { '.': { import: string } } };
  return loadModule(exports['.'].import);
}
