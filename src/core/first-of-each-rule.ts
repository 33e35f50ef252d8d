import { WHOLE_OBJECT } from './field-path';
import type { Finding } from './finding';
import { worstOf } from './severity';
import { counted } from './words';

/** Of so many findings of one rule about one object each is told. */
const TOLD = 100;

/** The messageId of what is said of those that are not told one by one, under the code of their rule. */
export const AND_MORE = 'andMore';

/** Those of one rule that are not told one by one, as one finding of that rule, as bad as the worst of them. */
function restOf(code: string, rest: readonly Finding[]): Finding {
  const data = { told: TOLD, more: rest.length };
  return {
    code,
    severity: worstOf(rest.map(({ severity }) => severity))!,
    messageId: AND_MORE,
    data,
    path: WHOLE_OBJECT,
    message: `There ${data.more === 1 ? 'is' : 'are'} ${counted(data.more, 'more finding')} of this rule about this object; the first ${data.told} are told one by one.`,
    help: 'Mend those that are told, and look again.',
  };
}

/**
 * The findings about one object: of each rule the first hundred one by one, and the others as one behind them,
 * since an object may have as many faults as fields.
 */
export function firstOfEachRule(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= TOLD) return findings;
  const rests = new Map<string, Finding[]>();
  const counts = new Map<string, number>();
  const told = findings.filter((finding) => {
    const count = (counts.get(finding.code) ?? 0) + 1;
    counts.set(finding.code, count);
    if (count <= TOLD) return true;
    const rest = rests.get(finding.code);
    if (rest) rest.push(finding);
    else rests.set(finding.code, [finding]);
    return false;
  });
  return [...told, ...[...rests].map(([code, rest]) => restOf(code, rest))];
}

/** How many findings of its rule one finding stands for, which are not told one by one; 0 for any other. */
export function untoldBy({ messageId, data }: Pick<Finding, 'messageId' | 'data'>): number {
  return messageId === AND_MORE ? Number(data.more) : 0;
}
