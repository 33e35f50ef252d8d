import type { Finding } from '../../core/findings/finding';
import type { PlanContext } from '../context/context';
import type { ExhaustiveFindings } from '../rollout/exhaustive-findings';
import type { RolloutPods } from '../rollout/system-rollout';
import type { LocatedTemplate } from '../rollout/located-template';
import { POD_RULES } from './rules';

/** Returns the findings with others inserted before the first one that has one of the codes, or appended if none has. */
function insertBefore(findings: readonly Finding[], codes: readonly string[], inserted: readonly Finding[]): readonly Finding[] {
  const position = findings.findIndex(({ code }) => codes.includes(code));
  return position === -1 ? [...findings, ...inserted] : findings.toSpliced(position, 0, ...inserted);
}

/**
 * Runs the rules about pods, and adds their findings to those that the rules of the kind found.
 *
 * A template in another object, such as the Deployment that an Argo Rollout refers to, is checked when that object is planned.
 */
export function checkPodTemplates(
  podsKind: RolloutPods['kind'],
  templates: readonly LocatedTemplate[],
  kindFindings: ExhaustiveFindings,
  context: PlanContext,
): readonly Finding[] {
  let findings: readonly Finding[] = kindFindings;
  for (const { check, precedes } of POD_RULES) {
    const found: Finding[] = [];
    for (const template of templates) if (!template.sourceObject) for (const finding of check(template, context)) found.push(finding);
    if (found.length > 0) findings = insertBefore(findings, precedes?.[podsKind] ?? [], found);
  }
  return findings;
}
