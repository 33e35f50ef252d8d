import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command, Option } from 'commander';
import { Roots, RootError } from '../../mcp/roots';
import { StandardInputError, connectStdio } from '../../mcp/server';
import type { CommandOutput, ServerOptions } from '../../mcp/server';
import type { Tool, ToolCommand, ToolOption } from '../../mcp/tools';
import { listConfiguredFiles } from '../options/configuration';
import { EXIT } from '../output/exit-codes';
import { UsageError } from '../output/io';
import type { CommandResult, Io } from '../output/io';
import { restrictPath } from '../../input/git/find-program';
import { resolvePath } from '../../input/follow-path';
import { describeOsError } from '../../input/os-error-message';
import { limitReads, resolveInside } from '../../input/read-limited';
import { getPackageVersion } from '../package-version';

export interface McpCommandOptions {
  readonly allowCluster?: boolean;
}

/** Commands that become tools if this version has them. They only read. */
const TOOL_COMMANDS = ['plan', 'check', 'explain', 'advise', 'rules'];

/** Options that write files, run programs, or only shape the text. */
const OMITTED_FLAGS: ReadonlySet<string | undefined> = new Set([
  '--format',
  '--output',
  '--write-baseline',
  '--render',
  '--values',
  '--no-config',
  '--width',
  '--details',
]);

/** An option whose value may be a revision or a cluster. */
const SOURCE_PLACEHOLDER = /<OLD>/;

/** Options whose text value may be a file. */
const PATH_PLACEHOLDER = /<(?:FILE|PATH|OLD)>|--startup-seconds/;

/** Rewrites a text of the help for an agent, which passes lists and has no standard input. */
function toAgentText(help: string): string {
  return help.replace(/; repeatable$|, or - for standard input$/, '').replace(' - (such as kubectl get -o yaml),', '');
}

/** Describes an option with the format of its value, which the help shows in the flag: `PRODUCT=VERSION,...: versions to plan for`. */
function describeOption({ flags, description }: Option): string {
  const begin = flags.indexOf('<');
  return `${begin < 0 ? '' : `${flags.slice(begin + 1, flags.lastIndexOf('>'))}: `}${toAgentText(description)}`;
}

function toToolOption(option: Option): ToolOption {
  const { flags, long, required, parseArg } = option;
  return {
    name: option.attributeName(),
    flag: long!,
    description: describeOption(option),
    type: !required ? 'boolean' : parseArg ? 'list' : 'string',
    isPath: PATH_PLACEHOLDER.test(flags),
    mayBeSource: SOURCE_PLACEHOLDER.test(flags),
  };
}

function toTool(command: Command): Tool {
  const [argument] = command.registeredArguments;
  const isList = argument!.variadic;
  return {
    name: command.name(),
    description: command.description(),
    argument: {
      name: isList ? 'paths' : argument!.name().toLowerCase(),
      description: toAgentText(argument!.description),
      isList,
      isPath: isList,
    },
    options: command.options.filter(({ long }) => !OMITTED_FLAGS.has(long)).map(toToolOption),
    printsJson: command.options.some(({ long }) => long === '--format'),
  };
}

/** Returns the commands of a program that become tools, with their options. */
export function listTools(program: Command): Tool[] {
  return program.commands.filter((command) => TOOL_COMMANDS.includes(command.name())).map(toTool);
}

/** Programs that a tool may run. */
const PROGRAMS = ['git', 'kubectl'];

/** Returns the environment of the server, whose PATH has no program in a repository that the server begins in or reads. */
function restrictEnvironment({ cwd, env }: Io, roots: readonly string[]): Io['env'] {
  return [cwd, ...roots].reduce<Io['env']>((restricted, folder) => restrictPath({ cwd: folder, env: restricted }, PROGRAMS), env);
}

/** @throws UsageError for a configuration that is a link into `.git` */
function assertOutsideOfGit(configuration: string, limits: Roots): void {
  const file = resolve(limits.base, configuration);
  if (!existsSync(file) || resolveInside(limits.check(file), file) !== undefined) return;
  throw new UsageError(`${configuration} is a link into .git; set config to another file`);
}

/** Runs a command line in a folder. */
export type CommandRunner = (argv: readonly string[], io: Io) => Promise<number>;

/** Runs a command and returns what it prints. Standard error of the server has it at once, such as a command of kubectl before it runs. */
async function runInFolder(
  { argv, hasFoundConfiguration }: ToolCommand,
  cwd: string,
  { cwd: kubectlCwd, env, stderr }: Io,
  run: CommandRunner,
): Promise<CommandOutput> {
  const printed = { stdout: '', stderr: '' };
  const exitCode = await run(argv, {
    stdout: { write: (text) => void (printed.stdout += text) },
    stderr: {
      write: (text) => {
        printed.stderr += text;
        stderr.write(text);
      },
    },
    stdin: [],
    cwd,
    kubectlCwd,
    env,
    isLimited: true,
    hasFoundConfiguration,
  });
  return { exitCode, ...printed };
}

/** @throws RootError for a path that leads to another folder for other programs, such as one with `..` after a link */
function assertUnambiguous(root: string, cwd: string): void {
  try {
    resolvePath(root, cwd);
  } catch (error) {
    throw new RootError(`the root ${root} cannot be used: ${describeOsError(error)}; name another path to it`);
  }
}

/**
 * Builds what the server offers.
 *
 * @throws UsageError for a root that does not exist
 */
export function buildServerOptions(
  roots: readonly string[],
  { allowCluster = false }: McpCommandOptions,
  { io, program, run }: { readonly io: Io; readonly program: Command; readonly run: CommandRunner },
): ServerOptions {
  try {
    for (const root of roots) assertUnambiguous(root, io.cwd);
    const limits = new Roots(roots.length > 0 ? roots : ['.'], io.cwd);
    const env = restrictEnvironment(io, limits.folders);
    return {
      version: getPackageVersion(),
      tools: listTools(program),
      roots: limits,
      configuredFiles: (configuration) => {
        assertOutsideOfGit(configuration, limits);
        return listConfiguredFiles(configuration, limits.base);
      },
      allowsCluster: allowCluster,
      run: (command) => runInFolder(command, limits.base, { ...io, env }, run),
    };
  } catch (error) {
    throw error instanceof RootError ? new UsageError(error.message) : error;
  }
}

/** Runs `rolloutkit mcp` until the agent ends it. @throws UsageError if standard input cannot be read */
export async function runMcpCommand(
  roots: readonly string[],
  options: McpCommandOptions,
  program: { readonly io: Io; readonly program: Command; readonly run: CommandRunner },
): Promise<CommandResult> {
  const server = buildServerOptions(roots, options, program);
  limitReads(server.roots.folders);
  try {
    await connectStdio(server);
  } catch (error) {
    throw error instanceof StandardInputError ? new UsageError(`cannot read standard input: ${describeOsError(error.cause)}`) : error;
  }
  return { text: '', exitCode: EXIT.done };
}
