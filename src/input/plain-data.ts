import { WHOLE_OBJECT } from '../core/field-path';
import type { Finding } from '../core/finding';
import { isManifest } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { unreadable } from '../core/rules/unreadable';
import type { ObjectProblem } from '../core/rules/unreadable';
import { objectsOf } from './objects';
import { MAX_LEVELS } from './yaml-syntax';

/**
 * Why a value is not plain data, as a file would hold it; undefined where it is.
 *
 * @param level - of the map or list that the value is, counted from 1
 */
function problemOf(value: unknown, level = 1): ObjectProblem | undefined {
  if (typeof value === 'bigint') return { kind: 'bigint' };
  if (typeof value !== 'object' || value === null) return undefined;
  if (level > MAX_LEVELS) return { kind: 'too-deep', levels: MAX_LEVELS };
  for (const inner of Object.values(value)) {
    const problem = problemOf(inner, level + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The Kubernetes objects among values given by a program, lists taken apart, and a finding for each that no file could hold. */
export function readObjects(values: readonly unknown[]): { readonly objects: readonly Manifest[]; readonly findings: readonly Finding[] } {
  const objects: Manifest[] = [];
  const findings: Finding[] = [];
  values.forEach((value, index) => {
    if (!isManifest(value)) return;
    const problem = problemOf(value);
    if (problem) findings.push(unreadable.finding('object', { path: WHOLE_OBJECT, data: { position: index + 1, problem } }));
    else for (const { object } of objectsOf(value)) objects.push(object);
  });
  return { objects, findings };
}
