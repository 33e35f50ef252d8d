import { countPodsWithoutRollout } from '../../cluster/capacity/other-pods';
import { checkTime } from '../../core/deadline';
import { addToGroup } from '../../core/group-by';
import { isKustomization } from '../../core/kustomization-kind';
import { nameOf, namespaceOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { workloadNameOf } from '../../workloads/kinds';
import { isNeverReplacingPods } from './bare-pod-effect';
import { isConfigOnlyKind } from './config-only-kinds';
import type { ConfigConsumers } from './config-references';
import { findConfig } from './written-secrets';

/** Levels at which an object may name another. */
const MAX_DEPTH = 20;

function collectTexts(value: unknown, depth: number, found: Set<string>): void {
  checkTime();
  if (typeof value === 'string') found.add(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  for (const inner of Object.values(value)) collectTexts(inner, depth + 1, found);
}

/** Reports whether the controller of an object, which may read any object that it names, is not known. */
function hasUnknownController(object: Manifest): boolean {
  const isKnown =
    isConfigOnlyKind(object) ||
    isKustomization(object) ||
    workloadNameOf(object) !== undefined ||
    countPodsWithoutRollout(object) !== undefined;
  return !isKnown && !isNeverReplacingPods(object);
}

/** An object without a plan, and the texts in it. */
interface UnknownReader {
  readonly object: Manifest;
  readonly texts: ReadonlySet<string>;
}

/** Fields of an object that do not say what its controller reads. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

function collectTextsOf(object: Manifest): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const [name, value] of Object.entries(object)) if (!OWN_FIELDS.has(name)) collectTexts(value, 0, texts);
  return texts;
}

/** What the objects without a plan name, such as the values of a HelmRelease. Their controllers may replace pods if it changes. */
export class UnknownReaders {
  /** Objects by the texts in them. */
  private index: ReadonlyMap<string, readonly UnknownReader[]> | undefined;

  /** @param isPlanned - reports whether a system plans an object */
  constructor(
    private readonly objects: readonly Manifest[],
    private readonly isPlanned: (object: Manifest) => boolean,
  ) {}

  /** Returns the objects without a plan that name a ConfigMap or Secret of their namespace, of the one that they name, or of any if they are in none. */
  readersOf(config: Manifest): readonly Manifest[] {
    this.index ??= this.buildIndex();
    const namespace = namespaceOf(config);
    const isReader = ({ object, texts }: UnknownReader) => {
      const own = namespaceOf(object);
      return own === namespace || own === undefined || (namespace !== undefined && texts.has(namespace));
    };
    const byName = (this.index.get(nameOf(config)) ?? []).filter(isReader);
    const byPath = this.index.get(`${namespace ?? ''}/${nameOf(config)}`) ?? [];
    return [...new Set([...byName, ...byPath].map(({ object }) => object))];
  }

  private buildIndex(): Map<string, UnknownReader[]> {
    const index = new Map<string, UnknownReader[]>();
    for (const object of this.objects) {
      if (!hasUnknownController(object) || this.isPlanned(object)) continue;
      const texts = collectTextsOf(object);
      for (const text of texts) addToGroup(index, text, { object, texts });
    }
    return index;
  }
}

/** What is known about the readers of ConfigMaps and Secrets. */
interface ConfigReaders {
  readonly consumers: ConfigConsumers;
  readonly unknownReaders: UnknownReaders;
  readonly isNew: (object: Manifest) => boolean;
}

/** Reports whether an object that exists and has no plan reads a ConfigMap or Secret, or the one that a controller writes of an object. */
export function isReadByUnknown(object: Manifest, { consumers, unknownReaders, isNew }: ConfigReaders): boolean {
  const config = findConfig(object);
  const readers = config ? unknownReaders.readersOf(config).filter((reader) => !isNew(reader)) : [];
  // The plan says of those with a pod template how their pods read it.
  const known = new Set(readers.length > 0 ? consumers.consumersOf(config!).map((consumer) => consumer.object) : []);
  return readers.some((reader) => !known.has(reader));
}
