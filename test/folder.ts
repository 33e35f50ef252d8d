import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A temporary folder of files. */
export interface TestFolder {
  readonly path: string;
  remove(): void;
}

/** Creates a temporary folder with these files, given by relative path. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): TestFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
