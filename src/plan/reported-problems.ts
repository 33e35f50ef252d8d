import type { Finding, Source } from '../core/findings/finding';
import { ruleNotEvaluated } from '../crds/rules/rule-not-evaluated';

function formatPosition(path: string, source: Source | undefined): string {
  return [path, source?.file, source?.line, source?.column].join(':');
}

/** Returns what a finding is about: a position, or a rule of a CRD, which has none. Undefined if it is about neither. */
function identifyProblem(finding: Finding): string | undefined {
  const { path, source, data } = finding;
  if (source) return formatPosition(path, source);
  return ruleNotEvaluated.matches(finding, 'rule') ? JSON.stringify(data) : undefined;
}

/** The problems that findings report. One problem has one finding, so the rule that reports it first wins. */
export class ReportedProblems {
  private readonly all = new Set<string>();
  private readonly errors = new Set<string>();
  private readonly suppressed = new Set<string>();

  constructor(findings: readonly Finding[]) {
    for (const finding of findings) this.add(finding);
  }

  private add(finding: Finding): void {
    const problem = identifyProblem(finding);
    if (problem === undefined) return;
    this.all.add(problem);
    if (finding.suppressed) this.suppressed.add(`${finding.code} ${problem}`);
    else if (finding.severity === 'error') this.errors.add(problem);
  }

  hasErrorAt(path: string, source: Source | undefined): boolean {
    return this.errors.has(formatPosition(path, source));
  }

  /** Reports whether a finding is about a problem that is reported. What is suppressed hides no error of another rule. */
  includes(finding: Finding): boolean {
    const problem = identifyProblem(finding);
    if (problem === undefined) return false;
    const isReported = (finding.severity === 'error' ? this.errors : this.all).has(problem);
    return isReported || this.suppressed.has(`${finding.code} ${problem}`);
  }
}

/** Returns the findings about problems that no finding reports yet. Several units may have the same rule of a CRD, which is reported once. */
export function omitReported(findings: readonly Finding[], reported: readonly Finding[]): Finding[] {
  const problems = new ReportedProblems(reported);
  const rules = new Set<string>();
  return findings.filter((finding) => {
    if (problems.includes(finding)) return false;
    if (!ruleNotEvaluated.matches(finding, 'rule')) return true;
    const rule = JSON.stringify(finding.data);
    return !rules.has(rule) && rules.add(rule);
  });
}
