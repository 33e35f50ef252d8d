import type { PlanContext, RolloutSystem } from '../../cluster/context/context';
import type { SystemRollout } from '../../cluster/rollout/system-rollout';
import type { Workload } from '../../cluster/rollout/workload';
import { explainNotPlanned } from '../../cluster/kinds/unplanned-kinds';
import { isInt32 } from '../../core/values/int-or-percent';
import { groupOf, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { toResourceRef } from '../../core/document/rollout';
import { DEPLOYMENT } from '../../workloads/deployment/kind';
import type { EffectiveDeployment } from '../../workloads/deployment/kind';
import { buildDeploymentProvenance } from '../../workloads/deployment/provenance';
import { simulateDeployment } from '../../workloads/deployment/simulate';
import { DEPLOYMENT_DEFAULTS, defaultDeploymentStrategy } from '../../workloads/deployment/strategy';
import type { DeploymentStrategySpec } from '../../workloads/deployment/types';
import { applyChangeToPodCount, buildPodWorkload } from '../../workloads/build-pod-workload';
import { resolveOperatorReplicaRange } from './autoscaling';
import { computeOperatorEffects } from './effects';
import { IBM_GROUP, operatorComponentOf, findOperatorStrategies, findOperatorStrategiesAt } from './embedded-strategy';
import type { StrategyLocation } from './embedded-strategy';
import { OPERATOR_RESOURCE_RULES } from './rules';
import { toDeploymentStrategy, OPERATOR_FIELD_NAMES, parseQuotedNumber } from './strategy';
import { checkOperatorObject, replicasPathOf, validateOperatorStrategy } from './validation';
import { simulateDocumentedRollout } from './documented-rollout';

/** Builds the workload for the operator's Deployment. Only the number of its pods is known. */
function buildOperatorWorkload(
  object: Manifest,
  location: StrategyLocation,
  effective: EffectiveDeployment,
  context: PlanContext,
): Workload {
  const range = resolveOperatorReplicaRange(object, location);
  const written = parseQuotedNumber(location.holder.replicas);
  const namespace = namespaceOf(object);
  const replicas = isInt32(written) ? written : Math.max(DEPLOYMENT_DEFAULTS.replicas, range?.minimum ?? 0);
  return buildPodWorkload(
    DEPLOYMENT,
    {
      effective,
      workload: {
        name: nameOf(object),
        ...(namespace !== undefined && { namespace }),
        template: {},
        countOnly: true,
        podPath: location.holderPath,
        sizePath: replicasPathOf(location),
        strategyPath: location.path,
        names: OPERATOR_FIELD_NAMES,
        ...(range && { replicaRange: range }),
      },
      count: applyChangeToPodCount(
        { steady: replicas, initialState: { replicas } },
        context.changedPods?.(object, operatorComponentOf(location)),
      ),
    },
    context,
  );
}

/** Why a strategy has no waves. */
const UNKNOWN_REPLICAS = 'which replicas its strategy applies to is unknown';

function planOperatorStrategy(object: Manifest, location: StrategyLocation, context: PlanContext): SystemRollout {
  const resource = toResourceRef(object, nameOf(object), namespaceOf(object), operatorComponentOf(location));
  const validation = [...checkOperatorObject(object), ...validateOperatorStrategy(object, location)];
  if (validation.some(({ severity }) => severity === 'error')) {
    return { system: 'baw', resource, strategy: null, provenance: [], simulation: null, findings: validation };
  }

  // The types were checked above.
  const written = toDeploymentStrategy(location.strategy) as DeploymentStrategySpec;
  const strategy = defaultDeploymentStrategy(written);
  const provenance = buildDeploymentProvenance(written, strategy, location.path, OPERATOR_FIELD_NAMES);
  const planned = { system: 'baw', resource, strategy, provenance, findings: validation } as const;
  if (!location.hasKnownReplicas) return { ...planned, simulation: null, notPlanned: UNKNOWN_REPLICAS };

  const workload = buildOperatorWorkload(object, location, { strategy, provenance }, context);
  const simulation = workload.rollout ? simulateDeployment(strategy, workload.replicas) : null;
  const documented = simulation ? simulateDocumentedRollout(object, simulation) : undefined;
  return { ...planned, pods: { kind: 'workload', workload }, simulation, ...(documented && { documented }) };
}

function createSystem(findLocations: (object: Manifest) => StrategyLocation[]): RolloutSystem {
  return {
    name: 'baw',
    rules: () => OPERATOR_RESOURCE_RULES,
    recognises: (object) => findLocations(object).length > 0,
    plan: (object, context) => findLocations(object).map((location) => planOperatorStrategy(object, location, context)),
    effects: (old, next) => computeOperatorEffects(old, next, findLocations),
  };
}

/**
 * The system for operators' custom resources, such as IBM BAW's, with a snake_case strategy that the operator copies to its Deployments. An
 * object that counts as not planned stays so: its author can write such a strategy where no controller reads it.
 */
export const bawSystem: RolloutSystem = {
  ...createSystem((object) => {
    const locations = findOperatorStrategies(object);
    return locations.length > 0 && explainNotPlanned(object, () => false) !== undefined ? [] : locations;
  }),
  isGuess: (object) => groupOf(object) !== IBM_GROUP,
};

/** Creates the system for resources with a strategy at `mountPath`, which only the user can identify as a strategy. */
export function createBawSystemAt(mountPath: string): RolloutSystem {
  return createSystem((object) => findOperatorStrategiesAt(object, mountPath));
}
