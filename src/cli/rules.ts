import { listed } from '../core/words';
import { nearestName } from '../core/nearest-name';
import { ALL_RULES } from '../change/all-rules';
import { renderRuleList, renderRulePage } from '../render/rule-page';
import { EXIT } from './exit-codes';
import { mediumOf, UsageError } from './io';
import type { Io, Outcome } from './io';

/** `rolloutkit rules`: every code with when it fires, or the page of one. */
export function rulesCommand(code: string | undefined, io: Io): Outcome {
  if (code === undefined) return { text: renderRuleList(ALL_RULES, mediumOf(io, undefined).width), exitCode: EXIT.done };
  const found = ALL_RULES.find((rule) => rule.code === code);
  if (found) return { text: renderRulePage(found), exitCode: EXIT.done };
  const codes = ALL_RULES.map((rule) => rule.code);
  const ending = codes.filter((known) => known.endsWith(`/${code}`));
  const nearest = ending.length > 0 ? listed(ending, 'or') : nearestName(code, codes);
  throw new UsageError(`there is no rule "${code}"; ${nearest === undefined ? '' : `write ${nearest}; `}rolloutkit rules lists them`);
}
