import { isAbsolute, resolve } from 'node:path';
import type { ApplyUnit } from '../../core/sources/apply-unit';
import type { Source } from '../../core/findings/finding';
import { getListAt, getOwnValue, getValueAt, isFields } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { KUSTOMIZATION_FILES } from '../marker-files';
import { OriginFiles } from '../rendered-origin';
import type { OriginDocument, OriginFile, RootLookup } from '../rendered-origin';
import type { OriginFinder, RenderedObject } from '../origin-finder';

type Trail = readonly (string | number)[];

/** Kustomization that takes part in a build, and what it and those that include it add to names. */
interface Layer {
  readonly folder: string;
  readonly file: OriginFile;
  readonly document: OriginDocument;
  readonly prefix: string;
  readonly suffix: string;
}

/** Returns an image without its tag and digest. A registry may have a port, so the tag comes after the last slash. */
function dropImageVersion(image: string): string {
  const [name = ''] = image.split('@', 1);
  const tag = name.indexOf(':', name.lastIndexOf('/') + 1);
  return tag < 0 ? name : name.slice(0, tag);
}

/** Kinds that kustomize generates, with a hash at the end of the name. */
const GENERATED_KINDS: ReadonlySet<string> = new Set(['ConfigMap', 'Secret']);
const GENERATED_HASH = /-[a-z0-9]{10}$/;

/** Maximum number of kustomizations of one build that are searched. */
const MAX_LAYERS = 1_000;

function stringAt(value: unknown, ...names: readonly string[]): string {
  const found = getValueAt(value, ...names);
  return typeof found === 'string' ? found : '';
}

function stringsAt(value: unknown, name: string): string[] {
  return getListAt(value, name).filter((entry) => typeof entry === 'string');
}

/** Returns the part of a trail that exists in another text of the same object. Items of lists are found by their names. */
function followTrail(rendered: unknown, own: unknown, trail: Trail): Trail {
  const found: (string | number)[] = [];
  let [from, to] = [rendered, own];
  for (const part of trail) {
    const item = Array.isArray(from) ? from[Number(part)] : isFields(from) ? getOwnValue(from, String(part)) : undefined;
    const name = stringAt(item, 'name');
    const key = Array.isArray(to) && name !== '' ? to.findIndex((one) => stringAt(one, 'name') === name) : part;
    const next = Array.isArray(to) ? to[Number(key)] : isFields(to) ? getOwnValue(to, String(key)) : undefined;
    if (next === undefined) break;
    found.push(key);
    [from, to] = [item, next];
  }
  return found;
}

/** Converts a JSON pointer to the parts of a path: `/spec/replicas`. */
function parsePointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns the trail of the operation of a JSON patch that writes a field. */
function findOperation(operations: readonly unknown[], trail: Trail): Trail | undefined {
  const index = operations.findIndex((operation) => {
    const parts = parsePointer(stringAt(operation, 'path'));
    return parts.length > 0 && parts.length <= trail.length && parts.every((part, at) => part === String(trail[at]));
  });
  return index < 0 ? undefined : [index, 'path'];
}

/** Finds the kustomization, patch or resource that decides a field of what kustomize builds. */
export class KustomizeOrigins implements OriginFinder {
  readonly folder: Source;
  private readonly files: OriginFiles;
  private known: readonly Layer[] | undefined;

  constructor(
    private readonly unit: ApplyUnit,
    marker: string,
    rootOf: RootLookup,
  ) {
    this.files = new OriginFiles(unit, rootOf);
    this.folder = { file: this.files.nameOf(marker), line: 1 };
  }

  find({ object }: RenderedObject, trail: Trail): Source {
    let nearest: { readonly source: Source; readonly depth: number } | undefined;
    for (const layer of this.layers()) {
      if (this.files.isLate()) break;
      const written = this.findInKustomization(layer, object, trail) ?? this.findInPatches(layer, object, trail);
      if (written) return written;
      for (const { source, depth } of this.findInResources(layer, object, trail)) {
        if (depth === trail.length) return source;
        if (!nearest || depth > nearest.depth) nearest = { source, depth };
      }
    }
    return nearest?.source ?? this.folder;
  }

  /** Lists the kustomizations of a build, each after the one that includes it. */
  private layers(): readonly Layer[] {
    if (this.known) return this.known;
    const layers: Layer[] = [];
    const queue = [{ folder: this.unit.id, prefix: '', suffix: '' }];
    for (let at = 0; at < queue.length && layers.length < MAX_LAYERS && !this.files.isLate(); at++) {
      const { folder, prefix, suffix } = queue[at]!;
      const path = this.files.findFile(folder, KUSTOMIZATION_FILES);
      const file = path === undefined ? undefined : this.files.read(path);
      const document = file?.documents.find(({ value }) => isFields(value));
      if (!file || !document) continue;
      const names = {
        prefix: prefix + stringAt(document.value, 'namePrefix'),
        suffix: stringAt(document.value, 'nameSuffix') + suffix,
      };
      layers.push({ folder, file, document, ...names });
      for (const entry of ['resources', 'bases', 'components'].flatMap((field) => stringsAt(document.value, field))) {
        if (isAbsolute(entry) || entry.includes('://')) continue;
        const next = resolve(folder, entry);
        if (this.files.findFile(next, KUSTOMIZATION_FILES) !== undefined) queue.push({ folder: next, ...names });
      }
    }
    this.known = layers;
    return layers;
  }

