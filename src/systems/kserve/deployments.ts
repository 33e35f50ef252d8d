import { toFieldPath, appendToPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { isInt32, MAX_INT32 } from '../../core/values/int-or-percent';
import { getFieldsAt, isFields, getListAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import type { MountedClaim, ReplicaRange } from '../../cluster/rollout/workload';
import { computeCanaryReplicas, computeStableMinReplicas } from './canary';
import { resolveMultinode } from './multinode';
import type { Multinode } from './multinode';
import { withGpus } from './nodes';
import { autoscalerClassOf, MODEL_CONTAINER, modelFieldOf, modelOf } from './service';
import type { ServiceCanary, TopLevelComponent, KserveService } from './service';
import { listStorageClaims } from './storage';

/** A Deployment that KServe creates for one part of a service. */
export interface ComponentDeployment {
  /** The component: `predictor`, `worker`, `transformer`, `explainer`, `canary/<name>`. */
  readonly component: string;
  readonly name: string;
  readonly selector: Readonly<Record<string, string>>;
  /** The replicas that KServe writes, otherwise the number that its autoscaler starts with. */
  readonly replicas: number;
  /** The path of the replicas that KServe writes; undefined if it leaves them to an autoscaler. */
  readonly replicasPath?: FieldPath;
  /** Whether KServe creates an autoscaler with the name of the Deployment. */
  readonly hasOwnAutoscaler: boolean;
  /** The range in which that autoscaler may scale the replicas; undefined if there is none or the range has one value. */
  readonly replicaRange?: ReplicaRange;
  /** The pod spec as set by the service. The serving runtime has the rest. */
  readonly podSpec: Fields;
  readonly podMetadata: Fields;
  /** The claims that KServe mounts into the pods. */
  readonly claims: readonly MountedClaim[];
  /** The path at which the pods are configured. */
  readonly podPath: FieldPath;
  /** The path at which a strategy can be written. */
  readonly strategyPath: FieldPath;
  /** The deploymentStrategy that KServe reads; undefined if it reads none. */
  readonly userStrategy: unknown;
  /** The canary of the Deployment; undefined for every other Deployment. */
  readonly canary?: ServiceCanary;
}

/**
 * Builds the Deployments of a service in mode Standard, in the order predictor, worker, transformer, explainer, canaries.
 *
 * Source: KServe, constants.go (names), deployment_reconciler.go (selector, replicas), components/predictor.go (worker, canaries).
 *
 * @param runtime - the spec of the serving runtime, if known
 */
export function buildKserveDeployments(service: KserveService, runtime: Fields): ComponentDeployment[] {
  const multinode = service.workerSpec && resolveMultinode(service, service.workerSpec, runtime);
  return [
    ...service.components.flatMap(({ name, path, spec }) => {
      const deploymentName = formatDeploymentName(service, name, name === 'predictor' && service.supportsCanaries ? spec.name : undefined);
      const minReplicas = name === 'predictor' ? computeStableMinReplicas(service) : spec.minReplicas;
      const deployment: ComponentDeployment = {
        component: name,
        ...buildNameAndSelector(deploymentName),
        ...resolveScale(service, { name: deploymentName, path, spec, minReplicas }),
        podSpec: name === 'predictor' ? buildPredictorPods(spec, multinode) : spec,
        podMetadata: buildPodMetadata(service, spec, name, deploymentName),
        claims: listStorageClaims(spec, path),
        podPath: path,
        strategyPath: appendToPath(path, 'deploymentStrategy'),
        userStrategy: spec.deploymentStrategy,
      };
      return name === 'predictor' && multinode ? [deployment, buildWorkerDeployment(deployment, service, multinode)] : [deployment];
    }),
    ...service.canaries.map((canary) => buildCanaryDeployment(service, canary)),
  ];
}

/** Returns the name of a Deployment: `iris-predictor`, or `iris-v2-predictor` if the predictor has its own name. */
function formatDeploymentName({ name }: KserveService, component: TopLevelComponent, ownName?: unknown): string {
  return typeof ownName === 'string' && ownName !== '' ? `${name}-${ownName}-${component}` : `${name}-${component}`;
}

function buildNameAndSelector(name: string, app = `isvc.${name}`): Pick<ComponentDeployment, 'name' | 'selector'> {
  return { name, selector: { app } };
}

/** The autoscalers that KServe creates: their kind, and the fewest pods that they may keep. */
const AUTOSCALERS: ReadonlyMap<unknown, { readonly kind: string; readonly fewest: number }> = new Map([
  ['hpa', { kind: 'HorizontalPodAutoscaler', fewest: 1 }],
  ['keda', { kind: 'ScaledObject', fewest: 0 }],
]);

/** The number of pods of a Deployment, and what may change it. */
type Scale = Pick<ComponentDeployment, 'replicas' | 'replicasPath' | 'hasOwnAutoscaler' | 'replicaRange'>;

/** Clamps a number of pods to the valid range. The webhook refuses a negative number, and nothing rolls out until that is fixed. */
function clampPodCount(count: number): number {
  return Math.min(Math.max(0, count), MAX_INT32);
}

/** The scaling input of a component: the name of its Deployment, and the minReplicas that apply to it. */
interface ScalingInput {
  readonly name: string;
  readonly path: FieldPath;
  readonly spec: Fields;
  readonly minReplicas: unknown;
}

/**
 * Resolves the number of pods. With autoscaler class none KServe writes minReplicas, with external it writes nothing. Otherwise an
 * autoscaler with the name of the Deployment scales from minReplicas to maxReplicas, and the Deployment starts with at least one pod.
 *
 * Source: KServe deployment_reconciler.go, hpa_reconciler.go, keda_reconciler.go.
 */
function resolveScale(service: KserveService, { name, path, spec, minReplicas }: ScalingInput): Scale {
  const requestedReplicas = isInt32(minReplicas) ? minReplicas : 1;
  const autoscalerClass = autoscalerClassOf(service, spec) ?? 'hpa';
  if (autoscalerClass === 'none') {
    return {
      replicas: clampPodCount(requestedReplicas),
      hasOwnAutoscaler: false,
      ...(isInt32(minReplicas) && { replicasPath: appendToPath(path, 'minReplicas') }),
    };
  }
  const replicas = Math.max(1, requestedReplicas);
  const autoscaler = AUTOSCALERS.get(autoscalerClass);
  if (!autoscaler) return { replicas, hasOwnAutoscaler: false };
  const minimum = Math.max(autoscaler.fewest, requestedReplicas);
  const { maxReplicas } = spec;
  if (!isInt32(maxReplicas) || maxReplicas <= minimum) return { replicas, hasOwnAutoscaler: true };
  return { replicas, hasOwnAutoscaler: true, replicaRange: { by: `${autoscaler.kind} "${name}"`, minimum, maximum: maxReplicas } };
}

/** Builds the labels and annotations of the pods. The component takes precedence over the service; KServe adds its own labels. */
export function buildPodMetadata(
  { object, name, annotations }: KserveService,
  component: Fields,
  label: string,
  deployment: string,
): Fields {
  return {
    labels: {
      ...getFieldsAt(object, 'metadata', 'labels'),
      ...getFieldsAt(component, 'labels'),
      'serving.kserve.io/inferenceservice': name,
      component: label,
      app: `isvc.${deployment}`,
    },
    annotations: { ...annotations, ...getFieldsAt(component, 'annotations') },
  };
}

/** Builds the pods of a predictor: the container of its model, which the serving runtime completes, and its own containers. */
export function buildPredictorPods(predictor: Fields, multinode?: Multinode): Fields {
  const model = modelOf(predictor);
  const others = getListAt(predictor, 'containers');
  const containers = model ? [{ ...model, name: MODEL_CONTAINER }, ...others] : others;
  if (!multinode) return { ...predictor, containers };
  const [head = {}, ...rest] = containers.filter(isFields);
  return { ...predictor, containers: [withGpus(head, multinode.headGpus, multinode.nodes.headGpus), ...rest] };
}

function buildWorkerDeployment(
  head: ComponentDeployment,
  { name }: KserveService,
  { nodes, worker, workerGpus }: Multinode,
): ComponentDeployment {
  const containers = getListAt(worker, 'containers').filter(isFields);
  const path = appendToPath(head.podPath, 'workerSpec');
  return {
    ...head,
    component: 'worker',
    ...buildNameAndSelector(`${name}-predictor-worker`, `isvc.${head.name}-worker`),
    replicas: clampPodCount(nodes.count - 1),
    replicasPath: path,
    hasOwnAutoscaler: false,
    replicaRange: undefined,
    podSpec: { ...worker, containers: containers.map((container) => withGpus(container, workerGpus, nodes.workerGpus)) },
    podMetadata: { ...head.podMetadata, labels: { ...getFieldsAt(head.podMetadata, 'labels'), app: `isvc.${head.name}-worker` } },
    podPath: path,
  };
}

/** Builds the Deployment of a canary: the pods of the stable predictor with its own fields on top, and no strategy. */
function buildCanaryDeployment(service: KserveService, canary: ServiceCanary): ComponentDeployment {
  const { workerSpec: _workerSpec, maxReplicas: _maxReplicas, ...stable } = service.predictor;
  const predictor: Fields = { ...stable, ...canary.predictor };
  const name = formatDeploymentName(service, 'predictor', canary.name);
  return {
    component: `canary/${canary.name ?? ''}`,
    ...buildNameAndSelector(name),
    ...resolveScale(service, {
      name,
      path: canary.path,
      spec: predictor,
      minReplicas: computeCanaryReplicas(canary, service.predictor.minReplicas),
    }),
    podSpec: buildPredictorPods(predictor),
    podMetadata: buildPodMetadata(service, predictor, 'predictor', name),
    claims: modelFieldOf(canary.predictor)
      ? listStorageClaims(canary.predictor, canary.path)
      : listStorageClaims(stable, toFieldPath`spec.predictor`),
    podPath: canary.path,
    strategyPath: appendToPath(canary.path, 'deploymentStrategy'),
    userStrategy: undefined,
    canary,
  };
}
