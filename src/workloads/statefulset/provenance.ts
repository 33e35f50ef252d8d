import { appendToPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Provenance } from '../../core/document/provenance';
import { buildFieldProvenance } from '../field-provenance';
import type { StatefulSetUpdateStrategy, StatefulSetUpdateStrategySpec } from './types';

/** Builds the provenance of each stored field of a StatefulSet's update strategy: type, maxUnavailable, partition. */
export function buildStatefulSetProvenance(
  specified: StatefulSetUpdateStrategySpec | null | undefined,
  effective: StatefulSetUpdateStrategy,
  path: FieldPath,
): Provenance[] {
  const fields = ['maxUnavailable', 'partition'] as const;
  return [
    buildFieldProvenance(appendToPath(path, 'type'), specified?.type, effective.type),
    ...fields
      .filter((field) => effective.rollingUpdate?.[field] !== undefined)
      .map((field) =>
        buildFieldProvenance(
          appendToPath(path, 'rollingUpdate', field),
          specified?.rollingUpdate?.[field],
          effective.rollingUpdate?.[field],
        ),
      ),
  ];
}
