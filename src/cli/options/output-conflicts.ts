import { existsSync, fstatSync, realpathSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../output/io';
import type * as OutputModule from '../output/output-file';

/** A file that a command is to write, and the option that names it. */
interface Output {
  readonly option: string;
  readonly path: string;
}

function listOutputs(options: Readonly<Record<string, unknown>>): Output[] {
  const named = (['output', 'writeBaseline', 'writeStartup'] as const).flatMap((name): Output[] => {
    const path = options[name];
    return typeof path === 'string'
      ? [{ option: `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${path}`, path }]
      : [];
  });
  const formats = Array.isArray(options.format) ? (options.format as readonly string[]) : [];
  const reports = formats.flatMap((format): Output[] => {
    const equals = format.indexOf('=');
    return equals < 0 ? [] : [{ option: `--format ${format}`, path: format.slice(equals + 1) }];
  });
  return [...named, ...reports];
}

/**
 * Returns the path without links. Undefined for a pipe or device, which any number of outputs may go to.
 *
 * @param resolveMissing - returns what the path of a missing file leads to
 */
function identifyFile(path: string, cwd: string, resolveMissing: (path: string) => string): string | undefined {
  const absolute = resolve(cwd, path);
  try {
    return statSync(absolute).isFile() ? realpathSync.native(absolute) : undefined;
  } catch {
    return resolveMissing(absolute);
  }
}

/** Names of the streams that a command prints to, by number. */
const STREAMS = { 1: 'standard output', 2: 'standard error' } as const;

/** Returns the name of the stream that goes to a file, since a shell redirects it there. Undefined if none does. */
function findStreamOf(file: string): string | undefined {
  const found = ([1, 2] as const).find((number) => {
    try {
      const target = statSync(file, { bigint: true });
      const { dev, ino } = fstatSync(number, { bigint: true });
      return target.dev === dev && target.ino === ino;
    } catch {
      return false; // The file does not exist yet, or the stream is closed.
    }
  });
  return found && STREAMS[found];
}

/** Reports whether a file is a manifest below a folder that is read. No report is YAML, but a report in JSON may be there from the last run. */
function isManifestBelow(file: string, folders: readonly string[]): boolean {
  return /\.ya?ml$/.test(file) && existsSync(file) && folders.some((folder) => file.startsWith(`${folder}${sep}`));
}

/** Returns the folders among paths, without links. */
function listFolders(paths: readonly string[], cwd: string): string[] {
  return paths.flatMap((path) => {
    const absolute = resolve(cwd, path);
    const isFolder = path !== '' && existsSync(absolute) && statSync(absolute).isDirectory();
    return isFolder ? [realpathSync.native(absolute)] : [];
  });
}

/**
 * Checks where a command writes, before it runs: not over a file that it reads or prints to, and not two outputs to one file, because the last one
 * would replace the others, and only where it can write.
 *
 * @throws UsageError with the option
 */
export function assertOutputs(command: Command, cwd: string, loadOutput: () => typeof OutputModule): void {
  const options: Readonly<Record<string, unknown>> = command.opts();
  const outputs = listOutputs(options);
  if (outputs.length === 0) return;
  const from = Array.isArray(options.from) ? (options.from as readonly string[]) : [];
  const paths = [...command.args, ...from];
  const { assertWritable, isOpenFile, resolveTarget } = loadOutput();
  const read = new Set(paths.map((path) => (path === '' ? undefined : identifyFile(path, cwd, resolveTarget))));
  // A snapshot is YAML.
  const folders = command.name() === 'snapshot' ? [] : listFolders(paths, cwd);
  const written = new Map<string, Output>();
  for (const output of outputs) {
    if (output.path === '-')
      throw new UsageError(`${output.option} would write a file named "-"; leave the file out to print, or write ./-`);
    const file = output.path === '' ? undefined : identifyFile(output.path, cwd, resolveTarget);
    if (file === undefined) continue;
    if (read.has(file) || isManifestBelow(file, folders))
      throw new UsageError(`${output.option} would replace a file that is read; name another file`);
    const stream = isOpenFile(output.path, cwd) ? undefined : findStreamOf(file);
    if (stream !== undefined) throw new UsageError(`${output.option} would replace the file that ${stream} goes to; name another file`);
    const other = written.get(file);
    if (other && other.option !== output.option) {
      throw new UsageError(`${other.option} and ${output.option} write to the same file; name another file for one of them`);
    }
    written.set(file, output);
  }
  for (const { path } of outputs) if (path !== '') assertWritable(path, cwd);
}
