import { basename } from 'node:path';
import { isFields, isManifest } from '../core/manifest';
import type { InputFile } from './found-file';
import { isMarker } from './layout';

const YAML_NAME = /\.ya?ml$/;

/** Values, whatever they are for, may have a key `kind` of their own. */
const VALUES = /^values.*\.ya?ml$/;

/** A file that Ansible has encrypted is one text in YAML. */
const ENCRYPTED = '$ANSIBLE_VAULT;';

/** Is a document one of Kubernetes by all but one of apiVersion and kind, so that it was forgotten? kubectl refuses it. */
function isHalfAnObject(value: unknown): boolean {
  if (!isFields(value)) return false;
  const has = [value.apiVersion, value.kind].filter((field) => typeof field === 'string').length;
  return has === 1 && isFields(value.metadata) && (isFields(value.spec) || isFields(value.data));
}

/** Are objects listed that kubectl takes in a `List` alone? */
function isBareList(value: unknown): boolean {
  return Array.isArray(value) && value.some(isManifest);
}

/** Is a document of YAML nothing but a text, such as the words of a program that failed? */
function isTextAlone(file: string, value: unknown): boolean {
  return typeof value === 'string' && YAML_NAME.test(file) && !value.startsWith(ENCRYPTED);
}

/**
 * How bad is a document that is no object, where it stands; undefined where it is somebody else's. In a folder most are: values, a playbook, settings.
 * There kubectl would refuse a text too, but programs leave recordings of their words in such files. A kustomization and its like are read by their own tools.
 */
export function strangenessOf({ file, given, place }: InputFile, value: unknown): 'error' | 'warning' | undefined {
  if (isMarker(basename(file))) return undefined;
  if (given !== undefined && given.as !== 'folder') return 'error';
  if (place?.isValues || VALUES.test(basename(file))) return undefined;
  if (isHalfAnObject(value) || isBareList(value)) return 'error';
  return isTextAlone(file, value) ? 'warning' : undefined;
}
