import type { TypedFile } from './engine';

/** File names of manifests in a dropped folder. A single dropped file may have any name. */
const MANIFEST_NAME = /\.(?:yaml|yml|json)$|(?:^|\/)Kustomization$/;

function isSkippedFolder(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** Reads all entries of a folder. A reader returns them in batches, and an empty batch at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    for (const entry of some) all.push(entry);
  }
}

async function filesOf(entry: FileSystemEntry, prefix: string): Promise<TypedFile[]> {
  const name = `${prefix}${entry.name}`;
  if (entry.isFile) {
    if (prefix !== '' && !MANIFEST_NAME.test(name)) return [];
    return [{ name, text: await (await fileOf(entry as FileSystemFileEntry)).text() }];
  }
  if (isSkippedFolder(entry.name)) return [];
  const files: TypedFile[] = [];
  for (const child of await entriesOf(entry as FileSystemDirectoryEntry)) {
    for (const file of await filesOf(child, `${name}/`)) files.push(file);
  }
  return files;
}

/** Returns the dropped files. A folder contributes its manifests, except those in hidden folders and node_modules. */
export async function filesDropped({ items }: DataTransfer): Promise<readonly TypedFile[]> {
  // The entries must be read before the first await, which clears them.
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const files: TypedFile[] = [];
  for (const entry of entries) for (const file of await filesOf(entry, '')) files.push(file);
  return files;
}
