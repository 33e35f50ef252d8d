import path from 'node:path';
import { COMMAND_MODULES } from '../../src/cli/lazy-commands';
import { run } from '../../src/cli/run';
import { folderWith } from '../folder';

export interface Result {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Setting {
  /** The files of the working folder, by relative path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly stdin?: string;
  readonly isTTY?: boolean;
  /** The width of the terminal in characters. */
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The working folder, below the folder of the files. @default - that folder */
  readonly cwd?: string;
  /** Called in the working folder before the command. */
  readonly prepare?: (folder: string) => void;
  /** Called in the working folder after the command, before the folder is removed. */
  readonly inspect?: (folder: string) => void;
}

/** Runs a command line in this process, in a folder of its own. Arguments are separated by spaces. */
export async function rolloutkit(args: string | readonly string[], setting: Setting = {}): Promise<Result> {
  const { files = {}, stdin = '', isTTY = false, columns, env = {}, cwd = '', prepare, inspect } = setting;
  const folder = folderWith(files);
  const printed = { stdout: '', stderr: '' };
  try {
    prepare?.(folder.path);
    const io = {
      stdout: { write: (text: string) => void (printed.stdout += text), isTTY, ...(columns !== undefined && { columns }) },
      stderr: { write: (text: string) => void (printed.stderr += text), isTTY },
      stdin: [Buffer.from(stdin)],
      cwd: path.join(folder.path, cwd),
      env,
    };
    const exitCode = await run(typeof args === 'string' ? args.split(' ').filter((arg) => arg !== '') : args, io, () => COMMAND_MODULES);
    // Any error must be one that the user can fix, whatever the input is.
    if (printed.stderr.includes('internal error')) throw new Error(printed.stderr);
    inspect?.(folder.path);
    return { exitCode, ...printed };
  } finally {
    folder.remove();
  }
}
