import { KUBERNETES_NAMES } from '../../cluster/strategy-terms';
import type { LevelledNames } from '../../cluster/strategy-terms';
import { childPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Provenance } from '../../core/provenance';
import { Remembered, frozen } from '../../core/remembered';
import { fieldProvenance } from '../field-provenance';
import type { DeploymentStrategy, DeploymentStrategySpec } from './types';

function provenanceOf(
  written: DeploymentStrategySpec | null | undefined,
  stored: DeploymentStrategy,
  path: FieldPath,
  names: LevelledNames,
): readonly Provenance[] {
  const type = fieldProvenance(childPath(path, 'type'), written?.type, stored.type);
  if (stored.type === 'Recreate') return [type];
  const limits = (name: 'maxSurge' | 'maxUnavailable') => {
    const place = childPath(path, names.rollingUpdate, names[name]);
    return { ...fieldProvenance(place, written?.rollingUpdate?.[name], stored.rollingUpdate[name]), field: name };
  };
  return [type, limits('maxSurge'), limits('maxUnavailable')];
}

const PROVENANCES = new Remembered<readonly Provenance[]>();

/** A token of an adapter is itself alone, whatever it is written as. */
function isToken(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Who decided each field of a Deployment's strategy: type, maxSurge, maxUnavailable; of Recreate the type alone. */
export function deploymentProvenance(
  written: DeploymentStrategySpec | null | undefined,
  stored: DeploymentStrategy,
  path: FieldPath,
  names: LevelledNames = KUBERNETES_NAMES,
): readonly Provenance[] {
  const values = [written?.type, written?.rollingUpdate?.maxSurge, written?.rollingUpdate?.maxUnavailable];
  if (values.some(isToken)) return provenanceOf(written, stored, path, names);
  return PROVENANCES.of(JSON.stringify([path, names, ...values]), () => frozen(provenanceOf(written, stored, path, names)));
}
