import { basename } from 'node:path';
import { isFields, isManifest } from '../core/manifest';
import type { InputFile } from './discovered-file';
import { isMarker } from './layout';

const YAML_FILE_NAME = /\.ya?ml$/;

/** Values, whatever they are for, may have a key `kind` of their own. */
const VALUES_FILE_NAME = /^values.*\.ya?ml$/;

/** A file that Ansible has encrypted is one text in YAML. */
const ANSIBLE_VAULT_HEADER = '$ANSIBLE_VAULT;';

/** Is a document one of Kubernetes by all but one of apiVersion and kind, so that it was forgotten? kubectl refuses it. */
function isIncompleteObject(value: unknown): boolean {
  if (!isFields(value)) return false;
  const present = [value.apiVersion, value.kind].filter((field) => typeof field === 'string').length;
  return present === 1 && isFields(value.metadata) && (isFields(value.spec) || isFields(value.data));
}

/** Are objects listed that kubectl takes in a `List` alone? */
function isBareList(value: unknown): boolean {
  return Array.isArray(value) && value.some(isManifest);
}

/** Is a document of YAML nothing but a text, such as the words of a program that failed? */
function isOnlyText(file: string, value: unknown): boolean {
  return typeof value === 'string' && YAML_FILE_NAME.test(file) && !value.startsWith(ANSIBLE_VAULT_HEADER);
}

/**
 * How bad is a document that is no object, where it stands; undefined where it is somebody else's. In a folder most are: values, a playbook, settings.
 * There kubectl would refuse a text too, but programs leave recordings of their words in such files. A kustomization and its like are read by their own tools.
 */
export function determineNonObjectSeverity({ file, given, place }: InputFile, value: unknown): 'error' | 'warning' | undefined {
  if (isMarker(basename(file))) return undefined;
  if (given !== undefined && given.as !== 'folder') return 'error';
  if (place?.isValues || VALUES_FILE_NAME.test(basename(file))) return undefined;
  if (isIncompleteObject(value) || isBareList(value)) return 'error';
  return isOnlyText(file, value) ? 'warning' : undefined;
}
