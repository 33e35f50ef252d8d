import { randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Runs what uses a new file in a folder. The file is removed if this fails. */
function withTemporaryFile(folder: string, use: (path: string, file: number) => void): void {
  // The name is unpredictable, and `wx` fails if the file exists, so only a file created here is removed. It is short, since the name of the
  // target may have the maximum length.
  const path = join(folder, `.rolloutkit-${randomBytes(6).toString('hex')}`);
  const file = openSync(path, 'wx');
  try {
    use(path, file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/** Creates a file in a folder and removes it. @throws the error of the file system if the folder takes no new file */
export function tryToCreateFile(folder: string): void {
  withTemporaryFile(folder, (path, file) => {
    closeSync(file);
    rmSync(path);
  });
}

/**
 * Writes a temporary file next to the target and renames it. Readers never see half a file, and a failure leaves the old file. A link in place
 * of the target is replaced.
 *
 * @throws the error of the file system if it cannot be written
 */
export function replaceFile(
  target: string,
  text: string,
  { mode, check }: { readonly mode?: number | undefined; readonly check?: (temporary: string) => void } = {},
): void {
  withTemporaryFile(dirname(target), (temporary, file) => {
    try {
      check?.(temporary);
      if (mode !== undefined) fchmodSync(file, mode);
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
  });
}
