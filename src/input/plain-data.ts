import { inputFinding } from '../core/catalogue';
import type { Finding } from '../core/finding';
import { isManifest } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { objectsOf } from './objects';
import { MAX_LEVELS } from './yaml-syntax';

/**
 * Why a value is no plain data, as a file would hold it; undefined where it is.
 *
 * @param level - of the map or list that the value is, counted from 1
 */
function problemOf(value: unknown, level = 1): string | undefined {
  if (typeof value === 'bigint') return 'it holds a bigint, which JSON has not';
  if (typeof value !== 'object' || value === null) return undefined;
  if (level > MAX_LEVELS) return `it contains itself, or is nested more than ${MAX_LEVELS} levels deep`;
  for (const inner of Object.values(value)) {
    const problem = problemOf(inner, level + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function unreadableObject(position: number, problem: string): Finding {
  return inputFinding('input/unreadable', {
    path: '',
    message: `Object ${position} of those given cannot be read: ${problem}.`,
    help: 'Give it as plain data, as a JSON file would hold it; nothing of this object is planned.',
  });
}

/** The Kubernetes objects among values given by a program, lists taken apart, and a finding for each that no file could hold. */
export function readObjects(values: readonly unknown[]): { readonly objects: readonly Manifest[]; readonly findings: readonly Finding[] } {
  const objects: Manifest[] = [];
  const findings: Finding[] = [];
  values.forEach((value, index) => {
    if (!isManifest(value)) return;
    const problem = problemOf(value);
    if (problem !== undefined) findings.push(unreadableObject(index + 1, problem));
    else for (const { object } of objectsOf(value)) objects.push(object);
  });
  return { objects, findings };
}
