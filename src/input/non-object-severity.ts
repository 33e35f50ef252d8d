import { basename } from 'node:path';
import { toCheckoutPath } from '../core/sources/checkout-path';
import { isFields, isManifest } from '../core/manifest/manifest';
import type { InputFile } from './discovered-file';
import { FLEET_FILES, isMarker } from './marker-files';

const YAML_FILE_NAME = /\.ya?ml$/;

/** Values files, which may have their own key `kind`. */
const VALUES_FILE_NAME = /^values.*\.ya?ml$/;

/** Header of a file that Ansible encrypted, which YAML reads as one text. */
const ANSIBLE_VAULT_HEADER = '$ANSIBLE_VAULT;';

/** Reports whether a document looks like a Kubernetes object but lacks either apiVersion or kind. kubectl refuses it. */
function isIncompleteObject(value: unknown): boolean {
  if (!isFields(value)) return false;
  const present = [value.apiVersion, value.kind].filter((field) => typeof field === 'string').length;
  return present === 1 && isFields(value.metadata) && (isFields(value.spec) || isFields(value.data));
}

/** Reports whether a document is a plain list of objects, or one in a field `items` without a kind. kubectl accepts objects only in a `List`. */
function isBareList(value: unknown): boolean {
  if (isFields(value) && typeof value.kind === 'string' && value.kind !== '') return false;
  const items = isFields(value) ? value.items : value;
  return Array.isArray(items) && items.some(isManifest);
}

/** Reports whether a YAML document is only text, such as the error message of a program. */
function isOnlyText(file: string, value: unknown): boolean {
  return typeof value === 'string' && YAML_FILE_NAME.test(file) && !value.startsWith(ANSIBLE_VAULT_HEADER);
}

/** Start of a pointer of Git LFS. Argo CD replaces it by the file if its repository enables that. */
const LARGE_FILE_POINTER = /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\//;

function isLargeFilePointer(value: unknown): boolean {
  return typeof value === 'string' && LARGE_FILE_POINTER.test(value);
}

/**
 * Returns the severity of a document that is not a Kubernetes object, or undefined if it belongs to another tool.
 *
 * Most such documents in a folder do: values, a playbook, settings, or a kustomization and other marker files.
 * kubectl refuses a text in a folder too, but programs write recorded output to such files, so it is only a warning. If every file must be
 * planned, it is an error.
 */
export function determineNonObjectSeverity(
  { file, given, place }: InputFile,
  value: unknown,
  trustsInput: boolean,
): 'error' | 'warning' | undefined {
  // Fleet refuses it, while a kustomization and a chart that cannot be read have findings of their own.
  if (!trustsInput && FLEET_FILES.includes(basename(toCheckoutPath(file))) && !isFields(value)) return 'error';
  if (isMarker(basename(toCheckoutPath(file)))) return undefined;
  if (!trustsInput && isLargeFilePointer(value)) return 'error';
  if (given !== undefined && given.as !== 'folder') return 'error';
  if (place?.isValues || VALUES_FILE_NAME.test(basename(toCheckoutPath(file)))) return undefined;
  if (isIncompleteObject(value) || isBareList(value)) return 'error';
  if (!isOnlyText(file, value)) return undefined;
  return trustsInput ? 'warning' : 'error';
}
