import type { Finding } from '../../../core/finding';
import type { Fields } from '../../../core/manifest';
import { inside } from '../../../core/place';
import type { Place } from '../../../core/place';
import { ofEach, together } from '../../../core/together';
import {
  besideFinding,
  isGiven,
  itemsOf,
  mapOf,
  missing,
  notDeclared,
  pointedChoiceFindings,
  refused,
  requiredFindings,
  textOf,
} from './refusal';
import type { Item } from './refusal';
import { backstepFindings, relativePathFindings } from './volume-files';
import type { VolumeSources } from './volumes';

/* What the server refuses in mounts and devices. Source: k/k pkg/apis/core/validation/validation.go, `ValidateVolumeMounts` and `ValidateVolumeDevices`. */

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const RECURSIONS = ['Disabled', 'Enabled', 'IfPossible'];

/** By name, the last path of each: as the server remembers them. */
function pathsByName(items: readonly Item[], field: string): Map<string | undefined, string | undefined> {
  return new Map(items.map(({ value }) => [textOf(value.name), textOf(value[field])]));
}

function propagationFindings(mount: Fields, container: Fields, place: Place): readonly Finding[] {
  const found = pointedChoiceFindings(mount.mountPropagation, PROPAGATIONS, inside(place, 'mountPropagation'));
  const isPrivileged = mapOf(container.securityContext)?.privileged === true;
  if (mount.mountPropagation !== 'Bidirectional' || isPrivileged) return found;
  return [refused('bidirectional', mount.mountPropagation, inside(place, 'mountPropagation'))];
}

function recursionFindings(mount: Fields, place: Place): readonly Finding[] {
  const recursion = mount.recursiveReadOnly;
  const recursionPlace = inside(place, 'recursiveReadOnly');
  if (recursion !== 'Enabled' && recursion !== 'IfPossible') return pointedChoiceFindings(recursion, RECURSIONS, recursionPlace);
  const isPropagated = isGiven(mount.mountPropagation) && mount.mountPropagation !== 'None';
  return mount.readOnly === true && !isPropagated ? [] : [refused('recursiveNotReadOnly', recursion, recursionPlace)];
}

function subPathFindings({ subPath, subPathExpr }: Fields, place: Place): readonly Finding[] {
  const path = textOf(subPath);
  const expression = textOf(subPathExpr);
  return together(
    path ? relativePathFindings(path, inside(place, 'subPath')) : [],
    path && expression ? [besideFinding(inside(place, 'subPathExpr'), 'subPath', path)] : [],
    expression ? relativePathFindings(expression, inside(place, 'subPathExpr')) : [],
  );
}

function declaredFindings(value: unknown, volumes: VolumeSources, place: Place): readonly Finding[] {
  const name = textOf(value);
  if (name === '') return [missing(inside(place, 'name'))];
  return name === undefined || volumes.has(name) ? [] : [notDeclared(name, [...volumes.keys()], inside(place, 'name'))];
}

export function mountFindings(container: Fields, volumes: VolumeSources, place: Place): readonly Finding[] {
  const mounts = itemsOf(container.volumeMounts, inside(place, 'volumeMounts'));
  if (mounts.length === 0) return [];
  const devices = pathsByName(itemsOf(container.volumeDevices, inside(place, 'volumeDevices')), 'devicePath');
  const devicePaths = new Set(devices.values());
  const taken = new Set<string>();
  return ofEach(mounts, ({ value, place: mountPlace }) => {
    const path = textOf(value.mountPath);
    const isTaken = path !== undefined && (taken.has(path) || devicePaths.has(path));
    if (path !== undefined) taken.add(path);
    return together(
      declaredFindings(value.name, volumes, mountPlace),
      requiredFindings(path, inside(mountPlace, 'mountPath')),
      isTaken ? [refused('mountPathTaken', path, inside(mountPlace, 'mountPath'))] : [],
      devices.has(textOf(value.name)) ? [refused('mountedTwice', value.name, inside(mountPlace, 'name'))] : [],
      subPathFindings(value, mountPlace),
      propagationFindings(value, container, mountPlace),
      recursionFindings(value, mountPlace),
    );
  });
}

export function deviceFindings(container: Fields, volumes: VolumeSources, place: Place): readonly Finding[] {
  const devices = itemsOf(container.volumeDevices, inside(place, 'volumeDevices'));
  if (devices.length === 0) return [];
  const mounts = pathsByName(itemsOf(container.volumeMounts, inside(place, 'volumeMounts')), 'mountPath');
  const mountPaths = new Set(mounts.values());
  const names = new Set<string>();
  const paths = new Set<string>();
  return ofEach(devices, ({ value, place: devicePlace }) => {
    const name = textOf(value.name);
    const path = textOf(value.devicePath);
    const source = name === undefined ? undefined : volumes.get(name);
    const isTaken = path !== undefined && (paths.has(path) || mountPaths.has(path));
    const isTwice = name !== undefined && (names.has(name) || mounts.has(name));
    const steps = path ? backstepFindings(path, inside(devicePlace, 'devicePath')) : [];
    if (path !== undefined && steps.length === 0) paths.add(path);
    if (name) names.add(name);
    return together(
      declaredFindings(value.name, volumes, devicePlace),
      isTwice ? [refused('mountedTwice', name, inside(devicePlace, 'name'))] : [],
      source !== undefined && source !== 'persistentVolumeClaim' && source !== 'ephemeral'
        ? [refused('notBlock', name, inside(devicePlace, 'name'))]
        : [],
      requiredFindings(path, inside(devicePlace, 'devicePath')),
      isTaken ? [refused('mountPathTaken', path, inside(devicePlace, 'devicePath'))] : [],
      steps,
    );
  });
}
