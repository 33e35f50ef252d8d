/** Text or bytes of a file, or the target of a symbolic link, from the folder. */
export type FolderEntry = string | Uint8Array | { readonly link: string };

/** Returns the files of the hostile folder for a seed, by path. */
export function folderOf(seed: number): Record<string, FolderEntry>;

/** Writes the files of a folder. */
export function writeFolder(folder: string, files: Readonly<Record<string, FolderEntry>>): void;
