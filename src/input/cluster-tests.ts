import { isFields, getListAt, getValueAt } from '../core/manifest';
import { DocumentText } from './document';

/** What a test of chainsaw says of the files around it, as it names them: `../errors/*.yaml` too. */
export interface ClusterTest {
  /** What it expects to find in the cluster, or not to find. */
  readonly expectations: readonly string[];
  /** What it merges into objects that are there. */
  readonly patches: readonly string[];
}

/** The one name under which chainsaw looks for tests. Source: chainsaw v0.2, `--test-file`. */
const CHAINSAW_TEST = /^chainsaw-test\.ya?ml$/;

/** `00-assert.yaml` and `02-errors-pods.yaml` of kuttl, which chainsaw takes over. Source: kuttl v0.15 `fileNameRegex` of `pkg/test/step.go`. */
const KUTTL_EXPECTATION = /^\d+-(?:assert|errors)(?:-[^.]+)?\.ya?ml$/i;

/** `chainsaw-step-01-assert-2.yaml`. Source: chainsaw v0.2 `pkg/discovery`. */
const CHAINSAW_EXPECTATION = /^chainsaw-(?:step-)?\d+-(?:assert|errors?)(?:-[^.]+)?\.ya?ml$/;

export function isChainsawTest(name: string): boolean {
  return CHAINSAW_TEST.test(name);
}

/** Is a file by its name what a test expects, which nobody applies? */
export function isExpectationFileName(name: string): boolean {
  return KUTTL_EXPECTATION.test(name) || CHAINSAW_EXPECTATION.test(name);
}

/** Does a file tell that its folder is a test of kuttl or chainsaw, both of which merge what they apply into objects that are there? */
export function isClusterTestFile(name: string): boolean {
  return isChainsawTest(name) || isExpectationFileName(name);
}

/** The files that the operations of a test name, wherever in it they stand: in a step, or behind it. */
function collectFileReferences(value: unknown, operations: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => collectFileReferences(item, operations));
  if (!isFields(value)) return [];
  const here = operations.map((operation) => getValueAt(value, operation, 'file')).filter((file) => typeof file === 'string');
  return [...here, ...Object.values(value).flatMap((inner) => collectFileReferences(inner, operations))];
}

/** Reads a test of chainsaw; one that cannot be read says nothing. */
export function readChainsawTest(text: string): ClusterTest {
  try {
    const documents = new DocumentText(text);
    const steps = Array.from(documents.chunks(), (chunk) =>
      'problem' in chunk ? [] : getListAt(documents.valueOf(chunk).value, 'spec', 'steps'),
    );
    return { expectations: collectFileReferences(steps, ['assert', 'error']), patches: collectFileReferences(steps, ['patch']) };
  } catch {
    // What cannot be read is a finding where the file itself is read.
    return { expectations: [], patches: [] };
  }
}
