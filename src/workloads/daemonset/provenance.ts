import { appendToPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Provenance } from '../../core/document/provenance';
import { buildFieldProvenance } from '../field-provenance';
import type { DaemonSetUpdateStrategy, DaemonSetUpdateStrategySpec } from './types';

/**
 * Builds the provenance of each field of a DaemonSet's update strategy: type, maxSurge, maxUnavailable. For OnDelete it is only the
 * type.
 */
export function buildDaemonSetProvenance(
  specified: DaemonSetUpdateStrategySpec | null | undefined,
  effective: DaemonSetUpdateStrategy,
  path: FieldPath,
): Provenance[] {
  const type = buildFieldProvenance(appendToPath(path, 'type'), specified?.type, effective.type);
  if (effective.type === 'OnDelete') return [type];
  const limits = (['maxSurge', 'maxUnavailable'] as const).map((field) =>
    buildFieldProvenance(appendToPath(path, 'rollingUpdate', field), specified?.rollingUpdate?.[field], effective.rollingUpdate[field]),
  );
  return [type, ...limits];
}
