import { at, childPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { isFields, isInstance, listAt, valueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { seen } from '../../core/seen';
import type { Seen } from '../../core/seen';
import { Spending } from '../../input/budget';
import { readDocument } from '../../input/yaml-document';

/** Where a value holds tokens instead of plain data, which nobody knows when the text is written. */
export function tokensIn(value: unknown, path: FieldPath): FieldPath[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => tokensIn(item, childPath(path, index)));
  if (isInstance(value)) return [path];
  return isFields(value) ? Object.entries(value).flatMap(([field, inner]) => tokensIn(inner, childPath(path, field))) : [];
}

/** Why the text of a Serve config can't be read. */
export type ServeConfigProblem =
  | { readonly kind: 'not-a-map'; readonly value: Seen }
  /** In the words of the YAML parser. */
  | { readonly kind: 'syntax'; readonly reason: string };

/** A Serve config as it was read; nothing where there is none. */
export interface ReadServeConfig {
  readonly config?: Fields;
  readonly problem?: ServeConfigProblem;
}

/** Reads the text of `serveConfigV2`. */
export function readServeConfig(text: unknown): ReadServeConfig {
  if (typeof text !== 'string' || text.trim() === '') return {};
  try {
    // Its parser is kubectl's: the last of equal keys wins, and what stands behind the first document is left.
    const { value: config } = readDocument(text, new Spending());
    return isFields(config) ? { config } : { problem: { kind: 'not-a-map', value: seen(config) } };
  } catch (failure) {
    return { problem: { kind: 'syntax', reason: (failure as Error).message } };
  }
}

/** One deployment of a Serve config. */
export interface ReadDeployment {
  /** In the Serve config: `applications[0].deployments[1]`. */
  readonly place: FieldPath;
  readonly spec: unknown;
}

/** The deployments that a Serve config names. */
export function deploymentsOf(config: Fields): ReadDeployment[] {
  return listAt(config, 'applications').flatMap((application, index) =>
    listAt(application, 'deployments').map((spec, position) => ({ place: at`applications[${index}].deployments[${position}]`, spec })),
  );
}

/** Is every deployment that the config names scaled by Serve's autoscaler, at least one? What it does not name, the code decides. */
export function isAutoscaled(config: Fields | undefined): boolean {
  const deployments = config ? deploymentsOf(config) : [];
  return (
    deployments.length > 0 &&
    deployments.every(({ spec }) => isFields(valueAt(spec, 'autoscaling_config')) || valueAt(spec, 'num_replicas') === 'auto')
  );
}

/**
 * The capacity in percent that an incremental upgrade never gets past: the whole part of a fractional target_capacity.
 *
 * The operator takes a fraction with that whole part for the capacity that it is about to set, sets nothing, and waits for ever.
 * A whole number, 20.0 among them, does no harm. Source: KubeRay v1.6.2 `rayservice_controller.go`, applyServeTargetCapacity.
 */
export function unreachableCapacity(config: Fields | undefined): number | undefined {
  const capacity = config?.target_capacity;
  return typeof capacity === 'number' && Number.isFinite(capacity) && !Number.isInteger(capacity) ? Math.trunc(capacity) : undefined;
}
