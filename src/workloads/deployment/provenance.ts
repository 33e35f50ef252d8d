import { KUBERNETES_NAMES } from '../../cluster/strategy-terms';
import type { LevelledNames } from '../../cluster/strategy-terms';
import { childPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Provenance } from '../../core/provenance';
import { fieldProvenance } from '../field-provenance';
import type { DeploymentStrategy, DeploymentStrategySpec } from './types';

/** Who decided each field of a Deployment's strategy: type, maxSurge, maxUnavailable; of Recreate the type alone. */
export function deploymentProvenance(
  written: DeploymentStrategySpec | null | undefined,
  stored: DeploymentStrategy,
  path: FieldPath,
  names: LevelledNames = KUBERNETES_NAMES,
): Provenance[] {
  const type = fieldProvenance(childPath(path, 'type'), written?.type, stored.type);
  if (stored.type === 'Recreate') return [type];
  const limits = (name: 'maxSurge' | 'maxUnavailable') => {
    const place = childPath(path, names.rollingUpdate, names[name]);
    return { ...fieldProvenance(place, written?.rollingUpdate?.[name], stored.rollingUpdate[name]), field: name };
  };
  return [type, limits('maxSurge'), limits('maxUnavailable')];
}
