import { toFieldPath, appendToPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { isFields, isClassInstance, getListAt, getValueAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { toDisplayValue } from '../../core/text/display-value';
import type { DisplayValue } from '../../core/text/display-value';
import { UnreadableTextError } from '../../core/errors/unreadable-text-error';
import type { DocumentProblem } from '../../core/findings/input-problem';
import { DocumentError, readDocument, WITHIN_TIME } from '../../input/yaml';

/** Finds the paths of tokens in a value. Their plain data is not known yet when the text is written. */
export function findTokenPaths(value: unknown, path: FieldPath): FieldPath[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => findTokenPaths(item, appendToPath(path, index)));
  if (isClassInstance(value)) return [path];
  return isFields(value) ? Object.entries(value).flatMap(([field, inner]) => findTokenPaths(inner, appendToPath(path, field))) : [];
}

/** The reason why the text of a Serve config can't be read. */
export type ServeConfigProblem =
  | { readonly kind: 'not-a-map'; readonly value: DisplayValue }
  /** `reason` is the YAML parser's error message. */
  | { readonly kind: 'syntax'; readonly reason: string };

/** A parsed Serve config; empty if there is none. */
export interface ParsedServeConfig {
  readonly config?: Fields;
  readonly problem?: ServeConfigProblem;
}

/** Limits of the reader, which the parser of the operator does not have. */
const READER_LIMITS: ReadonlySet<DocumentProblem['kind']> = new Set(['too-deep', 'too-many-aliases', 'aliases-too-large']);

/**
 * Reads the text of `serveConfigV2`.
 *
 * @throws UnreadableTextError if it exceeds a limit of the reader, so that the result is not known
 */
export function readServeConfig(text: unknown): ParsedServeConfig {
  if (typeof text !== 'string' || text.trim() === '') return {};
  try {
    // KubeRay uses the same YAML parser as kubectl: the last duplicate key wins, and only the first document is read.
    const { value: config } = readDocument(text, WITHIN_TIME);
    return isFields(config) ? { config } : { problem: { kind: 'not-a-map', value: toDisplayValue(config) } };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    if (READER_LIMITS.has(error.problem.kind)) throw new UnreadableTextError('serveConfigV2', error.problem);
    return { problem: { kind: 'syntax', reason: error.message } };
  }
}

/** One deployment of a Serve config. */
export interface ServeDeploymentEntry {
  /** Path in the Serve config: `applications[0].deployments[1]`. */
  readonly path: FieldPath;
  readonly spec: unknown;
}

/** Lists the deployments that a Serve config names. */
export function listServeDeployments(config: Fields): ServeDeploymentEntry[] {
  return getListAt(config, 'applications').flatMap((application, index) =>
    getListAt(application, 'deployments').map((spec, position) => ({
      path: toFieldPath`applications[${index}].deployments[${position}]`,
      spec,
    })),
  );
}

/**
 * Reports whether the config names at least one deployment and Serve's autoscaler scales every deployment it names.
 *
 * Deployments that it does not name are configured in the application's code.
 */
export function isServeAutoscaled(config: Fields | undefined): boolean {
  const deployments = config ? listServeDeployments(config) : [];
  return (
    deployments.length > 0 &&
    deployments.every(({ spec }) => isFields(getValueAt(spec, 'autoscaling_config')) || getValueAt(spec, 'num_replicas') === 'auto')
  );
}

/**
 * Returns the capacity in percent at which an incremental upgrade deadlocks: the integer part of a fractional target_capacity.
 *
 * The operator truncates the fraction. When it is about to set that capacity, it sees no change, sets nothing and waits forever.
 * An integer, such as 20.0, causes no problem. Source: KubeRay v1.6.2 `rayservice_controller.go`, applyServeTargetCapacity.
 */
export function getUnreachableCapacity(config: Fields | undefined): number | undefined {
  const capacity = config?.target_capacity;
  return typeof capacity === 'number' && Number.isFinite(capacity) && !Number.isInteger(capacity) ? Math.trunc(capacity) : undefined;
}
