import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CapacityError, parseCapacity } from '../cluster/capacity/parse-capacity';
import type { ChangeOptions } from '../change/change-options';
import { BaselineError, parseBaseline, markBaselineFindings } from '../config/baseline';
import { mayBaselineSuppress } from '../core/findings/reading-rules';
import { MAX_CONFIGURATION_MEGABYTES } from '../config/configuration';
import type { Configuration } from '../config/configuration';
import type { Fields } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import { resolveVersions, VersionError } from '../core/values/versions';
import type { Versions } from '../core/values/versions';
import { pluralize } from '../core/text/text-format';
import type { CrdRegistry } from '../crds/crd-registry';
import { GuardrailPolicyError, parseGuardrails } from '../guardrails/policy';
import type { GuardrailPolicy } from '../guardrails/policy';
import { listConfigFolders, PathError } from '../input/read-paths';
import { SourceMap } from '../input/source-map';
import { readMaps } from '../input/read';
import { BYTES_PER_MEGABYTE, DEFAULT_BUDGET } from '../input/read-budget';
import { readLimited } from '../input/read-limited';
import { describeOsError } from '../input/os-error-message';
import { CrdFilesError, readCrdDefinitions } from '../plan/crd-files';
import { Inventory } from '../props/inventory';
import { KServePlatformConfig } from './kserve-platform-config';
import { parseSettings, createOptionError } from './validation-options';
import type { ValidationOptions } from './validation-options';

/** Settings, and the folder that their patterns are relative to. */
export interface SettingsScope {
  readonly settings: Configuration;
  /** Returns the path of a file relative to the folder, or undefined if it is outside. */
  readonly relativePathOf: (file: string) => string | undefined;
}

function findNearestConfiguration(): string | undefined {
  return listConfigFolders(process.cwd(), process.cwd())
    .map((folder) => join(folder, 'rolloutkit.yaml'))
    .find((file) => existsSync(file));
}

function readContent(file: string, role: string, megabytes = DEFAULT_BUDGET['total-megabytes']): Buffer {
  let content: Buffer | undefined;
  try {
    content = readLimited(file, megabytes * BYTES_PER_MEGABYTE);
  } catch (error) {
    throw createOptionError(`cannot read ${file}, ${role}: ${describeOsError(error)}.`);
  }
  if (content === undefined) throw createOptionError(`${file}, ${role}, is larger than ${megabytes} MB.`);
  return content;
}

function readDocumentMaps(file: string, role: string, megabytes?: number): readonly Fields[] {
  const { maps, findings } = readMaps({ file, content: readContent(file, role, megabytes) }, new SourceMap());
  const [finding] = findings;
  if (finding) throw createOptionError(`${file}:${finding.source?.line ?? 1}, ${role}: ${finding.message}`);
  return maps;
}

/** Creates a function that makes paths, relative to the working directory, relative to a folder. */
function createRelativePathResolver(folder: string): (file: string) => string | undefined {
  return (file) => {
    const path = relative(folder, resolve(file));
    return isAbsolute(path) || path.startsWith('..') ? undefined : path.split(sep).join('/');
  };
}

function resolveSettingsPaths(settings: Configuration, folder: string): Configuration {
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
 * Reads the settings of the configuration and of the properties, each with its folder. The properties come last and win.
 *
 * @throws Error for a configuration that can't be read
 */
export function readSettingsScopes({ config, settings }: ValidationOptions): readonly SettingsScope[] {
  const file = config === false ? undefined : (config ?? findNearestConfiguration());
  const ownScope = { settings, relativePathOf: createRelativePathResolver(process.cwd()) };
  if (file === undefined) return [ownScope];
  const [document = {}, ...others] = readDocumentMaps(file, 'the configuration', MAX_CONFIGURATION_MEGABYTES);
  if (others.length > 0) throw createOptionError(`${file} has ${others.length + 1} documents; write one.`);
  const folder = dirname(resolve(file));
  return [
    { settings: resolveSettingsPaths(parseSettings(document, file), folder), relativePathOf: createRelativePathResolver(folder) },
    ownScope,
  ];
}

function readSingleMap(file: string, role: string): Fields {
  const maps = readDocumentMaps(file, role);
  if (maps.length !== 1) throw createOptionError(`${file}, ${role}, has ${pluralize(maps.length, 'document')}; write one.`);
  return maps[0]!;
}

function readCapacity(file: string): Fields {
  const capacity = readSingleMap(file, 'given as capacity');
  try {
    parseCapacity(capacity);
    return capacity;
  } catch (error) {
    if (error instanceof CapacityError) throw createOptionError(`${file}, given as capacity: ${error.message}`);
    throw error;
  }
}

/**
 * Reads the guardrails of a file.
 *
 * @throws Error for a file that can't be read or used
 */
export function readValidationGuardrails(file: string): GuardrailPolicy {
  try {
    return parseGuardrails(readSingleMap(file, 'given as policy'));
  } catch (error) {
    if (error instanceof GuardrailPolicyError) throw createOptionError(`${file}, given as policy: ${error.message}.`);
    throw error;
  }
}

/**
 * Resolves the versions to plan for.
 *
 * @throws Error for an unknown product or an invalid version
 */
export function resolveValidationVersions({ versions }: ChangeOptions): Versions {
  try {
    return resolveVersions(versions);
  } catch (error) {
    if (error instanceof VersionError) throw createOptionError(`versions: ${error.message}.`);
    throw error;
  }
}

/**
 * Reads the CRDs of files and folders, or returns undefined if there are no paths.
 *
 * @throws Error for a file that can't be read, or if none of them has a CRD
 */
export function readValidationCrds(paths: readonly string[], kubernetesVersion: string): CrdRegistry | undefined {
  if (paths.length === 0) return undefined;
  try {
    return readCrdDefinitions(paths, process.cwd(), kubernetesVersion);
  } catch (error) {
    if (error instanceof CrdFilesError || error instanceof PathError) throw createOptionError(`crds: ${error.message}.`);
    throw error;
  }
}

/**
 * Suppresses the findings of a plan that are in a baseline.
 *
 * @throws Error for a file that can't be read, or that `--write-baseline` did not write
 */
export function applyValidationBaseline(plan: PlanDocument, file: string, trustsInput: boolean): PlanDocument {
  const text = readContent(file, 'given as baseline').toString('utf8');
  try {
    return markBaselineFindings(plan, parseBaseline(text), {
      resolveFile: createRelativePathResolver(dirname(resolve(file))),
      canSuppress: (finding) => mayBaselineSuppress(finding, trustsInput),
    }).plan;
  } catch (error) {
    if (error instanceof BaselineError) throw createOptionError(`${file}, given as baseline, is not a baseline: ${error.message}.`);
    throw error;
  }
}

function readClusters(file: string): readonly Fields[] {
  Inventory.fromFile(file);
  return readDocumentMaps(file, 'given as clusters');
}

/**
 * Builds the options of a plan, with the content of the files that the settings name.
 *
 * @throws Error for a file that can't be read or used
 */
export function buildValidationPlanOptions(options: ValidationOptions, scopes: readonly SettingsScope[]): ChangeOptions {
  const { versions, capacity, clusters, kserveConfig, startupSeconds, operatorResources } = scopes.reduce<Configuration>(
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
    ...(operatorResources && { operatorResources }),
    ...(capacity !== undefined && { capacity: readCapacity(capacity) }),
    ...(clusters && { clusters: clusters.flatMap(readClusters) }),
    ...(kserveConfig !== undefined && { kserveConfig: KServePlatformConfig.fromFile(kserveConfig).configMap }),
  };
}
