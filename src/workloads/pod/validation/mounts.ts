import type { Finding } from '../../../core/findings/finding';
import type { Fields } from '../../../core/manifest/manifest';
import { appendLazily } from '../../../core/manifest/field-path';
import type { LazyFieldPath } from '../../../core/manifest/field-path';
import { collectFromEach, joinLists } from '../../../core/text/join-lists';
import {
  reportMutuallyExclusive,
  isNonNil,
  listItems,
  asMap,
  reportMissing,
  reportUndeclaredName,
  validatePointerEnum,
  reportInvalid,
  validateRequired,
  decodeString,
} from './field-errors';
import type { ListItem } from './field-errors';
import { validateNoBacksteps, validateRelativePath } from './volume-files';
import type { VolumeSources } from './volumes';

/* Validation of mounts and devices. Source: k/k pkg/apis/core/validation/validation.go, `ValidateVolumeMounts` and `ValidateVolumeDevices`. */

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const RECURSIONS = ['Disabled', 'Enabled', 'IfPossible'];

/** Maps each name to its last path, as the API server does. */
function mapPathsByName(items: readonly ListItem[], field: string): Map<string | undefined, string | undefined> {
  return new Map(items.map(({ value }) => [decodeString(value.name), decodeString(value[field])]));
}

function validatePropagation(mount: Fields, container: Fields, location: LazyFieldPath): readonly Finding[] {
  const found = validatePointerEnum(mount.mountPropagation, PROPAGATIONS, appendLazily(location, 'mountPropagation'));
  const isPrivileged = asMap(container.securityContext)?.privileged === true;
  if (mount.mountPropagation !== 'Bidirectional' || isPrivileged) return found;
  return [reportInvalid('bidirectional', mount.mountPropagation, appendLazily(location, 'mountPropagation'))];
}

function validateRecursiveReadOnly(mount: Fields, location: LazyFieldPath): readonly Finding[] {
  const recursion = mount.recursiveReadOnly;
  const recursionLocation = appendLazily(location, 'recursiveReadOnly');
  if (recursion !== 'Enabled' && recursion !== 'IfPossible') return validatePointerEnum(recursion, RECURSIONS, recursionLocation);
  const isPropagated = isNonNil(mount.mountPropagation) && mount.mountPropagation !== 'None';
  return mount.readOnly === true && !isPropagated ? [] : [reportInvalid('recursiveNotReadOnly', recursion, recursionLocation)];
}

function validateSubPath({ subPath, subPathExpr }: Fields, location: LazyFieldPath): readonly Finding[] {
  const path = decodeString(subPath);
  const expression = decodeString(subPathExpr);
  return joinLists(
    path ? validateRelativePath(path, appendLazily(location, 'subPath')) : [],
    path && expression ? [reportMutuallyExclusive(appendLazily(location, 'subPathExpr'), 'subPath', path)] : [],
    expression ? validateRelativePath(expression, appendLazily(location, 'subPathExpr')) : [],
  );
}

function validateDeclaredVolume(value: unknown, volumes: VolumeSources, location: LazyFieldPath): readonly Finding[] {
  const name = decodeString(value);
  if (name === '') return [reportMissing(appendLazily(location, 'name'))];
  return name === undefined || volumes.has(name) ? [] : [reportUndeclaredName(name, [...volumes.keys()], appendLazily(location, 'name'))];
}

export function validateMounts(container: Fields, volumes: VolumeSources, location: LazyFieldPath): readonly Finding[] {
  const mounts = listItems(container.volumeMounts, appendLazily(location, 'volumeMounts'));
  if (mounts.length === 0) return [];
  const devices = mapPathsByName(listItems(container.volumeDevices, appendLazily(location, 'volumeDevices')), 'devicePath');
  const devicePaths = new Set(devices.values());
  const taken = new Set<string>();
  return collectFromEach(mounts, ({ value, location: mountLocation }) => {
    const path = decodeString(value.mountPath);
    const isTaken = path !== undefined && (taken.has(path) || devicePaths.has(path));
    if (path !== undefined) taken.add(path);
    return joinLists(
      validateDeclaredVolume(value.name, volumes, mountLocation),
      validateRequired(path, appendLazily(mountLocation, 'mountPath')),
      isTaken ? [reportInvalid('mountPathTaken', path, appendLazily(mountLocation, 'mountPath'))] : [],
      devices.has(decodeString(value.name)) ? [reportInvalid('duplicateMount', value.name, appendLazily(mountLocation, 'name'))] : [],
      validateSubPath(value, mountLocation),
      validatePropagation(value, container, mountLocation),
      validateRecursiveReadOnly(value, mountLocation),
    );
  });
}

export function validateDevices(container: Fields, volumes: VolumeSources, location: LazyFieldPath): readonly Finding[] {
  const devices = listItems(container.volumeDevices, appendLazily(location, 'volumeDevices'));
  if (devices.length === 0) return [];
  const mounts = mapPathsByName(listItems(container.volumeMounts, appendLazily(location, 'volumeMounts')), 'mountPath');
  const mountPaths = new Set(mounts.values());
  const names = new Set<string>();
  const paths = new Set<string>();
  return collectFromEach(devices, ({ value, location: deviceLocation }) => {
    const name = decodeString(value.name);
    const path = decodeString(value.devicePath);
    const source = name === undefined ? undefined : volumes.get(name);
    const isTaken = path !== undefined && (paths.has(path) || mountPaths.has(path));
    const isTwice = name !== undefined && (names.has(name) || mounts.has(name));
    const backsteps = path ? validateNoBacksteps(path, appendLazily(deviceLocation, 'devicePath')) : [];
    if (path !== undefined && backsteps.length === 0) paths.add(path);
    if (name) names.add(name);
    return joinLists(
      validateDeclaredVolume(value.name, volumes, deviceLocation),
      isTwice ? [reportInvalid('duplicateMount', name, appendLazily(deviceLocation, 'name'))] : [],
      source !== undefined && source !== 'persistentVolumeClaim' && source !== 'ephemeral'
        ? [reportInvalid('notBlock', name, appendLazily(deviceLocation, 'name'))]
        : [],
      validateRequired(path, appendLazily(deviceLocation, 'devicePath')),
      isTaken ? [reportInvalid('mountPathTaken', path, appendLazily(deviceLocation, 'devicePath'))] : [],
      backsteps,
    );
  });
}
