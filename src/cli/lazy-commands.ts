import type * as AllRulesModule from '../upgrade/all-rules';
import type * as AdviseModule from './commands/advise';
import type * as CheckModule from './commands/check';
import type * as CompletionModule from './commands/completion';
import type * as DiffModule from './commands/diff';
import type * as ExplainModule from './commands/explain';
import type * as FixModule from './commands/fix';
import type * as McpModule from './commands/mcp';
import type * as OutputModule from './output/output-file';
import type * as PlanModule from './commands/plan';
import type * as RulesModule from './commands/rules';
import type * as SnapshotModule from './commands/snapshot';
import type * as UpgradeModule from './commands/upgrade';
import type * as VerifyModule from './commands/verify';

/**
 * Modules that the command line loads once it knows the command.
 *
 * `npm run build` bundles this module and its imports into one file, because finding hundreds of files takes longer than reading a small repository.
 * A class from the bundle is therefore not identical to the class of the same name in the calling program.
 */
export const COMMAND_MODULES = {
  advise: () => require('./commands/advise') as typeof AdviseModule,
  check: () => require('./commands/check') as typeof CheckModule,
  completion: () => require('./commands/completion') as typeof CompletionModule,
  diff: () => require('./commands/diff') as typeof DiffModule,
  explain: () => require('./commands/explain') as typeof ExplainModule,
  fix: () => require('./commands/fix') as typeof FixModule,
  mcp: () => require('./commands/mcp') as typeof McpModule,
  output: () => require('./output/output-file') as typeof OutputModule,
  plan: () => require('./commands/plan') as typeof PlanModule,
  rules: () => require('./commands/rules') as typeof RulesModule,
  snapshot: () => require('./commands/snapshot') as typeof SnapshotModule,
  upgrade: () => require('./commands/upgrade') as typeof UpgradeModule,
  verify: () => require('./commands/verify') as typeof VerifyModule,
  allRules: () => require('../upgrade/all-rules') as typeof AllRulesModule,
};
