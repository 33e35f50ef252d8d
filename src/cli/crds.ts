import type { Definitions } from '../crds/definition';
import type { ReadOptions } from '../input/read';
import { PathError } from '../input/read-paths';
import { CrdFilesError, readDefinitions } from '../plan/crd-files';
import { UsageError } from './io';

/**
 * The CRDs of the paths given with --crds.
 *
 * @throws UsageError where one can't be read, or none is there
 */
export function definitionsOf(paths: readonly string[] | undefined, cwd: string, kubernetesVersion: string): Definitions | undefined {
  if (paths === undefined) return undefined;
  try {
    return readDefinitions(paths, cwd, kubernetesVersion);
  } catch (error) {
    if (error instanceof CrdFilesError || error instanceof PathError) throw new UsageError(`--crds: ${error.message}`);
    throw error;
  }
}

/** What is kept of the input: what is asked for, and what CRDs judge. */
export function keeping(keeps: ReadOptions['keeps'], definitions: Definitions | undefined): ReadOptions['keeps'] {
  if (!keeps || !definitions) return keeps;
  return (object) => keeps(object) || definitions.isKind(object);
}
