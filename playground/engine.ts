import { parseCapacity } from '../src/cluster/capacity/capacity';
import { APPLY_MODES } from '../src/core/change';
import type { ApplyMode } from '../src/core/change';
import type { Finding } from '../src/core/finding';
import type { Fields } from '../src/core/manifest';
import { collectFindings } from '../src/core/plan-document';
import type { PlanDocument } from '../src/core/plan-document';
import { SEVERITIES } from '../src/core/severity';
import { PRODUCTS, getProduct } from '../src/core/versions';
import type { Product } from '../src/core/versions';
import { planChangedInput } from '../src/change/plan-change';
import type { ChangeOptions } from '../src/change/change-options';
import { SourceMap } from '../src/input/source-map';
import { readMaps } from '../src/input/read';
import { planInput } from '../src/plan/plan';
import type { PlanInput } from '../src/plan/plan';
import { readSources } from '../src/plan/plan-sources';
import { renderPlanMarkdown } from '../src/render/change-markdown';
import { renderPlanJson } from '../src/render/json';
import { formatPlanHeadline, renderPlanText } from '../src/render/text';
import { parseInventory } from '../src/systems/fleet/inventory';

/** A file as it was typed or dropped. */
export interface TypedFile {
  /** As findings name it: `shop.yaml`, or `shop/base/web.yaml` of a folder. */
  readonly name: string;
  readonly text: string;
}

/** What a plan is told besides the manifests; of the files the text, empty for none. */
export interface TypedOptions {
  readonly versions?: Readonly<Partial<Record<Product, string>>>;
  readonly startupSeconds?: number;
  /** @default - settled for each object by what OLD shows of its last apply */
  readonly apply?: ApplyMode;
  readonly prune?: boolean;
  readonly capacity?: string;
  readonly clusters?: string;
  readonly kserveConfig?: string;
}

/** What stands in the playground. */
export interface TypedInput {
  readonly files: readonly TypedFile[];
  /** What is in the cluster, for the plan of a change. @default - nothing is known of it */
  readonly from?: readonly TypedFile[];
  readonly options?: TypedOptions;
}

/** An option that can't be read. */
export class TypedOptionError extends Error {
  override readonly name = 'TypedOptionError';
}

/** The maps of an option's text. */
function mapsOf(option: string, text: string): readonly Fields[] {
  const { maps, findings } = readMaps({ file: option, content: text }, new SourceMap());
  const [finding] = findings;
  if (finding) throw new TypedOptionError(`${option}, line ${finding.source!.line}: ${finding.message}`);
  return maps;
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

/** The one map that an option's text must hold. */
function mapOf(option: string, text: string): Fields {
  const [map, ...more] = mapsOf(option, text);
  if (map === undefined || more.length > 0) throw new TypedOptionError(`${option} must hold one document`);
  return map;
}

/** Runs a reader of an option, whose errors say what to write. */
function checked<T>(option: string, value: T, read: (value: T) => unknown): T {
  try {
    read(value);
    return value;
  } catch (error) {
    throw new TypedOptionError(`${option}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function changeOptionsOf({ capacity, clusters, kserveConfig, ...options }: TypedOptions): ChangeOptions {
  return {
    ...options,
    ...(isGiven(capacity) && { capacity: checked('capacity', mapOf('capacity', capacity), parseCapacity) }),
    ...(isGiven(clusters) && {
      clusters: checked('clusters', mapsOf('clusters', clusters), (documents) => parseInventory(documents, 'clusters')),
    }),
    ...(isGiven(kserveConfig) && { kserveConfig: mapOf('KServe ConfigMap', kserveConfig) }),
  };
}

function readSide(files: readonly TypedFile[], locations: SourceMap): PlanInput {
  return readSources(
    files.map(({ name, text }) => ({ path: name, text })),
    locations,
  );
}

/** A plan, and what is there before the change. */
export interface TypedPlan {
  readonly plan: PlanDocument;
  /** The plan of OLD, for pictures beside those of NEW; absent where nothing is compared. */
  readonly before?: () => PlanDocument;
}

/**
 * The plan of what was typed, the same that the command line makes of the same files.
 *
 * @throws TypedOptionError for an option that can't be read, VersionError for a version
 */
export function planTyped({ files, from, options = {} }: TypedInput): TypedPlan {
  const locations = new SourceMap();
  const changeOptions = changeOptionsOf(options);
  if (from === undefined) return { plan: planInput(readSide(files, locations), changeOptions) };
  const old = readSide(from, locations);
  return { plan: planChangedInput(old, readSide(files, locations), changeOptions), before: () => planInput(old, changeOptions) };
}

/** The findings of a plan that count, worst first. */
export function findingsOf(plan: PlanDocument): readonly Finding[] {
  const all = collectFindings(plan).filter(({ suppressed }) => !suppressed);
  return SEVERITIES.flatMap((severity) => all.filter((finding) => finding.severity === severity));
}

/** The line that sums up a plan, as the command line begins. */
export { formatPlanHeadline };

/** A plan as text for so many columns, as a terminal shows it. */
export function textOf({ plan }: TypedPlan, width: number): string {
  return renderPlanText(plan, { width });
}

/** What prints each format, under the name that `--format` takes; those that are drawn are the drawing's. */
export const FORMATS: Readonly<Record<string, (typed: TypedPlan) => string>> = {
  text: ({ plan }) => renderPlanText(plan),
  markdown: ({ plan }) => renderPlanMarkdown(plan),
  json: ({ plan }) => renderPlanJson(plan),
};

/** A product with a version, for a list to choose from. */
export interface ProductChoice {
  readonly product: Product;
  /** For people: `KServe`. */
  readonly name: string;
  readonly defaultVersion: string;
  readonly oldest: string;
  readonly newest: string;
}

export const PRODUCT_CHOICES: readonly ProductChoice[] = PRODUCTS.map((product) => ({ product, ...getProduct(product) }));

export { APPLY_MODES };
