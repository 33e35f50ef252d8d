import { formatFindingText } from '../core/finding';
import type { Finding, Source } from '../core/finding';
import { isFields } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import type { DisplayValue } from '../core/display-value';
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
function findInexactNumber(value: unknown): number | undefined {
  if (!isFields(value)) return undefined;
  const number = Number(value.described);
  return !(Math.abs(number) <= Number.MAX_SAFE_INTEGER) && String(number) === value.described ? number : undefined;
}

function hasInexactNumber({ data, source }: Finding): boolean {
  return source !== undefined && Object.values(data).some((value) => findInexactNumber(value) !== undefined);
}

/**
 * The plan with such numbers as they are written, in the data of findings and in their texts.
 *
 * @param texts the files of the input; asked for where there is such a number
 */
export function restoreExactNumbers(plan: PlanDocument, texts: () => Iterable<NumberText | undefined>): PlanDocument {
  if (!plan.findings.some(hasInexactNumber) && !plan.rollouts.some(({ findings }) => findings.some(hasInexactNumber))) return plan;
  const byFile = new Map<string, NumberText>();
  for (const text of texts()) if (text) byFile.set(text.file, text);
  const exactly = (value: unknown, source: Source): unknown => {
    const number = findInexactNumber(value);
    const described = number === undefined ? undefined : byFile.get(source.file)?.numberAt?.(source, number);
    return described === undefined ? value : ({ described } satisfies DisplayValue);
  };
  const change = (finding: Finding): Finding => {
    const { code, messageId, source, data } = finding;
    const rule = RULE_BY_CODE.get(code);
    if (!source || !rule || !hasInexactNumber(finding)) return finding;
    const exact = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, exactly(value, source)]));
    return { ...finding, data: exact, ...formatFindingText(rule, messageId, exact) };
  };
  const rollouts = plan.rollouts.map((rollout) => ({ ...rollout, findings: rollout.findings.map(change) }));
  return { ...plan, rollouts, findings: plan.findings.map(change) };
}
