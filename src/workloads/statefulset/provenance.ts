import { childPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Provenance } from '../../core/provenance';
import { fieldProvenance } from '../field-provenance';
import type { StatefulSetUpdateStrategy, StatefulSetUpdateStrategySpec } from './types';

/** Who decided each field of a StatefulSet's update strategy that is stored: type, maxUnavailable, partition. */
export function updateStrategyProvenance(
  written: StatefulSetUpdateStrategySpec | null | undefined,
  stored: StatefulSetUpdateStrategy,
  path: FieldPath,
): Provenance[] {
  const fields = ['maxUnavailable', 'partition'] as const;
  return [
    fieldProvenance(childPath(path, 'type'), written?.type, stored.type),
    ...fields
      .filter((field) => stored.rollingUpdate?.[field] !== undefined)
      .map((field) =>
        fieldProvenance(childPath(path, 'rollingUpdate', field), written?.rollingUpdate?.[field], stored.rollingUpdate?.[field]),
      ),
  ];
}
