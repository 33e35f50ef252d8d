import { basename } from 'node:path';
import { getListAt, getValueAt, groupOf, isFields, isManifest } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { isMarker } from './marker-files';

/** Reports whether a value is an object with a name of its own. A reference has none, and a StatefulSet may write the kind of its claims. */
function isInlineManifest(value: unknown): value is Manifest {
  return isManifest(value) && isFields(value.metadata) && value.kind !== 'PersistentVolumeClaim';
}

/**
 * Returns the path, without indices, of the first object inside of another one that plans read, such as that of a ManifestWork; undefined if
 * there is none. Its controller applies it, and no plan or guardrail is about it.
 */
export function findInlineManifest(
  value: unknown,
  isPlanned: (object: Manifest) => boolean,
  path: readonly string[] = [],
): string | undefined {
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = findInlineManifest(item, isPlanned, path);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isFields(value)) return undefined;
  if (path.length > 0 && isInlineManifest(value) && isPlanned(value)) return path.join('.');
  for (const [name, inner] of Object.entries(value)) {
    const found = typeof inner === 'object' ? findInlineManifest(inner, isPlanned, [...path, name]) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Reports whether the text of a file in a Bundle is not that of a manifest: it is encoded, a template, or a file with which a tool builds others. */
function isBuilt({ name, content, encoding }: Readonly<Record<string, unknown>>): boolean {
  if (content === undefined || content === null || content === '') return false;
  const isPlain = typeof content === 'string' && (encoding === undefined || encoding === null || encoding === '');
  return !isPlain || content.includes('{{') || (typeof name === 'string' && isMarker(basename(name)));
}

/**
 * Reports whether a Bundle of Fleet contains files from which Fleet may apply objects that plans read.
 *
 * @param mayContainObjects - reports whether a text may contain such objects
 */
export function hasInlineFiles(object: Manifest, mayContainObjects: (text: string) => boolean): boolean {
  if (groupOf(object) !== 'fleet.cattle.io' || object.kind !== 'Bundle') return false;
  return getListAt(object, 'spec', 'resources').some((resource) => {
    if (!isFields(resource)) return false;
    const content = getValueAt(resource, 'content');
    return isBuilt(resource) || (typeof content === 'string' && mayContainObjects(content));
  });
}
