import type { Provenance } from '../core/provenance';
import { describeValue } from '../core/shape';
import type { DeploymentStrategy, DeploymentStrategySpec, StatefulSetUpdateStrategy, StatefulSetUpdateStrategySpec } from './types';

function fieldProvenance(path: string, written: unknown, stored: unknown): Provenance {
  const field = path.slice(path.lastIndexOf('.') + 1);
  // The API server fills in an empty type as it does a missing one.
  const isWritten = written !== undefined && written !== null && written !== '';
  return {
    field,
    value: stored,
    layer: isWritten ? 'user' : 'kubernetes-default',
    reason: isWritten ? `${path} is set.` : `${path} is not set; the API server fills in ${describeValue(stored)}.`,
    overridden: [],
  };
}

/** Who decided each field of a Deployment's strategy: type, maxSurge, maxUnavailable; of Recreate the type alone. */
export function deploymentProvenance(
  written: DeploymentStrategySpec | null | undefined,
  stored: DeploymentStrategy,
  path: string,
): Provenance[] {
  const type = fieldProvenance(`${path}.type`, written?.type, stored.type);
  if (stored.type === 'Recreate') return [type];
  const limits = written?.rollingUpdate;
  return [
    type,
    fieldProvenance(`${path}.rollingUpdate.maxSurge`, limits?.maxSurge, stored.rollingUpdate.maxSurge),
    fieldProvenance(`${path}.rollingUpdate.maxUnavailable`, limits?.maxUnavailable, stored.rollingUpdate.maxUnavailable),
  ];
}

/** Who decided each field of a StatefulSet's update strategy that is stored: type, maxUnavailable, partition. */
export function updateStrategyProvenance(
  written: StatefulSetUpdateStrategySpec | null | undefined,
  stored: StatefulSetUpdateStrategy,
  path: string,
): Provenance[] {
  const fields = ['maxUnavailable', 'partition'] as const;
  return [
    fieldProvenance(`${path}.type`, written?.type, stored.type),
    ...fields
      .filter((field) => stored.rollingUpdate?.[field] !== undefined)
      .map((field) => fieldProvenance(`${path}.rollingUpdate.${field}`, written?.rollingUpdate?.[field], stored.rollingUpdate?.[field])),
  ];
}
