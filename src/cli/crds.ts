import { Definitions, isDefinition } from '../crds/definition';
import { readFiles } from '../input/read';
import type { ReadOptions } from '../input/read';
import { readPath } from '../input/read-paths';
import { UsageError } from './io';

/**
 * The CRDs of the paths given with --crds.
 *
 * @throws UsageError where one can't be read, or none is there
 */
export function definitionsOf(paths: readonly string[] | undefined, cwd: string): Definitions | undefined {
  if (paths === undefined) return undefined;
  const { objects, findings } = readFiles(
    paths.flatMap((path) => [...readPath(path, cwd)]),
    { keeps: isDefinition },
  );
  const [unread] = findings.filter(({ severity }) => severity === 'error');
  if (unread) throw new UsageError(`--crds: ${unread.source ? `${unread.source.file}:${unread.source.line}: ` : ''}${unread.message}`);
  const definitions = new Definitions(objects);
  if (definitions.size === 0) {
    throw new UsageError(
      `--crds: ${paths.join(', ')} holds no CustomResourceDefinition of apiextensions.k8s.io/v1; name its files or folder`,
    );
  }
  return definitions;
}

/** What is kept of the input: what is asked for, and what CRDs judge. */
export function keeping(keeps: ReadOptions['keeps'], definitions: Definitions | undefined): ReadOptions['keeps'] {
  if (!keeps || !definitions) return keeps;
  return (object) => keeps(object) || definitions.isKind(object);
}
