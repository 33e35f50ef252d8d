import { symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The files of an example that shows several, each under a comment that is its path: `# chart/Chart.yaml`; undefined for an example that is one file. */
export function exampleFiles(yaml: string): Readonly<Record<string, string>> | undefined {
  const [, ...parts] = yaml.split(/^# (\S+\.yaml)\n/m);
  if (parts.length === 0) return undefined;
  return Object.fromEntries(parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1]!]] : [])));
}

/** The link that an example is about, and what it leads to: `# secrets.yaml is a symbolic link to /etc/passwd`. */
export function linkOf(yaml: string): readonly string[] | undefined {
  return /^# (\S+\.yaml) is a symbolic link to (\S+)$/m.exec(yaml)?.slice(1);
}

/** Makes the link that an example is about. */
export function makeLink(yaml: string, folder: string): void {
  const [link, target] = linkOf(yaml) ?? [];
  if (link !== undefined) symlinkSync(target!, join(folder, link));
}
