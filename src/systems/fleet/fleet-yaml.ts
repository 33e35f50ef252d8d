import { toCheckoutPath } from '../../core/sources/checkout-path';
import { isFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';

export const FLEET_GROUP = 'fleet.cattle.io';
export const FLEET_GROUP_VERSION = `${FLEET_GROUP}/v1alpha1`;
/** Kind of an object that was created from a file. */
export const FLEET_YAML_KIND = 'FleetYaml';
/** Marks an object that was created from a file. User data cannot contain a symbol key. */
const FLEET_YAML_MARK = Symbol('fleet.yaml');
const FLEET_YAML_FILE_NAME = /(?:^|\/)fleet\.ya?ml$/;

/** A `fleet.yaml` file, wrapped as a Kubernetes object so that it is planned like one. */
export interface FleetYamlObject extends Manifest {
  readonly [FLEET_YAML_MARK]: true;
  /** Path of the bundle's folder, also in a revision; empty for the current folder. */
  readonly folder: string;
  readonly content: Fields;
}

/**
 * Wraps the content of a `fleet.yaml` (or `fleet.yml`, which Fleet accepts too) for a plan. Returns undefined for any other file.
 *
 * @param file path of the file, as given
 */
export function createFleetYamlObject(file: string, content: unknown): FleetYamlObject | undefined {
  const path = toCheckoutPath(file);
  const match = FLEET_YAML_FILE_NAME.exec(path);
  if (!match || !isFields(content)) return undefined;
  return { apiVersion: FLEET_GROUP_VERSION, kind: FLEET_YAML_KIND, [FLEET_YAML_MARK]: true, folder: path.slice(0, match.index), content };
}

export function isFleetYaml(object: Manifest): object is FleetYamlObject {
  return FLEET_YAML_MARK in object;
}

/** Returns the bundle's name: its own, or its folder's if the path contains it. */
export function bundleNameOf({ folder, content }: FleetYamlObject): string {
  if (typeof content.name === 'string' && content.name !== '') return content.name;
  const folderName = splitPath(folder).at(-1);
  return folderName === undefined || folderName === '..' ? 'fleet.yaml' : folderName;
}

/** Splits a path at slashes, without `.` and empty segments. */
export function splitPath(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}
