import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CapacityError, parseCapacity } from '../../cluster/capacity/parse-capacity';
import { describeOverBudget, MAX_FILE_MEGABYTES } from '../../core/findings/input-problem';
import { MAX_INT32 } from '../../core/values/int-or-percent';
import { getFieldsAt, getValueAt, isManifest, nameOf } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { parseLimitedJson } from '../../core/values/levels';
import { isStartupSeconds } from '../../core/values/startup-seconds';
import { joinWords } from '../../core/text/text-format';
import { DEFAULT_VERSIONS, PRODUCTS } from '../../core/values/versions';
import { BUDGET_NAMES, BudgetTracker, DEFAULT_BUDGET } from '../../input/read-budget';
import type { RunBudget } from '../../input/read-budget';
import type { SourceMap } from '../../input/source-map';
import type { PlanOptions } from '../../plan/plan-options';
import { InventoryError, parseInventory } from '../../systems/fleet/inventory';
import { isPlatformConfig } from '../../systems/kserve/platform-config';
import type { InputOptions } from './input-options';
import { UsageError } from '../output/io';
import type { Io } from '../output/io';
import { parseOptionFile, readOptionFile } from './option-file';
import { withProgressMessage } from '../output/progress';

const INVENTORY_FORMS = 'write Cluster and ClusterGroup objects of fleet.cattle.io/v1alpha1 or {"clusters": […], "groups": […]}';

/** Describes a document for an error: `Secret keys`. */
function describeDocument(document: Fields): string {
  if (!isManifest(document)) return 'a map';
  return [document.kind, nameOf(document)].filter((part) => part !== '').join(' ');
}

function readKserveConfig(path: string, cwd: string, reading: { readonly locations: SourceMap; readonly seconds: number }): Fields {
  const role = 'given with --kserve-config';
  const maps = parseOptionFile(path, readOptionFile(path, cwd, role), role, reading);
  const [config] = maps;
  if (config !== undefined && maps.length === 1 && isPlatformConfig(config)) return config;
  const seen = maps.map(describeDocument).join(', ') || 'no map';
  throw new UsageError(
    `${path}, given with --kserve-config, contains ${seen}; it must contain only the ConfigMap inferenceservice-config, or the JSON of its deploy key`,
  );
}

/** Parses an inventory. JSON is parsed directly, since an inventory may contain a million clusters. */
function parseInventoryDocuments(path: string, content: Uint8Array, seconds: number): readonly unknown[] {
  try {
    return [parseLimitedJson(Buffer.from(content).toString('utf8'))];
  } catch {
    return parseOptionFile(path, content, 'given with --clusters', { seconds });
  }
}

/** The size from which reading an inventory takes a while, in bytes. */
const LARGE_INVENTORY_BYTES = 2 * 1024 * 1024;

/**
 * Reads the inventories. A configuration may name any number of files, so all of them together have the budgets of all files and of the time.
 *
 * @throws UsageError if an inventory is invalid, or if they exceed a budget
 */
function readClusters(paths: readonly string[], io: Io, budget: RunBudget): readonly unknown[] {
  const tracker = new BudgetTracker({ ...budget, 'file-megabytes': Infinity });
  return paths.flatMap((path) => {
    const content = readOptionFile(path, io.cwd, 'given with --clusters');
    const exceeded = tracker.chargeFile(content.length);
    if (exceeded !== undefined) {
      const { text, help } = describeOverBudget(exceeded, budget[exceeded]);
      throw new UsageError(`cannot read ${path}, given with --clusters: ${text}. ${help}`);
    }
    const read = () => parseInventoryDocuments(path, content, budget.seconds);
    const documents = content.length < LARGE_INVENTORY_BYTES ? read() : withProgressMessage(`reading ${path}`, io, read);
    if (documents.length === 0) throw new UsageError(`${path}, given with --clusters, contains no inventory; ${INVENTORY_FORMS}`);
    try {
      parseInventory(documents, path);
    } catch (error) {
      if (error instanceof InventoryError) throw new UsageError(error.message);
      throw error;
    }
    return documents;
  });
}

function readCapacity(path: string, cwd: string, seconds: number): Fields {
  const maps = parseOptionFile(path, readOptionFile(path, cwd, 'given with --capacity'), 'given with --capacity', { seconds });
  const [capacity] = maps;
  if (capacity === undefined || maps.length > 1)
    throw new UsageError(`${path}, given with --capacity, contains ${maps.length} documents; write one`);
  try {
    parseCapacity(capacity);
    return capacity;
  } catch (error) {
    if (error instanceof CapacityError) throw new UsageError(`${path}, given with --capacity: ${error.message}`);
    throw error;
  }
}

