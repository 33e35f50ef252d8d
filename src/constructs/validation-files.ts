import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CapacityError, parseCapacity } from '../cluster/room/capacity';
import type { ChangeOptions } from '../change/change-options';
import { BaselineError, parseBaseline, withBaseline } from '../config/baseline';
import type { Configuration } from '../config/configuration';
import type { Finding } from '../core/finding';
import type { Fields } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import { resolveVersions, VersionError } from '../core/versions';
import type { Versions } from '../core/versions';
import { counted } from '../core/words';
import type { Definitions } from '../crds/definition';
import { GuardrailPolicyError, parseGuardrails } from '../guardrails/policy';
import type { GuardrailPolicy } from '../guardrails/policy';
import { refusedByGuardrails } from '../guardrails/rules/refused';
import { Locations } from '../input/locations';
import { readMaps } from '../input/read';
import { PathError } from '../input/read-paths';
import { reasonOf } from '../input/reason';
import { CrdFilesError, readDefinitions } from '../plan/crd-files';
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

function contentOf(file: string, role: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw refused(`cannot read ${file}, ${role}: ${reasonOf(error)}.`);
  }
}

function mapsOf(file: string, role: string): readonly Fields[] {
  const { maps, findings } = readMaps({ file, content: contentOf(file, role) }, new Locations());
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

function onlyMapOf(file: string, role: string): Fields {
  const maps = mapsOf(file, role);
  if (maps.length !== 1) throw refused(`${file}, ${role}, holds ${counted(maps.length, 'document')}; write one.`);
  return maps[0]!;
}

function capacityOf(file: string): Fields {
  const capacity = onlyMapOf(file, 'given as capacity');
  try {
    parseCapacity(capacity);
    return capacity;
  } catch (error) {
    if (error instanceof CapacityError) throw refused(`${file}, given as capacity: ${error.message}`);
    throw error;
  }
}

/**
 * The guardrails of a file.
 *
 * @throws Error for a file that can't be read or used
 */
export function guardrailsOf(file: string): GuardrailPolicy {
  try {
    return parseGuardrails(onlyMapOf(file, 'given as policy'));
  } catch (error) {
    if (error instanceof GuardrailPolicyError) throw refused(`${file}, given as policy: ${error.message}.`);
    throw error;
  }
}

/**
 * The versions that are planned for.
 *
 * @throws Error for a product that there is not, and for what is no version
 */
export function versionsOf({ versions }: ChangeOptions): Versions {
  try {
    return resolveVersions(versions);
  } catch (error) {
    if (error instanceof VersionError) throw refused(`versions: ${error.message}.`);
    throw error;
  }
}

/**
 * The CRDs of files and folders; undefined where none are named.
 *
 * @throws Error for a file that can't be read, and where none of them holds a CRD
 */
export function definitionsOf(paths: readonly string[], kubernetesVersion: string): Definitions | undefined {
  if (paths.length === 0) return undefined;
  try {
    return readDefinitions(paths, process.cwd(), kubernetesVersion);
  } catch (error) {
    if (error instanceof CrdFilesError || error instanceof PathError) throw refused(`crds: ${error.message}.`);
    throw error;
  }
}

/**
 * A plan without what stood when a baseline was written.
 *
 * @throws Error for a file that can't be read, or that `--write-baseline` did not write
 */
export function withoutBaseline(plan: PlanDocument, file: string): PlanDocument {
  const text = contentOf(file, 'given as baseline').toString('utf8');
  const mayHide = (finding: Finding) => !refusedByGuardrails.made(finding);
  try {
    return withBaseline(plan, parseBaseline(text), { fromBaseline: seenFrom(dirname(resolve(file))), mayHide }).plan;
  } catch (error) {
    if (error instanceof BaselineError) throw refused(`${file}, given as baseline, is not a baseline: ${error.message}.`);
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
  const { neverReady, notReadyNow, apply, prune, budget } = options;
  return {
    versions,
    budget,
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
