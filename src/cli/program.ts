import { CommanderError } from 'commander';
import type { Command } from 'commander';
import { createUnknownCommandError, formatExamples, RolloutkitCommand } from './commands/command';
import type { CommandContext } from './commands/command';
import { EXIT } from './output/exit-codes';
import type { Io } from './output/io';
import type { McpCommandOptions } from './commands/mcp';
import { addPlan, addCheck, addExplain, addDiff, addFix, addAdvise, addUpgrade } from './planning-commands';
import { addSnapshot, addVerify } from './cluster-commands';
import { printVersion } from './commands/version';
import { assertOutputs } from './options/output-conflicts';

/** Prints the version. @throws CommanderError with exit code 0, as for help, so that no command runs */
function exitWithVersion({ stdout }: Io): never {
  printVersion(stdout);
  throw new CommanderError(EXIT.done, 'commander.version', 'the version');
}

/** Hidden command that completes words for kubectl. */
const COMPLETE = '__complete';

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
    .hook('preAction', (_, command) => {
      assertOutputs(command, io.cwd);
    })
    .action((_, command: Command) => {
      throw createUnknownCommandError(command, command.args[0]);
    })
    .allowExcessArguments();
  for (const add of selectCommands(first)) add(program, running);
  return program;
}
