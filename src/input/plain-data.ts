import { errorText } from '../core/error-text';
import { WHOLE_OBJECT } from '../core/field-path';
import type { Finding } from '../core/finding';
import { isManifest } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { OptionError } from '../core/option-error';
import { unreadable } from '../core/rules/unreadable';
import { describeValue } from '../core/seen';
import { objectsOf } from './objects';
import { plainCopy, UnreadableError } from './plain-copy';

/** The Kubernetes objects that a value is; none where it is something else. */
function objectsIn(value: unknown): readonly Manifest[] {
  if (!isManifest(value)) return [];
  return objectsOf(plainCopy(value)).map(({ object }) => object);
}

/**
 * The Kubernetes objects among values given by a program, lists taken apart, and a finding for each that no file could hold.
 *
 * @throws OptionError for what is no list
 */
export function readObjects(values: readonly unknown[]): { readonly objects: readonly Manifest[]; readonly findings: readonly Finding[] } {
  if (!Array.isArray(values)) throw new OptionError(`the objects are ${describeValue(values)}: write a list of objects`);
  const objects: Manifest[] = [];
  const findings: Finding[] = [];
  for (let index = 0; index < values.length; index++) {
    try {
      for (const object of objectsIn(values[index])) objects.push(object);
    } catch (error) {
      const problem = error instanceof UnreadableError ? error.problem : { kind: 'throws' as const, said: errorText(error) };
      findings.push(unreadable.finding('object', { path: WHOLE_OBJECT, data: { position: index + 1, problem } }));
    }
  }
  return { objects, findings };
}
