import { KUBERNETES_NAMES } from '../../cluster/strategy-terms';
import type { LevelledNames } from '../../cluster/strategy-terms';
import { at, childPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Provenance } from '../../core/provenance';
import { RememberedByValues } from '../../core/remembered';
import { fieldProvenance } from '../field-provenance';
import type { DeploymentStrategy, DeploymentStrategySpec } from './types';

type Limit = 'maxSurge' | 'maxUnavailable';

/** Where the fields of a strategy stand. */
type Places = Readonly<Record<'type' | Limit, FieldPath>>;

function placesOf(path: FieldPath, { rollingUpdate, maxSurge, maxUnavailable }: LevelledNames): Places {
  return {
    type: childPath(path, 'type'),
    maxSurge: childPath(path, rollingUpdate, maxSurge),
    maxUnavailable: childPath(path, rollingUpdate, maxUnavailable),
  };
}

const OF_DEPLOYMENTS = at`spec.strategy`;
/** Made once: the paths of thousands of Deployments are the same. */
const PLACES_OF_DEPLOYMENTS = placesOf(OF_DEPLOYMENTS, KUBERNETES_NAMES);

/** Thousands of Deployments have one of a few strategies. */
const OF_STRATEGIES = new RememberedByValues<readonly Provenance[]>();

/** Who decided each field of a Deployment's strategy: type, maxSurge, maxUnavailable; of Recreate the type alone. */
export function deploymentProvenance(
  written: DeploymentStrategySpec | null | undefined,
  stored: DeploymentStrategy,
  path: FieldPath,
  names: LevelledNames = KUBERNETES_NAMES,
): readonly Provenance[] {
  if (path !== OF_DEPLOYMENTS || names !== KUBERNETES_NAMES) return provenanceAt(placesOf(path, names), written, stored);
  const { type, rollingUpdate } = written ?? {};
  const asked = [type, rollingUpdate?.maxSurge, rollingUpdate?.maxUnavailable];
  return OF_STRATEGIES.of(asked, () => provenanceAt(PLACES_OF_DEPLOYMENTS, written, stored));
}

function provenanceAt(
  places: Places,
  written: DeploymentStrategySpec | null | undefined,
  stored: DeploymentStrategy,
): readonly Provenance[] {
  const type = fieldProvenance(places.type, written?.type, stored.type);
  if (stored.type === 'Recreate') return [type];
  const { rollingUpdate } = stored;
  const limit = (name: Limit) => ({ ...fieldProvenance(places[name], written?.rollingUpdate?.[name], rollingUpdate[name]), field: name });
  return [type, limit('maxSurge'), limit('maxUnavailable')];
}