  /** Reports whether an entry has the name of an object, to which each layer may have added a prefix and a suffix. */
  private isNamedIn(entry: unknown, object: Fields): boolean {
    const own = stringAt(entry, 'name');
    const name = stringAt(object, 'metadata', 'name');
    const names = GENERATED_KINDS.has(stringAt(object, 'kind')) ? [name, name.replace(GENERATED_HASH, '')] : [name];
    return names.includes(own) || this.layers().some(({ prefix, suffix }) => names.includes(`${prefix}${own}${suffix}`));
  }

  /** Reports whether a patch may be for an object. Its selectors and patterns are not evaluated, since the patch must write the field anyway. */
  private isTargetOf(target: unknown, object: Fields): boolean {
    const [kind, name] = [stringAt(target, 'kind'), stringAt(target, 'name')];
    const isPattern = /[^\w-]/.test(name);
    return (kind === '' || kind === stringAt(object, 'kind')) && (name === '' || isPattern || this.isNamedIn(target, object));
  }

  /** Returns the position of the entry in `replicas` or `images` that decides a field. */
  private findInKustomization({ file, document: { chunk, value } }: Layer, object: Fields, trail: Trail): Source | undefined {
    if (trail.join('.') === 'spec.replicas') {
      const index = getListAt(value, 'replicas').findIndex((entry) => this.isNamedIn(entry, object));
      return index < 0 ? undefined : file.text.locate(chunk, ['replicas', index, 'count']);
    }
    if (trail.at(-1) !== 'image') return undefined;
    const image = followValue(object, trail);
    const index = getListAt(value, 'images').findIndex((entry) => {
      const name = stringAt(entry, 'newName') || stringAt(entry, 'name');
      return name !== '' && typeof image === 'string' && dropImageVersion(image) === name;
    });
    return index < 0 ? undefined : file.text.locate(chunk, ['images', index]);
  }

  private findInPatches(layer: Layer, object: Fields, trail: Trail): Source | undefined {
    const { value } = layer.document;
    const entries = [
      ...['patches', 'patchesJson6902'].flatMap((field) => getListAt(value, field).map((entry, index) => ({ entry, at: [field, index] }))),
      ...stringsAt(value, 'patchesStrategicMerge').map((path) => ({ entry: { path }, at: [] })),
    ];
    for (const { entry, at } of entries) {
      if (this.files.isLate()) return undefined;
      const target = getValueAt(entry, 'target');
      if (target !== undefined && !this.isTargetOf(target, object)) continue;
      const inline = stringAt(entry, 'patch');
      const file = inline === '' ? this.files.read(resolve(layer.folder, stringAt(entry, 'path'))) : undefined;
      const documents = file ? file.documents : this.files.parsePatch(inline);
      for (const { value: patch, chunk } of documents) {
        const isMerge = target === undefined && !Array.isArray(patch);
        if (isMerge && !(isSameKind(patch, object) && this.isNamedIn(getValueAt(patch, 'metadata'), object))) continue;
        const found = findInPatch(patch, object, trail);
        if (!found) continue;
        return file ? file.text.locate(chunk, found) : layer.file.text.locate(layer.document.chunk, [...at, 'patch']);
      }
    }
    return undefined;
  }

  private *findInResources(
    { folder, document: { value: kustomization }, prefix, suffix }: Layer,
    object: Fields,
    trail: Trail,
  ): Generator<{ readonly source: Source; readonly depth: number }> {
    const name = stringAt(object, 'metadata', 'name');
    for (const entry of stringsAt(kustomization, 'resources')) {
      if (isAbsolute(entry) || entry.includes('://')) continue;
      const file = this.files.read(resolve(folder, entry));
      for (const { value, chunk } of file?.documents ?? []) {
        if (!isSameKind(value, object) || `${prefix}${stringAt(value, 'metadata', 'name')}${suffix}` !== name) continue;
        const found = followTrail(object, value, trail);
        yield { source: file!.text.locate(chunk, found), depth: found.length };
      }
    }
  }
}

function followValue(value: unknown, trail: Trail): unknown {
  return trail.reduce<unknown>(
    (at, part) => (Array.isArray(at) ? at[Number(part)] : isFields(at) ? getOwnValue(at, String(part)) : undefined),
    value,
  );
}

function isSameKind(value: unknown, object: Fields): boolean {
  return stringAt(value, 'kind') === stringAt(object, 'kind');
}

/** Returns the trail of the entry in a patch that writes a field of an object. */
function findInPatch(patch: unknown, object: Fields, trail: Trail): Trail | undefined {
  if (Array.isArray(patch)) return findOperation(patch, trail);
  const found = followTrail(object, patch, trail);
  return trail.length > 0 && found.length === trail.length ? found : undefined;
}
