import type * as AllRulesModule from '../upgrade/all-rules';
import type * as AdviseModule from './advise';
import type * as CheckModule from './check';
import type * as CompletionModule from './completion';
import type * as DiffModule from './diff';
import type * as ExplainModule from './explain';
import type * as FixModule from './fix';
import type * as McpModule from './mcp';
import type * as OutputModule from './output-file';
import type * as PlanModule from './plan';
import type * as RulesModule from './rules';
import type * as SnapshotModule from './snapshot';
import type * as UpgradeModule from './upgrade';
import type * as VerifyModule from './verify';

/**
 * Modules that the command line loads once it knows the command.
 *
 * `npm run build` bundles this module and its imports into one file, because finding hundreds of files takes longer than reading a small repository.
 * A class from the bundle is therefore not identical to the class of the same name in the calling program.
 */
export const COMMAND_MODULES = {
  advise: () => require('./advise') as typeof AdviseModule,
  check: () => require('./check') as typeof CheckModule,
  completion: () => require('./completion') as typeof CompletionModule,
  diff: () => require('./diff') as typeof DiffModule,
  explain: () => require('./explain') as typeof ExplainModule,
  fix: () => require('./fix') as typeof FixModule,
  mcp: () => require('./mcp') as typeof McpModule,
  output: () => require('./output-file') as typeof OutputModule,
  plan: () => require('./plan') as typeof PlanModule,
  rules: () => require('./rules') as typeof RulesModule,
  snapshot: () => require('./snapshot') as typeof SnapshotModule,
  upgrade: () => require('./upgrade') as typeof UpgradeModule,
  verify: () => require('./verify') as typeof VerifyModule,
  allRules: () => require('../upgrade/all-rules') as typeof AllRulesModule,
};