/** An example value: `kubernetes=1.34,kserve=0.17`. */
const VERSIONS_EXAMPLE = PRODUCTS.slice(0, 2)
  .map((product) => `${product}=${DEFAULT_VERSIONS[product]}`)
  .join(',');

function parseVersions(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [product = '', version, ...rest] = pair.split('=');
      if (version === undefined || rest.length > 0) {
        throw new UsageError(`--versions takes product=version, not "${pair}"; write ${VERSIONS_EXAMPLE}`);
      }
      return [product.trim(), version.trim()];
    }),
  );
}

/** Reads the file that `verify --write-startup` wrote: the 95th percentile of each workload. */
function readStartupFile(path: string, cwd: string): Record<string, number> {
  const [file] = parseOptionFile(path, readOptionFile(path, cwd, 'given with --startup-seconds'), 'given with --startup-seconds');
  const entries = Object.entries(getFieldsAt({ file }, 'file', 'startupSeconds')).map(
    ([name, measured]) => [name, getValueAt(measured, 'p95')] as const,
  );
  const isValid = (entry: readonly [string, unknown]): entry is readonly [string, number] => isStartupSeconds(entry[1]);
  if (entries.length === 0 || !entries.every(isValid)) {
    throw new UsageError(
      `${path}, given with --startup-seconds, has no startupSeconds; name a file that rolloutkit verify --write-startup wrote`,
    );
  }
  return Object.fromEntries(entries);
}

/** Parses the option: a number of seconds for all pods, or a file with measured seconds of each workload. */
function parseStartupSeconds(text: string | undefined, cwd: string): Pick<PlanOptions, 'startupSeconds' | 'measuredStartupSeconds'> {
  if (text === undefined) return { startupSeconds: 0 };
  const isFile = !/^[-+]?[0-9.]/.test(text) && existsSync(resolve(cwd, text));
  if (isFile) return { startupSeconds: 0, measuredStartupSeconds: readStartupFile(text, cwd) };
  const seconds = /^[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : NaN;
  if (isStartupSeconds(seconds)) return { startupSeconds: seconds };
  throw new UsageError(
    `--startup-seconds takes a number of seconds from 0 to ${MAX_INT32}, or a file that verify --write-startup wrote, not "${text}"`,
  );
}

/** Parses a budget: `file-megabytes=200,seconds=600`. */
export function parseBudget(pairs: readonly string[]): RunBudget {
  const entries = pairs.map((pair) => {
    const [name = '', limit = '', ...rest] = pair.split('=');
    const budget = BUDGET_NAMES.find((known) => known === name.trim());
    const isLimit = rest.length === 0 && /^[0-9]{1,9}$/.test(limit.trim()) && Number(limit) > 0;
    if (budget === undefined || !isLimit) {
      throw new UsageError(
        `--budget takes ${joinWords(BUDGET_NAMES, 'or')} and a whole number of at least 1, not "${pair}"; write --budget seconds=600`,
      );
    }
    if (budget === 'file-megabytes' && Number(limit) > MAX_FILE_MEGABYTES)
      throw new UsageError(`--budget ${pair}: a file has at most ${MAX_FILE_MEGABYTES} MB; write --budget ${budget}=${MAX_FILE_MEGABYTES}`);
    return [budget, Number(limit)];
  });
  return { ...DEFAULT_BUDGET, ...(Object.fromEntries(entries) as Partial<RunBudget>) };
}

export function buildPlanOptions(options: InputOptions, io: Io, locations: SourceMap): PlanOptions {
  const { cwd } = io;
  const budget = parseBudget(options.budget ?? []);
  const { seconds } = budget;
  return {
    versions: parseVersions(options.versions ?? []),
    ...(options.kserveConfig !== undefined && { kserveConfig: readKserveConfig(options.kserveConfig, cwd, { locations, seconds }) }),
    clusters: readClusters(options.clusters ?? [], io, budget),
    neverReady: options.neverReady ?? [],
    notReadyNow: options.notReadyNow ?? [],
    ...parseStartupSeconds(options.startupSeconds, cwd),
    ...(options.capacity !== undefined && { capacity: readCapacity(options.capacity, cwd, seconds) }),
  };
}
