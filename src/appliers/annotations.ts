import { annotationOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';

/** Returns the words of an annotation that is a list separated by commas: `a, B` is `a` and `B`. */
export function listAnnotationWords(object: Manifest, name: string): readonly string[] {
  return (annotationOf(object, name) ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
