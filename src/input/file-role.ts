import type { InputFile } from './discovered-file';
import { fileTextOf, includesWord } from './file-content';
import { isYtt } from './template-text';
import { isPlannedUnrendered } from '../core/rules/not-read';
import type { NotReadRole } from '../core/rules/not-read';
import { getFieldsAt, groupOf, isFields, getListAt } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import type { FileContext } from './layout';

/** Reports whether Helm must render a file before it is YAML. */
export function isHelmTemplate({ content, place }: InputFile): boolean {
  return place?.chart !== undefined && includesWord(content, '{{');
}

/** Reports whether a file in a folder is a ytt template. */
function isYttFile({ content, given }: InputFile): boolean {
  return given?.as === 'folder' && includesWord(content, '#@') && isYtt(fileTextOf(content));
}

/** Reports whether a file contains the expectations of a test. A file that is given by name is planned all the same. */
function isExpectationFile({ place, given }: InputFile): boolean {
  return place?.isExpectation === true && given?.as === 'folder';
}

/** Reports whether a file of a folder is part of a chart, but Helm does not render it. */
export function isUnrendered({ place, given }: InputFile): boolean {
  return place?.unrendered !== undefined && given?.as === 'folder';
}

/** Returns the role that sets a file aside. Its name, its content or the files around it give it the role. */
export function detectRole(file: InputFile): NotReadRole | 'ytt' | 'unrendered' | undefined {
  if (isUnrendered(file) && !isPlannedUnrendered(file.place!.unrendered!.reason)) return 'unrendered';
  if (isHelmTemplate(file)) return 'chart-template';
  if (isYttFile(file)) return 'ytt';
  if (isExpectationFile(file)) return 'expectation';
  return file.place?.isPatch ? 'patch' : undefined;
}

const WORKLOAD_KINDS: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet']);

const PATCH_DIRECTIVE = '$patch';

/** Values of the directive. Any other is not a directive. Source: kustomize kyaml v0.21 `yaml/walk`. */
const PATCH_STRATEGIES: ReadonlySet<unknown> = new Set(['delete', 'merge', 'replace']);

/** Reports whether a map or list contains the directive of a strategic merge patch, at any level. */
function hasPatchDirective(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasPatchDirective);
  if (!isFields(value)) return false;
  for (const name in value) {
    if (name === PATCH_DIRECTIVE && PATCH_STRATEGIES.has(value[name])) return true;
    if (hasPatchDirective(value[name])) return true;
  }
  return false;
}

/** Names of the directives of a strategic merge patch. Source: apimachinery v0.34 `pkg/util/strategicpatch`. */
const DIRECTIVE = /\$(?:patch|retainKeys|(?:setElementOrder|deleteFromPrimitiveList)\/)/;

/** Reports whether a text may contain a directive, possibly with escapes. Searching a file is faster than walking thousands of objects. */
export function mayContainPatchDirective(text: string): boolean {
  return DIRECTIVE.test(text) || text.includes('\\');
}

/** Groups of kinds that kubectl knows, so that it applies them with a strategic merge patch. */
const BUILT_IN_GROUP = /^[^.]*$|\.k8s\.io$/;

/** Finds the first directive in an object that kubectl applies with a strategic merge patch: it changes the live object, and is not sent itself. */
export function findAppliedDirective(object: Manifest): string | undefined {
  return BUILT_IN_GROUP.test(groupOf(object)) ? findDirective(object) : undefined;
}

function findDirective(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const found = DIRECTIVE.test(name) ? name : findDirective(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Reports whether a workload has no selector or no containers, so the API server refuses it.
 * Below a kustomization that includes resources, such a workload is a patch of one of them.
 */
function isIncompleteWorkload(object: Manifest): boolean {
  if (!WORKLOAD_KINDS.has(object.kind)) return false;
  const selects = Object.keys(getFieldsAt(object, 'spec', 'selector')).length > 0;
  const containers = getListAt(object, 'spec', 'template', 'spec', 'containers');
  return !selects || containers.length === 0;
}

/**
 * Reports whether an object is a kustomize patch, which changes another object. kubectl does not know the directive,
 * so it counts only where a kustomization may read it, and not in a file that a kustomization lists as a resource.
 *
 * @param mayHaveDirective - whether the text of its file may contain a patch directive
 */
export function isPatch(object: Manifest, mayHaveDirective: boolean, place: FileContext | undefined): boolean {
  if (!place) return false;
  const mayDirect = mayHaveDirective && place.isBesideKustomization === true && place.isResource !== true;
  return (mayDirect && hasPatchDirective(object)) || ((place.mayPatch || place.isPatch) && isIncompleteWorkload(object));
}
