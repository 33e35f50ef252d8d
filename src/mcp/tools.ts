import type { Roots } from './roots';
import { RootError } from './roots';

/** An option of a command, which a tool takes as a property. */
export interface ToolOption {
  /** Name of the property: `startupSeconds`. */
  readonly name: string;
  /** Flag of the command: `--startup-seconds`. */
  readonly flag: string;
  readonly description: string;
  readonly type: 'boolean' | 'string' | 'list';
  /** Whether its values name files. @default false */
  readonly isPath?: boolean;
  /** Whether its values may name a revision or a cluster instead of a file. For any other option, `git:x` is a file. @default false */
  readonly mayBeSource?: boolean;
}

/** A command that only reads, as a tool. */
export interface Tool {
  /** Name of the command: `plan`. */
  readonly name: string;
  readonly description: string;
  /** Arguments of the command: paths, or the code of a rule. */
  readonly argument: { readonly name: string; readonly description: string; readonly isList: boolean; readonly isPath: boolean };
  readonly options: readonly ToolOption[];
  /** Whether the command prints JSON. */
  readonly printsJson: boolean;
}

/** What a server lets its tools read. */
export interface ToolLimits {
  readonly roots: Roots;
  /** Returns the files that a configuration names. Their paths begin where those of the agent do. */
  readonly configuredFiles: (configuration: string) => readonly string[];
  /** Whether `from` may name a cluster. */
  readonly allowsCluster: boolean;
}

/** The command line of a tool. */
export interface ToolCommand {
  readonly argv: readonly string[];
  /** Whether the configuration in it was found next to the paths, and not named by the agent. */
  readonly hasFoundConfiguration: boolean;
}

/** Name of the configuration file of a repository. */
const CONFIG_FILE_NAME = 'rolloutkit.yaml';

const STRING = { type: 'string' } as const;

/** Returns the JSON Schema of what a tool takes. */
export function buildInputSchema({ argument, options }: Tool): { readonly type: 'object'; readonly [key: string]: unknown } {
  const value = argument.isList ? { type: 'array', items: STRING, minItems: 1 } : STRING;
  const properties = options.map(({ name, type, description }) => {
    const schema = type === 'boolean' ? { type: 'boolean' } : type === 'list' ? { type: 'array', items: STRING } : STRING;
    return [name, { ...schema, description }];
  });
  return {
    type: 'object',
    properties: { [argument.name]: { ...value, description: argument.description }, ...Object.fromEntries(properties) },
    ...(argument.isList && { required: [argument.name] }),
    additionalProperties: false,
  };
}

/** Error of the arguments of a tool. */
export class ToolInputError extends Error {
  override readonly name = 'ToolInputError';
}

/** Largest number of characters of a name that an error quotes. */
const MAX_NAME = 100;

/** Largest number of values of an argument, and of characters of one. */
const MAX_VALUES = 1_000;
const MAX_CHARACTERS = 10_000;

function toStrings(name: string, value: unknown, isList: boolean): readonly string[] {
  const values: readonly unknown[] = isList && Array.isArray(value) ? value : [value];
  if (values.length > MAX_VALUES) throw new ToolInputError(`${name} has more than ${MAX_VALUES} values; name a folder`);
  if (values.some((each) => typeof each === 'string' && each.length > MAX_CHARACTERS))
    throw new ToolInputError(`${name} has a value of more than ${MAX_CHARACTERS} characters; name a file`);
  if (values.every((each) => typeof each === 'string')) return values;
  throw new ToolInputError(`${name} takes ${isList ? 'a list of strings' : 'a string'}`);
}

/** Returns the path in `git:REVISION:PATH`; undefined for a revision without one. */
function gitPathOf(value: string): string | undefined {
  const [, , ...path] = value.split(':');
  return path.length === 0 ? undefined : path.join(':');
}

/** @throws RootError for a path outside the roots */
function checkPath(value: string, { roots }: ToolLimits): void {
  if (value === '-') throw new RootError('- is not available: standard input carries the messages of the agent; name a file');
  roots.check(value);
}

/** @throws RootError for a path, a revision or a cluster that is not below the roots */
function checkSource(value: string, limits: ToolLimits): void {
  if (value === 'cluster' || value.startsWith('cluster:')) {
    if (!limits.allowsCluster)
      throw new RootError(`${value} is not available: start the server with --allow-cluster to let agents read a cluster`);
    return;
  }
  const path = value.startsWith('git:') ? gitPathOf(value) : value;
  if (path !== undefined) checkPath(path, limits);
}

/** Returns the options for the configuration: the nearest one below the roots, which a command would also look for above them. */
function selectConfiguration(paths: readonly string[], { roots, configuredFiles }: ToolLimits): string[] {
  const found = new Set(paths.flatMap((path) => roots.findNearest(path, CONFIG_FILE_NAME) ?? []));
  const [file, ...others] = found;
  if (others.length > 0)
    throw new ToolInputError(`the paths have different configurations: ${[...found].join(', ')}; set config to one of them`);
  if (file === undefined) return ['--no-config'];
  // The file may be a link, so it is checked before it is read.
  roots.check(file);
  for (const named of configuredFiles(file)) roots.check(named);
  return ['--config', file];
}

/**
 * Converts the arguments of a tool to its command line.
 *
 * @throws ToolInputError for an argument that the tool does not take
 * @throws RootError for a path outside the roots
 */
export function toCommandLine(tool: Tool, input: Readonly<Record<string, unknown>>, limits: ToolLimits): ToolCommand {
  const { argument, options, name: command } = tool;
  const known = new Map(options.map((option) => [option.name, option]));
  const flags = Object.entries(input).flatMap(([name, value]): string[] => {
    if (name === argument.name || value === undefined) return [];
    const option = known.get(name);
    if (!option)
      throw new ToolInputError(
        `${command} has no argument ${name.slice(0, MAX_NAME)}; it takes ${[argument.name, ...known.keys()].join(', ')}`,
      );
    if (option.type === 'boolean') {
      if (typeof value !== 'boolean') throw new ToolInputError(`${name} takes true or false`);
      return value ? [option.flag] : [];
    }
    const values = toStrings(name, value, option.type === 'list');
    if (option.isPath) for (const path of values) (option.mayBeSource ? checkSource : checkPath)(path, limits);
    if (name === 'config') for (const path of values.flatMap(limits.configuredFiles)) limits.roots.check(path);
    // One argument per option, so that no value is read as an option.
    return values.map((each) => `${option.flag}=${each}`);
  });
  const given = input[argument.name];
  if (given === undefined && argument.isList) throw new ToolInputError(`${command} needs ${argument.name}`);
  const values = given === undefined ? [] : toStrings(argument.name, given, argument.isList);
  if (argument.isPath) for (const path of values) checkPath(path, limits);
  const hasFoundConfiguration = argument.isPath && input.config === undefined;
  const configuration = hasFoundConfiguration ? selectConfiguration(values, limits) : [];
  return {
    argv: [command, ...flags, ...configuration, ...(tool.printsJson ? ['--format', 'json'] : []), '--', ...values],
    hasFoundConfiguration,
  };
}
