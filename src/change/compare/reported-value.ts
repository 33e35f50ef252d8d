import { invalidStrategy } from '../../cluster/rules/invalid-strategy';
import type { ApplyRejection } from '../../core/document/change';
import type { Finding } from '../../core/findings/finding';
import type { Manifest } from '../../core/manifest/manifest';
import { wrongType } from '../../core/rules/wrong-type';
import type { PlanInput } from '../../plan/plan-input';

/**
 * Reports whether findings name the value that the API server cannot decode. Its own message has no path, so it would be a second error about
 * one fault.
 */
export function isValueReported(
  { path: refused }: ApplyRejection,
  object: Manifest,
  findings: readonly Finding[],
  { locate }: Pick<PlanInput, 'locate'>,
): boolean {
  if (refused !== '') return false;
  return findings.some((finding) => {
    const { path, source } = finding;
    if (!source || !(invalidStrategy.matches(finding) || wrongType.matches(finding))) return false;
    const at = locate?.(object, path);
    return at?.file === source.file && at.line === source.line && at.column === source.column;
  });
}
