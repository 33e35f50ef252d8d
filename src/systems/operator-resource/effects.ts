import type { ObjectInContext, SystemEffect } from '../../cluster/context/context';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { isInt32 } from '../../core/values/int-or-percent';
import { omitFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { hasOperatorAnnotationChange } from '../../core/sources/operator-annotations';
import { operatorComponentOf } from './embedded-strategy';
import type { StrategyLocation } from './embedded-strategy';
import { parseQuotedNumber } from './strategy';

function readReplicas({ holder }: StrategyLocation): number {
  const replicas = parseQuotedNumber(holder.replicas);
  return isInt32(replicas) ? replicas : 1;
}

function dropKnownFields({ holder, hasKnownReplicas }: StrategyLocation): Fields {
  return { ...holder, strategy: undefined, ...(hasKnownReplicas && { replicas: undefined }) };
}

/** Returns the fields of an object in which a user writes what the operator runs: its spec, and any other that its definition has. */
export function selectDesiredFields(object: Manifest): Fields {
  return omitFields(object, ['apiVersion', 'kind', 'metadata', 'status']);
}

/** Returns an object without strategies and their replicas. Only the operator knows the effect of the remaining fields. */
function excludeKnownFields(object: Manifest, locations: readonly StrategyLocation[]): unknown {
  const holders = new Map<unknown, Fields>(locations.map((location) => [location.holder, dropKnownFields(location)]));
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(holders.get(value) ?? value).map(([name, inner]) => [name, visit(inner)]));
  };
  return visit(selectDesiredFields(object));
}

/**
 * Computes the effect of a change. A strategy replaces no pods and replicas scale. Only the operator knows the effect of any other field,
 * such as an image, and of its annotations.
 */
export function computeOperatorEffects(
  old: ObjectInContext,
  next: ObjectInContext,
  findLocations: (object: Manifest) => readonly StrategyLocation[],
): SystemEffect[] {
  const [before, after] = [findLocations(old.object), findLocations(next.object)];
  const hasSameOthers = isDeepEqual(excludeKnownFields(old.object, before), excludeKnownFields(next.object, after));
  if (!hasSameOthers || hasOperatorAnnotationChange(old.object, next.object)) return [{ effect: 'unknown' }];
  return after.map((location): SystemEffect => {
    const previous = before.find(({ holderPath }) => holderPath === location.holderPath);
    const component = operatorComponentOf(location);
    if (!previous || !location.hasKnownReplicas) return { component, effect: 'settings' };
    const replicas = { old: readReplicas(previous), next: readReplicas(location) };
    const differs = !isDeepEqual(previous.strategy, location.strategy);
    return { component, effect: replicas.old === replicas.next ? (differs ? 'settings' : 'none') : 'scale', replicas };
  });
}
