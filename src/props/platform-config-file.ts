import { readFileSync } from 'node:fs';
import { formatFindingLine } from '../core/findings/finding';
import type { Finding } from '../core/findings/finding';
import { nameOf } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import { SourceMap } from '../input/source-map';
import { readMaps } from '../input/read';
import { describeOsError } from '../input/os-error-message';
import { CONFIG_MAP_NAME } from '../systems/kserve/platform-config';

/** Thrown for a platform level that can't be read or that KServe would refuse. The message has every reason, one per line. */
export class PlatformConfigError extends Error {
  public override readonly name = 'PlatformConfigError';
}

/** The ConfigMap of a file, or the JSON of its `deploy` key. */
export interface PlatformConfigFile {
  readonly configMap: Fields;
  /** Formats a finding about it, with file and line. */
  readonly describe: (finding: Finding) => string;
}

/**
 * Reads the ConfigMap `inferenceservice-config` of a YAML or JSON file. It is found by name, or because it is the only document.
 *
 * @throws PlatformConfigError if the file can't be read or has no such ConfigMap
 */
export function readPlatformConfigFile(path: string): PlatformConfigFile {
  const locations = new SourceMap();
  const { maps, findings } = readMaps({ file: path, content: readContent(path) }, locations);
  if (findings.length > 0)
    throw new PlatformConfigError(findings.map(({ message, source }) => `${path}:${source?.line ?? 1}: ${message}`).join('\n'));
  const configMap = findConfigMap(maps);
  if (configMap === undefined) {
    throw new PlatformConfigError(
      `${path}: has no ConfigMap ${CONFIG_MAP_NAME}; use the output of kubectl get configmap ${CONFIG_MAP_NAME} -n kserve -o yaml`,
    );
  }
  const lineOf = (finding: Finding) => locations.locate(configMap, finding.path)?.line ?? 1;
  return { configMap, describe: (finding) => `${path}:${lineOf(finding)}: ${formatFindingLine(finding)}` };
}

function readContent(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new PlatformConfigError(`${path}: ${describeOsError(error)}; name a file with the ConfigMap ${CONFIG_MAP_NAME}`);
  }
}

function findConfigMap(maps: readonly Fields[]): Fields | undefined {
  const byName = maps.find((map) => map.kind === 'ConfigMap' && nameOf(map as Manifest) === CONFIG_MAP_NAME);
  if (byName) return byName;
  const [only] = maps;
  return maps.length === 1 && (only!.kind === undefined || only!.kind === 'ConfigMap') ? only : undefined;
}
