import { PREFERENCES } from '../core/advice';
import { APPLY_MODES } from '../core/change';
import { CommanderError } from 'commander';
import type { Command } from 'commander';
import { FAIL_THRESHOLDS } from '../core/severity';
import { UPGRADABLE_PRODUCTS } from '../core/versions';
import { joinWords } from '../core/text-format';
import type { AdviseCommandOptions } from './advise';
import type { CheckCommandOptions } from './check';
import { createUnknownCommandError, RolloutkitCommand } from './command';
import type * as LazyCommandsModule from './lazy-commands';
import type { DiffCommandOptions } from './diff';
import { EXIT, EXIT_CODES } from './exit-codes';
import type { ExplainCommandOptions } from './explain';
import type { FixCommandOptions } from './fix';
import { listFormats } from './formats';
import type { Io, CommandResult } from './io';
import type { McpCommandOptions } from './mcp';
import type { PlanCommandOptions } from './plan';
import type { SnapshotCommandOptions } from './snapshot';
import type { UpgradeCommandOptions } from './upgrade';
import type { VerifyCommandOptions } from './verify';
import {
  BUDGET_TEXT,
  MIN_SEVERITY_TEXT,
  addChangeOptions,
  addDisplayOptions,
  addFormatOptions,
  addFromOption,
  addInputOptions,
  addPaths,
  addPolicyOption,
  addViewOptions,
  appendValue,
  splitAtCommas,
} from './option-groups';
import { printVersion } from './version';

/** Prints the version. @throws CommanderError with exit code 0, as for help, so that no command runs */
function exitWithVersion({ stdout }: Io): never {
  printVersion(stdout);
  throw new CommanderError(EXIT.done, 'commander.version', 'the version');
}

