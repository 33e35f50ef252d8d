import { POD_KINDS, isContextObject, formatKindKey } from '../cluster/context-kinds';
import { explainNotPlanned } from '../cluster/unplanned-kinds';
import { groupOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { hasIgnoreAnnotation } from './suppressions';
import { SYSTEMS } from './registry';

const TAKES_ROOM: ReadonlySet<string> = new Set(Object.values(POD_KINDS).map(formatKindKey));

/**
 * Is all of an object asked for by its own plan alone? A Deployment or StatefulSet surrounds no other,
 * but for one that lends its pod template, which is then asked for by its name. What one says of findings is asked for once more.
 */
export function isAskedForOnce(object: Manifest): boolean {
  const { kind } = object;
  return groupOf(object) === 'apps' && (kind === 'Deployment' || kind === 'StatefulSet') && !hasIgnoreAnnotation(object);
}

/**
 * Does a plan look into an object? A system plans it, it surrounds what is planned, its pods take room, it is counted as not planned, or it says what to ignore.
 * Of all others (CustomResourceDefinitions, Roles, ConfigMaps that no system reads, …) what they are and their metadata will do.
 */
export function isAskedFor(object: Manifest): boolean {
  return (
    isContextObject(object) ||
    hasIgnoreAnnotation(object) ||
    TAKES_ROOM.has(formatKindKey({ group: groupOf(object), kind: object.kind })) ||
    SYSTEMS.some((system) => system.recognises(object)) ||
    explainNotPlanned(object) !== undefined
  );
}
