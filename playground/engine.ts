import { planWithBetterStrategies } from '../src/advise/better-strategy';
import { addRefusedObjects, withRefusals } from '../src/change/compare/refused-objects';
import { parseCapacity } from '../src/cluster/capacity/parse-capacity';
import { APPLY_MODES } from '../src/core/document/change';
import type { ApplyMode } from '../src/core/document/change';
import { Deadline } from '../src/core/budget/deadline';
import type { Finding } from '../src/core/findings/finding';
import type { Fields } from '../src/core/manifest/manifest';
import { collectFindings } from '../src/core/document/plan-document';
import type { PlanDocument } from '../src/core/document/plan-document';
import { SEVERITIES } from '../src/core/findings/severity';
import { PRODUCTS, getProduct } from '../src/core/values/versions';
import type { Product } from '../src/core/values/versions';
import { planChangedInput } from '../src/change/plan-change';
import type { ChangeOptions } from '../src/change/change-options';
import { SourceMap } from '../src/input/source-map';
import { readMaps } from '../src/input/read';
import { planInput } from '../src/plan/plan';
import { BudgetTracker, DEFAULT_BUDGET } from '../src/input/read-budget';
import type { RunBudget } from '../src/input/read-budget';
import type { PlanInput } from '../src/plan/plan-input';
import { readSources } from '../src/plan/plan-sources';
import { renderPlanMarkdown } from '../src/render/markdown/plan';
import { renderPlanJson } from '../src/render/json/json';
import { formatPlanHeadline, renderPlanText } from '../src/render/text/plan';
import { parseInventory } from '../src/systems/fleet/inventory';

/** A file that was typed or dropped. */
export interface TypedFile {
  /** Name in findings: `shop.yaml`, or `shop/base/web.yaml` in a folder. */
  readonly name: string;
  readonly text: string;
}

/** Options of a plan. Those for files have the text, which may be empty. */
export interface TypedOptions {
  readonly versions?: Readonly<Partial<Record<Product, string>>>;
  readonly startupSeconds?: number;
  /** @default - determined for each object by the last apply that OLD shows */
  readonly apply?: ApplyMode;
  readonly prune?: boolean;
  readonly capacity?: string;
  readonly clusters?: string;
  readonly kserveConfig?: string;
}

/** Input of the playground. */
export interface TypedInput {
  readonly files: readonly TypedFile[];
  /** Current state, for the plan of a change. @default - unknown */
  readonly from?: readonly TypedFile[];
  readonly options?: TypedOptions;
}

/** An option that can't be read. */
export class TypedOptionError extends Error {
  override readonly name = 'TypedOptionError';
}

/** Reads the documents of an option's text. */
function mapsOf(option: string, text: string): readonly Fields[] {
  const { maps, findings } = readMaps({ file: option, content: text }, new SourceMap(), new BudgetTracker(BUDGET));
  const [finding] = findings;
  if (finding) throw new TypedOptionError(`${option}, line ${finding.source!.line}: ${finding.message}`);
  return maps;
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

/** Reads the only document of an option's text. */
function mapOf(option: string, text: string): Fields {
  const [map, ...more] = mapsOf(option, text);
  if (map === undefined || more.length > 0) throw new TypedOptionError(`${option} must hold one document`);
  return map;
}

/** Validates an option with a reader, whose errors say what to write. */
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
    budget: BUDGET,
    ...(isGiven(capacity) && { capacity: checked('capacity', mapOf('capacity', capacity), parseCapacity) }),
    ...(isGiven(clusters) && {
      clusters: checked('clusters', mapsOf('clusters', clusters), (documents) => parseInventory(documents, 'clusters')),
    }),
    ...(isGiven(kserveConfig) && { kserveConfig: mapOf('KServe ConfigMap', kserveConfig) }),
  };
}

/** The page has no worker: a text that takes long to plan, such as that of a stranger's link, blocks its tab. */
const BUDGET: RunBudget = { ...DEFAULT_BUDGET, seconds: 10 };

function readSide(files: readonly TypedFile[], locations: SourceMap): PlanInput {
  return readSources(
    files.map(({ name, text }) => ({ path: name, text })),
    locations,
    BUDGET,
  );
}

/** A plan and the plan of the current state. */
export interface TypedPlan {
  readonly plan: PlanDocument;
  /** Returns the plan of OLD, for pictures next to those of NEW. Unset without a comparison. */
  readonly before?: () => PlanDocument;
}

/**
 * Plans the input. The plan is the same as that of the command line for the same files.
 *
 * @throws TypedOptionError for an option that can't be read, VersionError for a version
 */
export function planTyped({ files, from, options = {} }: TypedInput): TypedPlan {
  const locations = new SourceMap();
  const changeOptions = changeOptionsOf(options);
  if (from === undefined) {
    const input = withRefusals(readSide(files, locations));
    const deadline = new Deadline(BUDGET.seconds);
    const plan = planWithBetterStrategies(input, (read) => planInput({ ...read, deadline }, changeOptions));
    return { plan: addRefusedObjects(plan, input, { budget: BUDGET, deadline }) };
  }
  const old = readSide(from, locations);
  return { plan: planChangedInput(old, readSide(files, locations), changeOptions), before: () => planInput(old, changeOptions) };
}

/** Returns the findings of a plan that are not suppressed, worst first. */
export function findingsOf(plan: PlanDocument): readonly Finding[] {
  const all = collectFindings(plan).filter(({ suppressed }) => !suppressed);
  return SEVERITIES.flatMap((severity) => all.filter((finding) => finding.severity === severity));
}

/** The first line of the command line's output. */
export { formatPlanHeadline };

/** Renders a plan as text for a number of columns, as on a terminal. */
export function textOf({ plan }: TypedPlan, width: number): string {
  return renderPlanText(plan, { width });
}

/** Renderers of the text formats, by their `--format` names. The drawing script has the others. */
export const FORMATS: Readonly<Record<string, (typed: TypedPlan) => string>> = {
  text: ({ plan }) => renderPlanText(plan),
  markdown: ({ plan }) => renderPlanMarkdown(plan),
  json: ({ plan }) => renderPlanJson(plan),
};

/** A product with its versions, for the options. */
export interface ProductChoice {
  readonly product: Product;
  /** Display name: `KServe`. */
  readonly name: string;
  readonly defaultVersion: string;
  readonly oldest: string;
  readonly newest: string;
}

export const PRODUCT_CHOICES: readonly ProductChoice[] = PRODUCTS.map((product) => ({ product, ...getProduct(product) }));

export { APPLY_MODES };
