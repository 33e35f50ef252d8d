import type { PlanContext, RolloutSystem } from '../../cluster/context/context';
import type { SystemRollout } from '../../cluster/rollout/system-rollout';
import { describeValue } from '../../core/text/display-value';
import { isFields, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { findOperatorResourceMap } from '../../core/sources/operator-resource-map';
import type { OperatorResourceMap, RollsLike } from '../../core/sources/operator-resource-map';
import type { Provenance } from '../../core/document/provenance';
import { toResourceRef } from '../../core/document/rollout';
import { applyChangeToPodCount } from '../../workloads/build-pod-workload';
import { computeMappedEffects } from './mapped-effects';
import { readMappedResource, toMappedPath } from './mapped-resource';
import { mappedNotVerified, reportMapped, reportUnreadableField } from './rules/mapped-not-verified';
import { toDeploymentStrategy } from './strategy';
import { checkOperatorObject } from './validation';

const FIRST_FIELDS = ['type', 'maxSurge', 'maxUnavailable'];

/** Sorts fields in the order of a plan: type, maxSurge, maxUnavailable, then the rest. */
function sortFields(provenance: readonly Provenance[]): Provenance[] {
  const rankOf = ({ field }: Provenance) => (FIRST_FIELDS.includes(field) ? FIRST_FIELDS.indexOf(field) : FIRST_FIELDS.length);
  return provenance.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Builds the provenance of each field of a strategy: it is written at the mapped path, or the default of the kind is assumed. */
function buildMappedProvenance(strategy: Fields, written: Fields, rollsLike: RollsLike): Provenance[] {
  return Object.entries(strategy).flatMap(([field, value]): Provenance[] => {
    const own = written[field];
    if (isFields(value)) return buildMappedProvenance(value, isFields(own) ? own : {}, rollsLike);
    const isWritten = own !== undefined && own !== null;
    const reason = isWritten
      ? `The mapped strategy has ${field}.`
      : `The resource sets no ${field}; ${describeValue(value)} of a ${rollsLike} is assumed.`;
    return [{ field, value, layer: isWritten ? 'mapped' : 'assumed-default', reason, overridden: [] }];
  });
}

function planMappedResource(object: Manifest, map: OperatorResourceMap, context: PlanContext): SystemRollout {
  const { group, kind, rollsLike } = map;
  const base = {
    system: 'operator',
    resource: toResourceRef(object, nameOf(object), namespaceOf(object)),
    mapped: { isVerified: false, rollsLike },
  } as const;
  const data = { resource: `${kind}.${group}`, rollsLike };
  const invalid = checkOperatorObject(object);
  const refused = { ...base, strategy: null, provenance: [], simulation: null };
  if (invalid.some(({ severity }) => severity === 'error')) return { ...refused, findings: invalid };
  const mapped = readMappedResource(object, map, context.versions);
  if ('reason' in mapped)
    return { ...refused, findings: [...invalid, reportUnreadableField({ ...data, reason: mapped.reason }, mapped.path)] };
  const { replicas, rollout, written } = mapped;
  const { strategy, simulate, groups } = rollout;
  const { initialState } = applyChangeToPodCount({ steady: replicas, initialState: { replicas } }, context.changedPods?.(object));
  return {
    ...base,
    strategy,
    provenance: sortFields(
      buildMappedProvenance(strategy as Fields, 'rolling_update' in written ? toDeploymentStrategy(written) : written, rollsLike),
    ),
    simulation: initialState ? simulate(initialState) : null,
    ...(groups && { groups }),
    findings: [...invalid, reportMapped(data, toMappedPath(map.replicas))],
  };
}

/**
 * Creates the system for custom resources that the configuration maps to a kind.
 *
 * @param isAnalysed reports whether another system knows the controller of an object, which a map does not replace
 */
export function createMappedSystem(isAnalysed: (object: Manifest) => boolean): RolloutSystem {
  return {
    name: 'operator',
    rules: () => [mappedNotVerified],
    recognises: () => false,
    needsInView: { options: ['operatorResources'] },
    claims: (object, { operatorResources }) => findOperatorResourceMap(object, operatorResources) !== undefined && !isAnalysed(object),
    plan: (object, context) => {
      const map = findOperatorResourceMap(object, context.operatorResources);
      return map ? [planMappedResource(object, map, context)] : [];
    },
    effects: (old, next) => {
      const map = findOperatorResourceMap(next.object, next.context.operatorResources);
      return map ? computeMappedEffects(old, next, map) : [{ effect: 'unknown' }];
    },
  };
}
