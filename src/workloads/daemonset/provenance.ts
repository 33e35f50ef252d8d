import { childPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Provenance } from '../../core/provenance';
import { fieldProvenance } from '../field-provenance';
import type { DaemonSetUpdateStrategy, DaemonSetUpdateStrategySpec } from './types';

/** Who decided each field of a DaemonSet's update strategy: type, maxSurge, maxUnavailable; of OnDelete the type alone. */
export function updateStrategyProvenance(
  written: DaemonSetUpdateStrategySpec | null | undefined,
  stored: DaemonSetUpdateStrategy,
  path: FieldPath,
): Provenance[] {
  const type = fieldProvenance(childPath(path, 'type'), written?.type, stored.type);
  if (stored.type === 'OnDelete') return [type];
  const limits = (['maxSurge', 'maxUnavailable'] as const).map((field) =>
    fieldProvenance(childPath(path, 'rollingUpdate', field), written?.rollingUpdate?.[field], stored.rollingUpdate[field]),
  );
  return [type, ...limits];
}
