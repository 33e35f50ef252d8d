/** The files of an example that shows several, each under a comment that is its path: `# chart/Chart.yaml`; undefined for an example that is one file. */
export function exampleFiles(yaml: string): Readonly<Record<string, string>> | undefined {
  const [, ...parts] = yaml.split(/^# (\S+\.yaml)\n/m);
  if (parts.length === 0) return undefined;
  return Object.fromEntries(parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1]!]] : [])));
}
