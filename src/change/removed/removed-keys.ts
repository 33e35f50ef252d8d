import { getFieldsAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { ObjectEffect } from '../effects/object-effect';
import { isConfigObject } from '../effects/config-references';
import { findConfig, listWrittenKeys } from '../effects/written-secrets';
import { objectKeyOf } from '../match/match-objects';

/** An object that is deleted or changed, and what pods lose with it: itself, or what its controller writes of it. */
export interface GoneObject {
  readonly object: Manifest;
  readonly needed: Manifest;
  readonly isChanged?: true;
}

/** A ConfigMap or Secret that loses keys, itself or because of the object from which a controller writes it. */
interface ReducedConfig {
  readonly needed: Manifest;
  readonly keys: ReadonlySet<string>;
  /** The object that a message names. */
  readonly named: Manifest;
  /** The object of NEW, as it is written. */
  readonly written: Manifest;
  /** Whether a ConfigMap keeps the keys, but in binaryData. @default - it loses them */
  readonly isMoved?: true;
}

function listKeys(object: Fields): string[] {
  return ['data', 'binaryData', 'stringData'].flatMap((field) => Object.keys(getFieldsAt(object, field)));
}

/** Returns the keys that an apply removes from a ConfigMap or Secret, or from what a controller writes of an object. */
function listRemovedKeys({ effect, comparison: { old, stored, result } }: ObjectEffect): ReadonlySet<string> {
  if (!old || effect === 'none' || effect === 'refused') return new Set();
  if (!isConfigObject(result)) {
    const after = listWrittenKeys(result);
    return new Set(after ? listWrittenKeys(old.manifest)?.filter((key) => !after.includes(key)) : []);
  }
  const kept = new Set(listKeys(stored ?? result));
  return new Set([...listKeys(old.stored), ...listKeys(old.manifest)].filter((key) => !kept.has(key)));
}

/** Lists the keys that an apply moves from data of a ConfigMap to binaryData. */
function listMovedKeys({ effect, comparison: { old, stored, result } }: ObjectEffect): ReadonlySet<string> {
  if (!old || effect === 'none' || effect === 'refused' || result.kind !== 'ConfigMap' || !isConfigObject(result)) return new Set();
  const binary = Object.keys(getFieldsAt(stored ?? result, 'binaryData'));
  return new Set(binary.filter((key) => Object.hasOwn(getFieldsAt(old.stored, 'data'), key)));
}

/** Lists the keys that an object has or gives its Secret; undefined if they are not known. */
function listProvidedKeys(object: Manifest): readonly string[] | undefined {
  return isConfigObject(object) ? listKeys(object) : listWrittenKeys(object);
}

/** Lists the configurations that the apply deletes and that another object of NEW, such as an ExternalSecret, provides without some of their keys. */
function listReplacedConfigs(objectEffects: readonly ObjectEffect[], gone: readonly GoneObject[]): ReducedConfig[] {
  if (gone.length === 0) return [];
  const providers = new Map(
    objectEffects.flatMap(({ effect, comparison }) => {
      const config = effect === 'refused' ? undefined : findConfig(comparison.result);
      return config ? [[objectKeyOf(config), comparison] as const] : [];
    }),
  );
  return gone.flatMap(({ object, needed }) => {
    const provider = providers.get(objectKeyOf(needed));
    if (!provider || provider.old?.manifest === object) return [];
    const [before, after] = [listProvidedKeys(object), listProvidedKeys(provider.result)];
    const keys = new Set(after ? before?.filter((key) => !after.includes(key)) : []);
    return [{ needed, keys, named: needed, written: provider.next }];
  });
}

/** Lists the ConfigMaps and Secrets that lose keys by an apply, and the ConfigMaps that keep them in binaryData only. */
export function listReducedConfigs(objectEffects: readonly ObjectEffect[], gone: readonly GoneObject[]): readonly ReducedConfig[] {
  const changed = objectEffects.flatMap((each): ReducedConfig[] => {
    const { result, next: written } = each.comparison;
    const needed = findConfig(result);
    if (!needed) return [];
    return [
      { needed, keys: listRemovedKeys(each), named: result, written },
      { needed, keys: listMovedKeys(each), named: result, written, isMoved: true },
    ];
  });
  return [...changed, ...listReplacedConfigs(objectEffects, gone)].filter(({ keys }) => keys.size > 0);
}
