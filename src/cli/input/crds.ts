import type { CrdRegistry } from '../../crds/crd-registry';
import type { RunBudget } from '../../input/read-budget';
import { PathError } from '../../input/read-paths';
import { CrdFilesError, readCrdDefinitions } from '../../plan/crd-files';
import { UsageError } from '../output/io';

/**
 * Reads the CRDs of the paths of --crds.
 *
 * @throws UsageError if a file cannot be read, or if there is no CRD
 */
export function loadCrdDefinitions(paths: readonly string[], cwd: string, kubernetesVersion: string, budget: RunBudget): CrdRegistry {
  try {
    return readCrdDefinitions(paths, cwd, kubernetesVersion, budget);
  } catch (error) {
    if (error instanceof CrdFilesError || error instanceof PathError) throw new UsageError(`--crds: ${error.message}`);
    throw error;
  }
}
