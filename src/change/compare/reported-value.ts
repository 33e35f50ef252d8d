import { invalidStrategy } from '../../cluster/rules/invalid-strategy';
import type { ApplyRejection } from '../../core/document/change';
import type { Finding } from '../../core/findings/finding';
import type { Manifest } from '../../core/manifest/manifest';
import { wrongType } from '../../core/rules/wrong-type';
import { isCostReported } from '../../crds/rules/rule-not-evaluated';
import type { PlanInput } from '../../plan/plan-input';

/**
 * Reports whether findings name the value that the API server refuses: a rule of a CRD, or a value that it cannot decode. Its own message would
 * be a second error about one fault, since it has another position or no path.
 */
export function isValueReported(
  refusal: ApplyRejection,
  object: Manifest,
  findings: readonly Finding[],
  { locate }: Pick<PlanInput, 'locate'>,
): boolean {
  if (refusal.path !== '') return isCostReported(object, refusal, findings);
  return findings.some((finding) => {
    const { path, source } = finding;
    if (!source || !(invalidStrategy.matches(finding) || wrongType.matches(finding))) return false;
    const at = locate?.(object, path);
    return at?.file === source.file && at.line === source.line && at.column === source.column;
  });
}
