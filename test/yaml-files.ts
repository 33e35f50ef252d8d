import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Returns every YAML file below a folder of the repository, sorted by path. */
export function yamlFilesBelow(folder: string): string[] {
  const root = path.resolve(__dirname, '..', folder);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/.test(file))
    .toSorted()
    .map((file) => path.join(root, file));
}
