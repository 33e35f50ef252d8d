import { symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the files of an example, each after a comment with its path: `# chart/Chart.yaml`. Undefined for an example of one file. */
export function exampleFiles(yaml: string): Readonly<Record<string, string>> | undefined {
  const [, ...parts] = yaml.split(/^# (\S+\.(?:json|yaml))\n/m);
  if (parts.length === 0) return undefined;
  return Object.fromEntries(parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1]!]] : [])));
}

/** Returns the symbolic link of an example and its target: `# secrets.yaml is a symbolic link to /etc/passwd`. */
export function linkOf(yaml: string): readonly string[] | undefined {
  return /^# (\S+\.yaml) is a symbolic link to (\S+)$/m.exec(yaml)?.slice(1);
}

/** Creates the symbolic link of an example. */
export function makeLink(yaml: string, folder: string): void {
  const [link, target] = linkOf(yaml) ?? [];
  if (link !== undefined) symlinkSync(target!, join(folder, link));
}
