import { describeValue } from '../../core/text/display-value';
import { buildFieldPath, parseFieldPath, toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { isInt32 } from '../../core/values/int-or-percent';
import { getValueAt, isFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { OperatorResourceMap } from '../../core/sources/operator-resource-map';
import type { Versions } from '../../core/values/versions';
import { MAPPED_KINDS, explainNoStrategy } from './mapped-kinds';
import type { MappedKindRollout } from './mapped-kinds';
import { parseQuotedNumber } from './strategy';

/** A mapped resource whose fields could be read. */
export interface MappedResource {
  readonly replicas: number;
  readonly rollout: MappedKindRollout;
  /** The strategy as written. */
  readonly written: Fields;
}

/** A mapped field that cannot be read, and the reason. */
export interface UnreadableField {
  readonly path: FieldPath;
  readonly reason: string;
}

/** Returns the value at a path of a map. The path was checked when the map was read. */
export function readMappedField(object: Manifest, path: string | undefined): unknown {
  return path === undefined ? undefined : getValueAt(object, ...parseFieldPath(path));
}

/** Returns the canonical path of a field of a map. */
export function toMappedPath(path: string): FieldPath {
  return buildFieldPath(...parseFieldPath(path));
}

function readNumber(object: Manifest, path: string | undefined, noun: string, minimum: number): number | UnreadableField {
  const value = parseQuotedNumber(readMappedField(object, path));
  if (value === undefined || value === null) return 1;
  if (isInt32(value) && value >= minimum) return value;
  return { path: toMappedPath(path!), reason: `${describeValue(value)} is not a number of ${noun}` };
}

/** Reads the mapped fields of an object. Replicas that are not set are 1. */
export function readMappedResource(object: Manifest, map: OperatorResourceMap, versions: Versions): MappedResource | UnreadableField {
  const replicas = readNumber(object, map.replicas, 'replicas', 0);
  if (typeof replicas !== 'number') return replicas;
  const size = readNumber(object, map.size, 'pods', 1);
  if (typeof size !== 'number') return size;
  const written = readMappedField(object, map.strategy);
  const strategyPath = map.strategy === undefined ? toFieldPath`spec` : toMappedPath(map.strategy);
  const noStrategy = explainNoStrategy(written);
  if (noStrategy !== undefined) return { path: strategyPath, reason: noStrategy };
  const strategy = isFields(written) ? written : undefined;
  const rollout = MAPPED_KINDS[map.rollsLike]({ replicas, size, strategy, strategyPath, versions });
  if ('refused' in rollout) return { path: strategyPath, reason: `a ${map.rollsLike} does not accept it (${rollout.refused})` };
  return { replicas, rollout, written: strategy ?? {} };
}
