import type { ObjectInContext, SystemEffect } from '../../cluster/context/context';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { isInt32 } from '../../core/values/int-or-percent';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { operatorComponentOf } from './embedded-strategy';
import type { StrategyLocation } from './embedded-strategy';
import { parseQuotedNumber } from './strategy';

function readReplicas({ holder }: StrategyLocation): number {
  const replicas = parseQuotedNumber(holder.replicas);
  return isInt32(replicas) ? replicas : 1;
}

function dropKnownFields(holder: Fields): Fields {
  return { ...holder, strategy: undefined, replicas: undefined };
}

/** Returns the spec without strategies and their replicas. Only the operator knows the effect of the remaining fields. */
function excludeKnownFields(object: Manifest, locations: readonly StrategyLocation[]): unknown {
  const holders = new Map<unknown, Fields>(locations.map(({ holder }) => [holder, dropKnownFields(holder)]));
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(holders.get(value) ?? value).map(([name, inner]) => [name, visit(inner)]));
  };
  return visit(object.spec);
}

/**
 * Computes the effect of a change. A strategy replaces no pods and replicas scale. Only the operator knows the effect of any other field,
 * such as an image.
 */
export function computeOperatorEffects(
  old: ObjectInContext,
  next: ObjectInContext,
  findLocations: (object: Manifest) => readonly StrategyLocation[],
): SystemEffect[] {
  const [before, after] = [findLocations(old.object), findLocations(next.object)];
  if (!isDeepEqual(excludeKnownFields(old.object, before), excludeKnownFields(next.object, after))) return [{ effect: 'unknown' }];
  return after.map((location): SystemEffect => {
    const previous = before.find(({ holderPath }) => holderPath === location.holderPath);
    const component = operatorComponentOf(location);
    if (!previous || !location.hasKnownReplicas) return { component, effect: 'settings' };
    const replicas = { old: readReplicas(previous), next: readReplicas(location) };
    const differs = !isDeepEqual(previous.strategy, location.strategy);
    return { component, effect: replicas.old === replicas.next ? (differs ? 'settings' : 'none') : 'scale', replicas };
  });
}
