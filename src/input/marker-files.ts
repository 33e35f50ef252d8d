import { toCheckoutPath } from '../core/sources/checkout-path';
import { isFields, getListAt, getValueAt } from '../core/manifest/manifest';
import { DocumentText } from './yaml';

/** File names of a kustomization. */
export const KUSTOMIZATION_FILES: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
export const CHART_FILE = 'Chart.yaml';
export const FLEET_FILES: readonly string[] = ['fleet.yaml', 'fleet.yml'];

/** Files that override the source of an Application. Source: Argo CD reposerver/repository/repository.go, `mergeSourceParameters`. */
const ARGO_CD_SOURCE = /(?:^|\/)\.argocd-source(?:-[^/]+)?\.yaml$/;

/** Reports whether a file overrides the source of an Application. */
export function isArgoCdSource(file: string): boolean {
  return ARGO_CD_SOURCE.test(toCheckoutPath(file));
}

/** Files that make their folder an apply unit. */
export const MARKER_FILES: ReadonlySet<string> = new Set([...KUSTOMIZATION_FILES, CHART_FILE, ...FLEET_FILES]);

/** Reports whether a file makes its folder an apply unit. */
export function isMarker(name: string): boolean {
  return MARKER_FILES.has(name);
}

/** Files that a chainsaw test refers to, as it writes them; `../errors/*.yaml` is possible. */
export interface ClusterTest {
  /** Objects that it expects in the cluster, or expects to be absent. */
  readonly expectations: readonly string[];
  /** Patches that it merges into existing objects. */
  readonly patches: readonly string[];
}

/** Name of a chainsaw test. Source: chainsaw v0.2, `--test-file`. */
const CHAINSAW_TEST = /^chainsaw-test\.ya?ml$/;

/** `00-assert.yaml` and `02-errors-pods.yaml` of kuttl, which chainsaw reads too. Source: kuttl v0.15 `fileNameRegex` of `pkg/test/step.go`. */
const KUTTL_EXPECTATION = /^\d+-(?:assert|errors)(?:-[^.]+)?\.ya?ml$/i;

/** `chainsaw-step-01-assert-2.yaml`. Source: chainsaw v0.2 `pkg/discovery`. */
const CHAINSAW_EXPECTATION = /^chainsaw-(?:step-)?\d+-(?:assert|errors?)(?:-[^.]+)?\.ya?ml$/;

export function isChainsawTest(name: string): boolean {
  return CHAINSAW_TEST.test(name);
}

/** Reports whether a file name is that of the expectations of a test, which no tool applies. */
export function isExpectationFileName(name: string): boolean {
  return KUTTL_EXPECTATION.test(name) || CHAINSAW_EXPECTATION.test(name);
}

/** Reports whether a file makes its folder a kuttl or chainsaw test. Both tools merge what they apply into existing objects. */
export function isClusterTestFile(name: string): boolean {
  return isChainsawTest(name) || isExpectationFileName(name);
}

/** Collects the files that the operations of a test refer to, at any depth. */
function collectFileReferences(value: unknown, operations: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => collectFileReferences(item, operations));
  if (!isFields(value)) return [];
  const files = operations.map((operation) => getValueAt(value, operation, 'file')).filter((file) => typeof file === 'string');
  return [...files, ...Object.values(value).flatMap((inner) => collectFileReferences(inner, operations))];
}

/** Reads a chainsaw test. Returns no files if it cannot be read. */
export function readChainsawTest(text: string): ClusterTest {
  try {
    const documents = new DocumentText(text);
    const steps = Array.from(documents.chunks(), (chunk) =>
      'problem' in chunk ? [] : getListAt(documents.valueOf(chunk).value, 'spec', 'steps'),
    );
    return { expectations: collectFileReferences(steps, ['assert', 'error']), patches: collectFileReferences(steps, ['patch']) };
  } catch {
    // The problem is reported when the file itself is read.
    return { expectations: [], patches: [] };
  }
}

/** Reports whether Argo CD renders a file of a folder with Jsonnet. Source: Argo CD v3.1 reposerver/repository/repository.go, `findManifests`. */
export function isJsonnetFile(name: string): boolean {
  return name.endsWith('.jsonnet');
}