function formatExamples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n`;
}

/** Hidden command that completes words for kubectl. */
const COMPLETE = '__complete';

/** Loads the modules of the commands. It is called once the command is known. */
export type CommandLoader = () => typeof LazyCommandsModule.COMMAND_MODULES;

/** The environment of a command. */
export interface CommandContext {
  readonly io: Io;
  readonly load: CommandLoader;
  /** Runs another command line, for a server of commands. */
  readonly run: (argv: readonly string[], io: Io) => Promise<number>;
  /** Receives the output of a command and the file to write it to. */
  readonly setResult: (outcome: CommandResult, output?: string) => void;
}

function addPlan(program: Command, { io, load, setResult }: CommandContext): void {
  const command = program.command('plan').description('Show how the rollouts of manifests will proceed, before they are applied.');
  addFormatOptions(addPolicyOption(addDisplayOptions(addChangeOptions(addInputOptions(addPaths(command))))), 'plan')
    .addHelpText(
      'after',
      formatExamples(
        'rolloutkit plan dist/',
        'kubectl kustomize overlays/prod | rolloutkit plan -',
        'rolloutkit plan --from git:origin/main dist/',
        'rolloutkit plan --from cluster:staging dist/',
        'rolloutkit plan --format json --output plan.json manifests/',
      ) + `\n${EXIT_CODES.plan}`,
    )
    .action(async (paths: string[], options: PlanCommandOptions) => {
      const { runPlanCommand } = load().plan();
      setResult(await runPlanCommand(paths, options, io), options.output);
    });
}

function addCheck(program: Command, { io, load, setResult }: CommandContext): void {
  const command = program.command('check').description('List the findings, and fail if one is at or above a threshold.');
  addPolicyOption(addChangeOptions(addInputOptions(addPaths(command))))
    .option('--format <FORMAT[=FILE]>', `${listFormats('check')}, printed or written to the file; repeatable`, appendValue)
    .option('--output <FILE>', 'write the printed output to this file, completely or not at all')
    .option('--baseline <FILE>', 'ignore the findings that this file lists')
    .option('--write-baseline <FILE>', 'write the current findings to this file, and ignore them')
    .option('--plan <FILE>', 'also fail if the objects are not those of this output of plan --format json')
    .option('--min-severity <SEVERITY>', MIN_SEVERITY_TEXT)
    .option('--show-suppressed', 'also list suppressed findings, each with its reason')
    .option('--fail-on <SEVERITY>', `the threshold: ${joinWords(FAIL_THRESHOLDS, 'or')}`, FAIL_THRESHOLDS[0])
    .option(
      '--require-planned',
      'also fail if the input contains workload kinds that rolloutkit does not support, and plan every file, whatever its name or folder',
    )
    .addHelpText(
      'after',
      formatExamples(
        'rolloutkit check dist/',
        'rolloutkit check --from git:origin/main --fail-on warning dist/',
        'rolloutkit check --fail-on warning --versions kubernetes=1.35 manifests/',
        'rolloutkit check --format text --format sarif=rolloutkit.sarif --baseline baseline.json manifests/',
      ) + `\n${EXIT_CODES.check}`,
    )
    .action(async (paths: string[], options: CheckCommandOptions) => {
      const { runCheckCommand } = load().check();
      setResult(await runCheckCommand(paths, options, io), options.output);
    });
}

function addExplain(program: Command, { io, load, setResult }: CommandContext): void {
  const command = program
    .command('explain')
    .description('Show which level of configuration decides each field of a rollout, and which levels are overridden.');
  addFormatOptions(addInputOptions(addPaths(command)), 'explain')
    .option('--resource <KIND/[NAMESPACE/]NAME>', 'the resource to explain (default: every planned resource)')
    .option('--component <NAME>', 'one component: predictor, worker, transformer, …')
    .option('--field <NAME>', 'one field: maxSurge')
    .addHelpText(
      'after',
      formatExamples(
        'rolloutkit explain dist/',
        'rolloutkit explain dist/ --resource InferenceService/models/iris --component predictor --field maxSurge',
        'rolloutkit explain --format json dist/',
      ) + `\n${EXIT_CODES.explain}`,
    )
    .action(async (paths: string[], options: ExplainCommandOptions) => {
      const { runExplainCommand } = load().explain();
      setResult(await runExplainCommand(paths, options, io), options.output);
    });
}

function addDiff(program: Command, { io, load, setResult }: CommandContext): void {
  const command = program
    .command('diff')
    .description('Show what applying NEW over OLD does, and which rollouts become riskier or safer.')
    .argument(
      '<OLD>',
      'a file, a folder, git:REVISION[:PATH], cluster[:CONTEXT], the output of plan --format json, or - for standard input',
    )
    .argument('<NEW>', 'the same as OLD; only one of the two can be -')
    .allowExcessArguments(false);
  addFormatOptions(addInputOptions(command), 'diff')
    .option('--apply <MODE>', `how the change reaches the cluster: ${APPLY_MODES.join(', ')} (default: as OLD and the repository show)`)
    .option('--prune', 'delete objects that are in OLD but not in NEW')
    .option('--fail-on-riskier', `exit with ${EXIT.failed} if a rollout becomes riskier, or if a side cannot be read completely`)
    .addHelpText(
      'after',
      formatExamples(
        'rolloutkit diff main/dist/ dist/',
        'kubectl get deployments -A -o yaml | rolloutkit diff - dist/',
        'rolloutkit diff --format markdown --fail-on-riskier old.yaml new.yaml',
      ) + `\n${EXIT_CODES.diff}`,
    )
    .action(async (oldPath: string, newPath: string, options: DiffCommandOptions) => {
      const { runDiffCommand } = load().diff();
      setResult(await runDiffCommand(oldPath, newPath, options, io), options.output);
    });
}

function addFix(program: Command, { io, load, setResult }: CommandContext): void {
  const command = program
    .command('fix')
    .description('Apply suggested fixes to the files: only those that need no decision and that a new plan shows to be harmless.')
    .argument('<PATH...>', 'files and folders');
  addFormatOptions(addPolicyOption(addChangeOptions(addInputOptions(command))), 'fix')
    .option('--rule <CODE>', 'fix only the findings of this rule; repeatable', appendValue)
    .option('--dry-run', 'show the differences without writing them')
    .addHelpText(
      'after',
      formatExamples(
        'rolloutkit fix dist/',
        'rolloutkit fix --dry-run manifests/',
        'rolloutkit fix --rule kubernetes/quoted-integer apps/',
      ) + `\n${EXIT_CODES.fix}`,
    )
    .action(async (paths: string[], options: FixCommandOptions) => {
      const { runFixCommand } = load().fix();
      setResult(await runFixCommand(paths, options, io), options.output);
    });
}

function addSnapshot(program: Command, { io, load, setResult }: CommandContext): void {
  program
    .command('snapshot')
    .description('Save what a cluster runs, as kubectl reads it, for plans that need no cluster. Changes nothing.')
    .argument('[PATH...]', 'manifests to apply: their objects are read, and what surrounds them (default: everything in the namespaces)')
    .option('--context <CONTEXT>', 'context of kubectl (default: the current one)')
    .option(
      '--namespace <NAMESPACE>',
      'read this namespace too; repeatable (default: those of the manifests, else that of the context)',
      appendValue,
    )
    .option('--output <FILE>', 'write the snapshot to this file, completely or not at all')
    .option('--exclude <GLOB>', 'exclude files and folders below a PATH; repeatable', appendValue)
    .option('--render', 'run kustomize build (or kubectl kustomize) and helm template on their folders, and read the output')
    .option('--values <FILE>', 'values file for the charts that --render renders; repeatable', appendValue)
    .option('--budget <NAME=N,...>', `limits of a run: ${BUDGET_TEXT}`, splitAtCommas)
    .addHelpText(
      'after',
      formatExamples(
        'rolloutkit snapshot dist/ --output snapshot.json',
        'rolloutkit snapshot --context prod --namespace shop --namespace models --output snapshot.json',
        'rolloutkit plan --from snapshot.json dist/',
      ) +
        `
