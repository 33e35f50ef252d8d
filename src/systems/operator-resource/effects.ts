import type { InContext, SystemEffect } from '../../cluster/context';
import { deepEqual } from '../../core/deep-equal';
import { isInt32 } from '../../core/int-or-percent';
import type { Fields, Manifest } from '../../core/manifest';
import { componentOf } from './mount';
import type { Mount } from './mount';
import { unquoted } from './strategy';

function replicasIn({ holder }: Mount): number {
  const replicas = unquoted(holder.replicas);
  return isInt32(replicas) ? replicas : 1;
}

function withoutKnown(holder: Fields): Fields {
  return { ...holder, strategy: undefined, replicas: undefined };
}

/** An object without what is known of its mounts: what is left only the operator knows. */
function unknownParts(object: Manifest, mounts: readonly Mount[]): unknown {
  const holders = new Map<unknown, Fields>(mounts.map(({ holder }) => [holder, withoutKnown(holder)]));
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(holders.get(value) ?? value).map(([name, inner]) => [name, visit(inner)]));
  };
  return visit(object.spec);
}

/**
 * What a change of a custom resource does, as far as its operator is known: the strategy replaces no pod, replicas scale.
 * What any other field does, which image or setting it leads to, only the operator knows.
 */
export function operatorEffects(old: InContext, next: InContext, mountsIn: (object: Manifest) => readonly Mount[]): SystemEffect[] {
  const [before, after] = [mountsIn(old.object), mountsIn(next.object)];
  if (!deepEqual(unknownParts(old.object, before), unknownParts(next.object, after))) return [{ effect: 'unknown' }];
  return after.map((mount): SystemEffect => {
    const was = before.find(({ holderPath }) => holderPath === mount.holderPath);
    const component = componentOf(mount);
    if (!was || !mount.hasKnownReplicas) return { component, effect: 'settings' };
    const replicas = { old: replicasIn(was), next: replicasIn(mount) };
    const differs = !deepEqual(was.strategy, mount.strategy);
    return { component, effect: replicas.old === replicas.next ? (differs ? 'settings' : 'none') : 'scale', replicas };
  });
}
