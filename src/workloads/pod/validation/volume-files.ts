import type { Finding } from '../../../core/finding';
import type { Fields } from '../../../core/manifest';
import { inside } from '../../../core/place';
import type { Place } from '../../../core/place';
import { ofEach, together } from '../../../core/together';
import { volumeFieldRefFindings } from './references';
import { itemsOf, missing, rangeFindings, refused, requiredFindings, textOf } from './refusal';

/* What the server refuses in the files that a volume holds: their paths, keys and modes. Source: k/k pkg/apis/core/validation/validation.go, `ValidateVolumes` and what it calls. */

/** 0777 */
const MAX_MODE = 0o777;

/** What one source of a volume is held to. */
export type SourceCheck = (source: Fields, place: Place) => readonly Finding[];

/** A path below the volume: relative, and not out of it. */
export function relativePathFindings(value: unknown, place: Place): readonly Finding[] {
  const text = textOf(value);
  if (text === undefined) return [];
  return together(text.startsWith('/') ? [refused('absolute', text, place)] : [], backstepFindings(text, place));
}

export function backstepFindings(value: unknown, place: Place): readonly Finding[] {
  const text = textOf(value);
  return text?.split('/').includes('..') ? [refused('backsteps', text, place)] : [];
}

/** As `relativePathFindings`; names that begin with two dots belong to the kubelet. */
export function filePathFindings(value: unknown, place: Place): readonly Finding[] {
  const text = textOf(value);
  const found = relativePathFindings(text, place);
  if (found.length > 0 || !text?.startsWith('..')) return found;
  return [refused('backsteps', text, place)];
}

export function requires(...names: readonly string[]): SourceCheck {
  return (source, place) => ofEach(names, (name) => (isEmpty(source[name]) ? [missing(inside(place, name))] : []));
}

export function isEmpty(value: unknown): boolean {
  return textOf(value) === '' || (Array.isArray(value) && value.length === 0);
}

export function modeFindings(source: Fields, name: string, place: Place): readonly Finding[] {
  return rangeFindings(source[name], 0, MAX_MODE, inside(place, name));
}

function keyFindings({ key, path, mode }: Fields, place: Place): readonly Finding[] {
  return together(
    requiredFindings(key, inside(place, 'key')),
    textOf(path) === '' ? [missing(inside(place, 'path'))] : filePathFindings(path, inside(place, 'path')),
    modeFindings({ mode }, 'mode', place),
  );
}

export function keyListFindings(items: unknown, place: Place): readonly Finding[] {
  return ofEach(itemsOf(items, place), (item) => keyFindings(item.value, item.place));
}

export function keyedSource(name: string): SourceCheck {
  return (source, place) =>
    together(
      requires(name)(source, place),
      modeFindings(source, 'defaultMode', place),
      keyListFindings(source.items, inside(place, 'items')),
    );
}

function fileFindings(file: Fields, place: Place): readonly Finding[] {
  return together(
    textOf(file.path) === '' ? [missing(inside(place, 'path'))] : filePathFindings(file.path, inside(place, 'path')),
    volumeFieldRefFindings(file, place),
    modeFindings(file, 'mode', place),
  );
}

export function fileListFindings(items: unknown, place: Place): readonly Finding[] {
  return ofEach(itemsOf(items, place), (item) => fileFindings(item.value, item.place));
}