${EXIT_CODES.snapshot}`,
    )
    .action(async (paths: string[], options: SnapshotCommandOptions) => {
      const { runSnapshotCommand } = load().snapshot();
      setResult(await runSnapshotCommand(paths, options, io), options.output);
    });
}

function addVerify(program: Command, { io, load, setResult }: CommandContext): void {
  const command = program
    .command('verify')
    .description('Follow the rollouts of a plan in the cluster, and compare them with it wave by wave. Changes nothing.')
    .argument('<PLAN>', 'the output of plan --format json, or - for standard input')
    .allowExcessArguments(false)
    .option('--context <CONTEXT>', 'context of kubectl (default: that of the plan, else the current one)')
    .option('--events <FILE>', 'compare with recorded events: the output of kubectl get --watch --output-watch-events --output=json, or -')
    .option('--timeout <DURATION>', 'stop following after this time', '30m')
    .option('--write-startup <FILE>', 'write how long new pods took to become ready to this file, for --startup-seconds of later plans');
  addFormatOptions(command, 'verify')
    .addHelpText(
      'after',
      formatExamples(
        'rolloutkit plan --from cluster --format json --output plan.json dist/',
        'kubectl apply -f dist/ && rolloutkit verify plan.json',
        'rolloutkit verify plan.json --events events.json --format json',
      ) + `\n${EXIT_CODES.verify}`,
    )
    .action(async (plan: string, options: VerifyCommandOptions) => {
      const { runVerifyCommand } = load().verify();
      setResult(await runVerifyCommand(plan, options, io), options.output);
    });
}

function addAdvise(program: Command, { io, load, setResult }: CommandContext): void {
  const command = program
    .command('advise')
    .description('Show which rollout strategy meets a goal, under the quotas, nodes, budgets and autoscalers in view.');
  addFormatOptions(addFromOption(addInputOptions(addPaths(command))), 'advise')
    .option('--available <N|P%>', 'fewest pods available at any time: 6, or 75% of the replicas')
    .option('--extra-pods <N|P%>', 'most pods in addition to the replicas: 2, or 25% of the replicas')
    .option('--extra-gpus <N>', 'most GPUs that extra pods request')
    .option('--within <DURATION>', 'longest time: 15m, 1h30m, 90s')
    .option('--prefer <WHAT>', `what decides among strategies that meet the goal: ${joinWords(PREFERENCES, 'or')}`, PREFERENCES[0])
    .option('--resource <KIND/[NAMESPACE/]NAME>', 'advise only on this resource; repeatable', appendValue)
    .addHelpText(
      'after',
      formatExamples(
        'rolloutkit advise dist/',
        'rolloutkit advise --from cluster dist/',
        'rolloutkit advise dist/ --resource Deployment/models/llm --available 6 --extra-gpus 2 --within 15m --startup-seconds 90',
        'rolloutkit advise --available 75% --extra-pods 25% --prefer cheap --format markdown manifests/',
      ) + `\n${EXIT_CODES.advise}`,
    )
    .action(async (paths: string[], options: AdviseCommandOptions) => {
      const { runAdviseCommand } = load().advise();
      setResult(await runAdviseCommand(paths, options, io), options.output);
    });
}

function addUpgrade(program: Command, { io, load, setResult }: CommandContext): void {
  const command = program
    .command('upgrade')
    .description('Show which pods roll when an operator or Kubernetes itself is upgraded, although no manifest changes.')
    .argument('<OPERATOR=FROM..TO>', `kserve=0.17..0.20; the operators are ${joinWords(UPGRADABLE_PRODUCTS)}`)
    .argument('[PATH...]', 'files, folders (every .yaml, .yml and .json below), or - for standard input')
    .option('--from <CLUSTER>', 'plan what runs in all namespaces of cluster[:CONTEXT], or what a snapshot contains', appendValue)
    .option('--old-config <PATH>', "the operator's own ConfigMaps, presets and runtimes before the upgrade; repeatable", appendValue)
    .option(
      '--new-config <PATH>',
      'the same after the upgrade; repeatable (default: those that the versions ship, where known)',
      appendValue,
    )
    .option('--fail-on <SEVERITY>', `exit with ${EXIT.failed} at this severity: ${joinWords(FAIL_THRESHOLDS, 'or')}`, 'never');
  addFormatOptions(addPolicyOption(addViewOptions(addInputOptions(command))), 'upgrade')
    .addHelpText(
      'after',
      formatExamples(
        'rolloutkit upgrade kserve=0.17..0.20 models/',
        'rolloutkit upgrade kserve=0.17..0.20 --from cluster:prod --namespace models',
        'rolloutkit upgrade kserve=0.17..0.20 models/ --old-config kserve-0.17.yaml --new-config kserve-0.20.yaml',
        'rolloutkit upgrade lws=0.7..0.9 --capacity nodes.json --fail-on warning sets/',
      ) + `\n${EXIT_CODES.upgrade}`,
    )
    .action(async (upgrade: string, paths: string[], options: UpgradeCommandOptions) => {
      const { runUpgradeCommand } = load().upgrade();
      setResult(await runUpgradeCommand(upgrade, paths, options, io), options.output);
    });
}

function addMcp(program: Command, { io, load, run, setResult }: CommandContext): void {
  program
    .command('mcp')
    .description(
      'Serve plan, check, explain, advise and rules to agents over the Model Context Protocol, on standard input and output. Changes nothing.',
    )
    .argument('[ROOT...]', 'folders below which agents may read files (default: the working directory)')
    .option('--allow-cluster', 'let agents plan from a cluster that kubectl can read')
    .addHelpText(
      'after',
      formatExamples('rolloutkit mcp', 'rolloutkit mcp clusters/ charts/', 'claude mcp add rolloutkit -- rolloutkit mcp .'),
    )
    .action(async (roots: string[], options: McpCommandOptions) => {
      const { runMcpCommand } = load().mcp();
      setResult(await runMcpCommand(roots, options, { io, program, run }));
    });
}

function addRules(program: Command, { io, load, setResult }: CommandContext): void {
  program
    .command('rules')
    .description('List all rules and when each one fires, or show the page of one.')
    .argument('[CODE]', 'kubernetes/outage')
    .allowExcessArguments(false)
    .addHelpText('after', formatExamples('rolloutkit rules', 'rolloutkit rules kubernetes/outage'))
    .action((code: string | undefined) => {
      const { runRulesCommand } = load().rules();
      setResult(runRulesCommand(code, io));
    });
}

function addCompletion(program: Command, { load, setResult }: CommandContext): void {
  program
    .command('completion')
    .description('Print a script for command completion in a shell.')
    .argument('<SHELL>', 'bash, zsh or fish')
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      formatExamples(
        'source <(rolloutkit completion bash)',
        'rolloutkit completion zsh > "${fpath[1]}/_rolloutkit"',
        'rolloutkit completion fish > ~/.config/fish/completions/rolloutkit.fish',
      ),
    )
    .action((shell: string) => {
      const { runCompletionCommand } = load().completion();
      const { ALL_RULES } = load().allRules();
      setResult(
        runCompletionCommand(
          shell,
          program,
          ALL_RULES.map(({ code }) => code),
        ),
      );
    });
}

/** Adds the command that `kubectl_complete-rollout_plan` runs. Its words may be options of other commands. */
function addComplete(program: Command, { load, setResult }: CommandContext): void {
  program
    .command(COMPLETE, { hidden: true })
    .argument('[WORD...]')
    .allowUnknownOption()
    .passThroughOptions()
    .helpOption(false)
    .action((words: string[]) => {
      const { runCompleteCommand } = load().completion();
      const { ALL_RULES } = load().allRules();
      setResult(
        runCompleteCommand(
          words,
          program,
          ALL_RULES.map(({ code }) => code),
        ),
      );
    });
}

const COMMANDS: Readonly<Record<string, (program: Command, running: CommandContext) => void>> = {
  plan: addPlan,
  check: addCheck,
  explain: addExplain,
  diff: addDiff,
  fix: addFix,
  advise: addAdvise,
  snapshot: addSnapshot,
  verify: addVerify,
  upgrade: addUpgrade,
  mcp: addMcp,
  rules: addRules,
  completion: addCompletion,
  [COMPLETE]: addComplete,
};

/** Commands that describe all others. */
const DESCRIBING_COMMANDS: ReadonlySet<string> = new Set(['completion', 'mcp', COMPLETE]);

/** Selects the commands to define: only the one that is named first, or all. */
function selectCommands(first: string | undefined) {
  const named = first === undefined || DESCRIBING_COMMANDS.has(first) || !Object.hasOwn(COMMANDS, first) ? undefined : COMMANDS[first];
  return named === undefined ? Object.values(COMMANDS) : [named];
}

export function buildProgram(running: CommandContext, first: string | undefined): Command {
  const { io } = running;
  const program = new RolloutkitCommand('rolloutkit')
    .description('Shows what the real controllers will do with Kubernetes rollouts, before anything is applied.')
    .option('-V, --version', 'print the version')
    .helpCommand('help [COMMAND]', 'display help for a command')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: () => undefined })
    .on('option:version', () => exitWithVersion(io))
    .action((_, command: Command) => {
      throw createUnknownCommandError(command, command.args[0]);
    })
    .allowExcessArguments();
  for (const add of selectCommands(first)) add(program, running);
  return program;
}
