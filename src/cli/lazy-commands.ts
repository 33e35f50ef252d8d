import type * as AllRulesModule from '../change/all-rules';
import type * as CheckModule from './check';
import type * as CompletionModule from './completion';
import type * as DiffModule from './diff';
import type * as ExplainModule from './explain';
import type * as FixModule from './fix';
import type * as OutputModule from './output-file';
import type * as PlanModule from './plan';
import type * as RulesModule from './rules';

/**
 * What the command line loads once it knows what is asked for.
 *
 * `npm run build` makes one file of this module and all of ours behind it: to find hundreds of files takes longer than to read a small repository.
 * So a class from here is another one than that of the same name in the program that asks.
 */
export const COMMAND_MODULES = {
  check: () => require('./check') as typeof CheckModule,
  completion: () => require('./completion') as typeof CompletionModule,
  diff: () => require('./diff') as typeof DiffModule,
  explain: () => require('./explain') as typeof ExplainModule,
  fix: () => require('./fix') as typeof FixModule,
  output: () => require('./output-file') as typeof OutputModule,
  plan: () => require('./plan') as typeof PlanModule,
  rules: () => require('./rules') as typeof RulesModule,
  allRules: () => require('../change/all-rules') as typeof AllRulesModule,
};
