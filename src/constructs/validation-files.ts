import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CapacityError, parseCapacity } from '../cluster/room/capacity';
import type { ChangeOptions } from '../change/plan-change';
import type { Configuration } from '../config/configuration';
import type { Fields } from '../core/manifest';
import { Locations } from '../input/locations';
import { readMaps } from '../input/read';
import { reasonOf } from '../input/reason';
import { Inventory } from '../props/inventory';
import { KServePlatformConfig } from './kserve-platform-config';
import { parsed, refused } from './validation-options';
import type { ValidationOptions } from './validation-options';

/** Settings, and how their patterns see a file. */
export interface PlacedSettings {
  readonly settings: Configuration;
  /** Undefined for a file outside of the folder. */
  readonly seen: (file: string) => string | undefined;
}

function* upwards(folder: string): Generator<string> {
  yield folder;
  const above = dirname(folder);
  if (above !== folder) yield* upwards(above);
}

function nearestConfiguration(): string | undefined {
  return [...upwards(process.cwd())].map((folder) => join(folder, 'rolloutkit.yaml')).find((file) => existsSync(file));
}

function mapsOf(file: string, role: string): readonly Fields[] {
  const read = () => {
    try {
      return readFileSync(file);
    } catch (error) {
      throw refused(`cannot read ${file}, ${role}: ${reasonOf(error)}.`);
    }
  };
  const { maps, findings } = readMaps({ file, content: read() }, new Locations());
  const [finding] = findings;
  if (finding) throw refused(`${file}:${finding.source?.line ?? 1}, ${role}: ${finding.message}`);
  return maps;
}

/** How a file that was reached from the working directory is seen from a folder. */
function seenFrom(folder: string): (file: string) => string | undefined {
  return (file) => {
    const path = relative(folder, resolve(file));
    return isAbsolute(path) || path.startsWith('..') ? undefined : path.split(sep).join('/');
  };
}

function fromFolder(settings: Configuration, folder: string): Configuration {
  const { capacity, clusters, kserveConfig } = settings;
  const from = (file: string) => resolve(folder, file);
  return {
    ...settings,
    ...(capacity !== undefined && { capacity: from(capacity) }),
    ...(clusters && { clusters: clusters.map(from) }),
    ...(kserveConfig !== undefined && { kserveConfig: from(kserveConfig) }),
  };
}

/**
 * What the configuration and the properties say, each with its folder; the properties come last, and win.
 *
 * @throws Error for a configuration that can't be read
 */
export function placedSettings({ config, settings }: ValidationOptions): readonly PlacedSettings[] {
  const file = config === false ? undefined : (config ?? nearestConfiguration());
  const own = { settings, seen: seenFrom(process.cwd()) };
  if (file === undefined) return [own];
  const [document = {}, ...others] = mapsOf(file, 'the configuration');
  if (others.length > 0) throw refused(`${file} holds ${others.length + 1} documents; write one.`);
  const folder = dirname(resolve(file));
  return [{ settings: fromFolder(parsed(document, file), folder), seen: seenFrom(folder) }, own];
}

function capacityOf(file: string): Fields {
  const [capacity, ...others] = mapsOf(file, 'given as capacity');
  if (capacity === undefined || others.length > 0)
    throw refused(`${file}, given as capacity, holds ${others.length + (capacity ? 1 : 0)} documents; write one.`);
  try {
    parseCapacity(capacity);
    return capacity;
  } catch (error) {
    if (error instanceof CapacityError) throw refused(`${file}, given as capacity: ${error.message}`);
    throw error;
  }
}

function clustersOf(file: string): readonly Fields[] {
  Inventory.fromFile(file);
  return mapsOf(file, 'given as clusters');
}

/**
 * What a plan is told, with the files that the settings name.
 *
 * @throws Error for a file that can't be read or used, in its words
 */
export function planOptions(options: ValidationOptions, placed: readonly PlacedSettings[]): ChangeOptions {
  const { versions, capacity, clusters, kserveConfig, startupSeconds } = placed.reduce<Configuration>(
    (all, { settings }) => ({ ...all, ...settings, versions: { ...all.versions, ...settings.versions } }),
    {},
  );
  const { neverReady, notReadyNow, apply, prune } = options;
  return {
    versions,
    neverReady,
    notReadyNow,
    prune,
    ...(apply && { apply }),
    ...(startupSeconds !== undefined && { startupSeconds }),
    ...(capacity !== undefined && { capacity: capacityOf(capacity) }),
    ...(clusters && { clusters: clusters.flatMap(clustersOf) }),
    ...(kserveConfig !== undefined && { kserveConfig: KServePlatformConfig.fromFile(kserveConfig).configMap }),
  };
}
