import { toFieldPath, appendToPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { isFields, isClassInstance, getListAt, getValueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { toDisplayValue } from '../../core/display-value';
import type { DisplayValue } from '../../core/display-value';
import { BudgetTracker } from '../../input/read-budget';
import { readDocument } from '../../input/yaml-document';

/** Where a value holds tokens instead of plain data, which nobody knows when the text is written. */
export function findTokenPaths(value: unknown, path: FieldPath): FieldPath[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => findTokenPaths(item, appendToPath(path, index)));
  if (isClassInstance(value)) return [path];
  return isFields(value) ? Object.entries(value).flatMap(([field, inner]) => findTokenPaths(inner, appendToPath(path, field))) : [];
}

/** Why the text of a Serve config can't be read. */
export type ServeConfigProblem =
  | { readonly kind: 'not-a-map'; readonly value: DisplayValue }
  /** In the words of the YAML parser. */
  | { readonly kind: 'syntax'; readonly reason: string };

/** A Serve config as it was read; nothing where there is none. */
export interface ParsedServeConfig {
  readonly config?: Fields;
  readonly problem?: ServeConfigProblem;
}

/** Reads the text of `serveConfigV2`. */
export function readServeConfig(text: unknown): ParsedServeConfig {
  if (typeof text !== 'string' || text.trim() === '') return {};
  try {
    // Its parser is kubectl's: the last of equal keys wins, and what stands behind the first document is left.
    const { value: config } = readDocument(text, new BudgetTracker());
    return isFields(config) ? { config } : { problem: { kind: 'not-a-map', value: toDisplayValue(config) } };
  } catch (failure) {
    return { problem: { kind: 'syntax', reason: (failure as Error).message } };
  }
}

/** One deployment of a Serve config. */
export interface ServeDeploymentEntry {
  /** In the Serve config: `applications[0].deployments[1]`. */
  readonly path: FieldPath;
  readonly spec: unknown;
}

/** The deployments that a Serve config names. */
export function listServeDeployments(config: Fields): ServeDeploymentEntry[] {
  return getListAt(config, 'applications').flatMap((application, index) =>
    getListAt(application, 'deployments').map((spec, position) => ({
      path: toFieldPath`applications[${index}].deployments[${position}]`,
      spec,
    })),
  );
}

/** Is every deployment that the config names scaled by Serve's autoscaler, at least one? What it does not name, the code decides. */
export function isServeAutoscaled(config: Fields | undefined): boolean {
  const deployments = config ? listServeDeployments(config) : [];
  return (
    deployments.length > 0 &&
    deployments.every(({ spec }) => isFields(getValueAt(spec, 'autoscaling_config')) || getValueAt(spec, 'num_replicas') === 'auto')
  );
}

/**
 * The capacity in percent that an incremental upgrade never gets past: the whole part of a fractional target_capacity.
 *
 * The operator takes a fraction with that whole part for the capacity that it is about to set, sets nothing, and waits for ever.
 * A whole number, 20.0 among them, does no harm. Source: KubeRay v1.6.2 `rayservice_controller.go`, applyServeTargetCapacity.
 */
export function getUnreachableCapacity(config: Fields | undefined): number | undefined {
  const capacity = config?.target_capacity;
  return typeof capacity === 'number' && Number.isFinite(capacity) && !Number.isInteger(capacity) ? Math.trunc(capacity) : undefined;
}
