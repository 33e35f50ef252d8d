import { isFields } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';

export const FLEET_GROUP = 'fleet.cattle.io';
export const FLEET_GROUP_VERSION = `${FLEET_GROUP}/v1alpha1`;
/** Tells an object that was made of a file from what anybody may write: no data has a symbol as key. */
const FLEET_YAML_MARK = Symbol('fleet.yaml');
const FLEET_YAML_FILE_NAME = /(?:^|\/)fleet\.ya?ml$/;

/** A file `fleet.yaml`, which is not a Kubernetes object, as one: so that it goes through a plan as the others do. */
export interface FleetYamlObject extends Manifest {
  readonly [FLEET_YAML_MARK]: true;
  /** The folder that it makes a bundle, as its file is reached; empty for the present one. */
  readonly folder: string;
  readonly content: Fields;
}

/**
 * What a file named `fleet.yaml` (or `fleet.yml`, which Fleet takes too) holds, for a plan; undefined for any other file.
 *
 * @param file as reached from the path given
 */
export function createFleetYamlObject(file: string, content: unknown): FleetYamlObject | undefined {
  const match = FLEET_YAML_FILE_NAME.exec(file);
  if (!match || !isFields(content)) return undefined;
  return { apiVersion: FLEET_GROUP_VERSION, kind: 'FleetYaml', [FLEET_YAML_MARK]: true, folder: file.slice(0, match.index), content };
}

export function isFleetYaml(object: Manifest): object is FleetYamlObject {
  return FLEET_YAML_MARK in object;
}

/** The bundle's name: its own, else its folder's, as far as the path tells it. */
export function bundleNameOf({ folder, content }: FleetYamlObject): string {
  if (typeof content.name === 'string' && content.name !== '') return content.name;
  const folderName = splitPath(folder).at(-1);
  return folderName === undefined || folderName === '..' ? 'fleet.yaml' : folderName;
}

/** The parts of a path between slashes; `.` and empty ones say nothing. */
export function splitPath(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}
