import { textOf } from '../core/finding';
import type { AnyRule, Finding, Source } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import type { Seen } from '../core/seen';

/** A file as far as numbers are read from it once more. */
export interface NumberText {
  readonly file: string;
  /** How a number is written that stands at a place or behind the key there; undefined where it is not found. */
  readonly numberAt?: (place: Source, value: number) => string | undefined;
}

/** Is a number more than 64-bit floats tell apart, so that 12345678901234567890123 is read as 1.2345678901234568e+22? */
function isInexact(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/**
 * The plan with such numbers as they are written, in the data of findings and in their texts.
 *
 * @param texts the files of the input; asked for where there is such a number
 */
export function asWritten(plan: PlanDocument, rules: readonly AnyRule[], texts: () => Iterable<NumberText | undefined>): PlanDocument {
  const needsText = ({ data, source }: Finding) => source !== undefined && isInexact(data.value);
  if (![...plan.findings, ...plan.rollouts.flatMap(({ findings }) => findings)].some(needsText)) return plan;
  const byFile = new Map<string, NumberText>();
  for (const text of texts()) if (text) byFile.set(text.file, text);
  const byCode = new Map(rules.map((rule) => [rule.code, rule]));
  const change = (finding: Finding): Finding => {
    const { code, messageId, source, data } = finding;
    if (!source || !isInexact(data.value)) return finding;
    const described = byFile.get(source.file)?.numberAt?.(source, data.value);
    const rule = byCode.get(code);
    if (described === undefined || rule === undefined) return finding;
    const value: Seen = { described };
    const exact = { ...data, value };
    return { ...finding, data: exact, ...textOf(rule, messageId, exact) };
  };
  const rollouts = plan.rollouts.map((rollout) => ({ ...rollout, findings: rollout.findings.map(change) }));
  return { ...plan, rollouts, findings: plan.findings.map(change) };
}
