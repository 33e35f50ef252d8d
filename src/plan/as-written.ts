import { textOf } from '../core/finding';
import type { Finding, Source } from '../core/finding';
import { isFields } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import type { Seen } from '../core/seen';
import { RULE_BY_CODE } from './rules';

/** A file as far as numbers are read from it once more. */
export interface NumberText {
  readonly file: string;
  /** How a number is written that stands at a place or behind the key there; undefined where it is not found. */
  readonly numberAt?: (place: Source, value: number) => string | undefined;
}

/**
 * A value of the data that is a number which 64-bit floats don't tell from its neighbours, or no number at all:
 * 12345678901234567890123 is read as 1.2345678901234568e+22, and .inf as Infinity.
 */
function inexactNumber(value: unknown): number | undefined {
  if (!isFields(value)) return undefined;
  const number = Number(value.described);
  return !(Math.abs(number) <= Number.MAX_SAFE_INTEGER) && String(number) === value.described ? number : undefined;
}

function hasInexact({ data, source }: Finding): boolean {
  return source !== undefined && Object.values(data).some((value) => inexactNumber(value) !== undefined);
}

/**
 * The plan with such numbers as they are written, in the data of findings and in their texts.
 *
 * @param texts the files of the input; asked for where there is such a number
 */
export function asWritten(plan: PlanDocument, texts: () => Iterable<NumberText | undefined>): PlanDocument {
  if (!plan.findings.some(hasInexact) && !plan.rollouts.some(({ findings }) => findings.some(hasInexact))) return plan;
  const byFile = new Map<string, NumberText>();
  for (const text of texts()) if (text) byFile.set(text.file, text);
  const exactly = (value: unknown, source: Source): unknown => {
    const number = inexactNumber(value);
    const described = number === undefined ? undefined : byFile.get(source.file)?.numberAt?.(source, number);
    return described === undefined ? value : ({ described } satisfies Seen);
  };
  const change = (finding: Finding): Finding => {
    const { code, messageId, source, data } = finding;
    const rule = RULE_BY_CODE.get(code);
    if (!source || !rule || !hasInexact(finding)) return finding;
    const exact = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, exactly(value, source)]));
    return { ...finding, data: exact, ...textOf(rule, messageId, exact) };
  };
  const rollouts = plan.rollouts.map((rollout) => ({ ...rollout, findings: rollout.findings.map(change) }));
  return { ...plan, rollouts, findings: plan.findings.map(change) };
}
