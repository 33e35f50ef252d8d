import { joinWords } from '../../core/text/text-format';
import { findClosestName } from '../../core/errors/did-you-mean';
import { ALL_RULES } from '../../upgrade/all-rules';
import { renderRuleList, renderRulePage } from '../../render/text/rule-page';
import { EXIT } from '../output/exit-codes';
import { selectMedium, UsageError } from '../output/io';
import type { Io, CommandResult } from '../output/io';

/** Runs `rolloutkit rules`: lists all rules and when they fire, or shows the page of one rule. */
export function runRulesCommand(code: string | undefined, io: Io): CommandResult {
  if (code === undefined) return { text: renderRuleList(ALL_RULES, selectMedium(io, undefined).width), exitCode: EXIT.done };
  const found = ALL_RULES.find((rule) => rule.code === code);
  if (found) return { text: renderRulePage(found), exitCode: EXIT.done };
  const codes = ALL_RULES.map((rule) => rule.code);
  const ending = codes.filter((known) => known.endsWith(`/${code}`));
  const nearest = ending.length > 0 ? joinWords(ending, 'or') : findClosestName(code, codes);
  throw new UsageError(`there is no rule "${code}"; ${nearest === undefined ? '' : `write ${nearest}; `}rolloutkit rules lists all`);
}
