import { CrdRegistry, isCustomResourceDefinition } from '../crds/crd-registry';
import { findCrdSchemaProblem } from '../crds/invalid-schema';
import { DeadlineError } from '../core/budget/deadline';
import { formatTimeout } from '../core/budget/timeout-message';
import { nameOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { MAX_FILE_MEGABYTES } from '../core/findings/input-problem';
import { readFiles } from '../input/read';
import { BudgetTracker, DEFAULT_BUDGET } from '../input/read-budget';
import type { RunBudget } from '../input/read-budget';
import { readPath } from '../input/read-paths';

/** Thrown for CRDs that cannot be used. The message names the file. */
export class CrdFilesError extends Error {
  override readonly name = 'CrdFilesError';
}

/** @throws CrdFilesError for an invalid schema, and if checking the schemas takes longer than the time that is left for reading */
function assertUsable(definitions: readonly Manifest[], clock: BudgetTracker): void {
  const check = (crd: Manifest) => {
    const problem = findCrdSchemaProblem(crd);
    if (problem !== undefined) throw new CrdFilesError(`the CustomResourceDefinition ${nameOf(crd)} cannot be used: ${problem}`);
  };
  try {
    clock.limit(() => definitions.forEach(check));
  } catch (error) {
    throw error instanceof DeadlineError ? new CrdFilesError(formatTimeout('checking the CRDs', clock.budget.seconds)) : error;
  }
}

/**
 * Reads the CRDs of files and folders.
 *
 * @param limits - the budget for reading, except for the size of a file
 *
 * @throws CrdFilesError for a file that cannot be read, for an invalid schema, and if there is no CRD
 * @throws PathError for a path that cannot be opened
 */
export function readCrdDefinitions(
  paths: readonly string[],
  cwd: string,
  kubernetesVersion?: string,
  limits: RunBudget = DEFAULT_BUDGET,
): CrdRegistry {
  const budget = { ...limits, 'file-megabytes': MAX_FILE_MEGABYTES };
  const clock = new BudgetTracker(budget);
  const { objects, findings } = readFiles(
    paths.flatMap((path) => [...readPath(path, cwd, { budget, clock })]),
    { budget },
  );
  const [unread] = findings.filter(({ severity }) => severity === 'error');
  if (unread)
    throw new CrdFilesError(
      `${unread.source ? `${unread.source.file}:${unread.source.line}: ` : ''}${unread.message}${unread.help === undefined ? '' : ` ${unread.help}`}`,
    );
  assertUsable(objects.filter(isCustomResourceDefinition), clock);
  const definitions = new CrdRegistry(objects, kubernetesVersion);
  if (definitions.size === 0) {
    throw new CrdFilesError(
      `${paths.join(', ')} contains no CustomResourceDefinition of apiextensions.k8s.io/v1; name a file or folder with CRDs`,
    );
  }
  return definitions;
}
