import { toFieldPath, appendToPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { isInt32, MAX_INT32 } from '../../core/int-or-percent';
import { getFieldsAt, isFields, getListAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { MountedClaim, ReplicaRange } from '../../cluster/workload';
import { computeCanaryReplicas, computeStableMinReplicas } from './canary';
import { resolveMultinode } from './multinode';
import type { Multinode } from './multinode';
import { withGpus } from './nodes';
import { autoscalerClassOf, MODEL_CONTAINER, modelFieldOf, modelOf } from './service';
import type { ServiceCanary, TopLevelComponent, KserveService } from './service';
import { listStorageClaims } from './storage';

/** A Deployment that KServe makes of one part of a service. */
export interface ComponentDeployment {
  /** `predictor`, `worker`, `transformer`, `explainer`, `canary/<name>` */
  readonly component: string;
  readonly name: string;
  readonly selector: Readonly<Record<string, string>>;
  /** What KServe writes, else what its autoscaler begins with. */
  readonly replicas: number;
  /** Where the replicas stand that KServe writes; undefined where it leaves them to an autoscaler. */
  readonly replicasPath?: FieldPath;
  /** Does KServe make an autoscaler of the Deployment's name? */
  readonly hasOwnAutoscaler: boolean;
  /** Where that autoscaler may move the replicas; undefined where there is none or nothing to move. */
  readonly replicaRange?: ReplicaRange;
  /** The pods as far as the service says them; the serving runtime has the rest. */
  readonly podSpec: Fields;
  readonly podMetadata: Fields;
  /** Claims that KServe mounts into the pods. */
  readonly claims: readonly MountedClaim[];
  /** Where the pods are configured. */
  readonly podPath: FieldPath;
  /** Where a strategy can be written. */
  readonly strategyPath: FieldPath;
  /** The deploymentStrategy that KServe looks at; undefined where it looks at none. */
  readonly userStrategy: unknown;
  /** The canary that it is of; undefined for every other Deployment. */
  readonly canary?: ServiceCanary;
}

/**
 * The Deployments of a service in mode Standard, in the order predictor, worker, transformer, explainer, canaries.
 *
 * Source: KServe, constants.go (names), deployment_reconciler.go (selector, replicas), components/predictor.go (worker, canaries).
 *
 * @param runtime spec of the serving runtime, as far as it is in view
 */
export function buildKserveDeployments(service: KserveService, runtime: Fields): ComponentDeployment[] {
  const multinode = service.workerSpec && resolveMultinode(service, service.workerSpec, runtime);
  return [
    ...service.components.flatMap(({ name, path, spec }) => {
      const own = formatDeploymentName(service, name, name === 'predictor' && service.supportsCanaries ? spec.name : undefined);
      const minReplicas = name === 'predictor' ? computeStableMinReplicas(service) : spec.minReplicas;
      const deployment: ComponentDeployment = {
        component: name,
        ...buildNameAndSelector(own),
        ...resolveScale(service, { name: own, path, spec, minReplicas }),
        podSpec: name === 'predictor' ? buildPredictorPods(spec, multinode) : spec,
        podMetadata: buildPodMetadata(service, spec, name, own),
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

/** `iris-predictor`, or `iris-v2-predictor` where the predictor has a name of its own. */
function formatDeploymentName({ name }: KserveService, component: TopLevelComponent, ownName?: unknown): string {
  return typeof ownName === 'string' && ownName !== '' ? `${name}-${ownName}-${component}` : `${name}-${component}`;
}

function buildNameAndSelector(name: string, app = `isvc.${name}`): Pick<ComponentDeployment, 'name' | 'selector'> {
  return { name, selector: { app } };
}

/** The autoscalers that KServe makes: their kind, and the fewest pods that they may keep. */
const AUTOSCALERS: ReadonlyMap<unknown, { readonly kind: string; readonly fewest: number }> = new Map([
  ['hpa', { kind: 'HorizontalPodAutoscaler', fewest: 1 }],
  ['keda', { kind: 'ScaledObject', fewest: 0 }],
]);

/** How many pods a Deployment has, and who may change that. */
type Scale = Pick<ComponentDeployment, 'replicas' | 'replicasPath' | 'hasOwnAutoscaler' | 'replicaRange'>;

/** A number of pods that a Deployment can have. The webhook refuses one below 0; until that is mended, nothing rolls out. */
function clampPodCount(count: number): number {
  return Math.min(Math.max(0, count), MAX_INT32);
}

/** A component as far as it is scaled: the name of its Deployment, and the minReplicas that count for it. */
interface ScalingInput {
  readonly name: string;
  readonly path: FieldPath;
  readonly spec: Fields;
  readonly minReplicas: unknown;
}

/**
 * With autoscaler class none KServe writes minReplicas, with external nothing.
 * Else an autoscaler of the Deployment's name may go from minReplicas up to maxReplicas; the Deployment begins with at least one pod.
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

/** The pods' labels and annotations: those of the component over those of the service, and KServe's own. */
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

/** The pods of a predictor: the container of its model, which the serving runtime completes, and its own. */
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

/** A canary has the pods of the stable predictor with its own fields over them, and no strategy. */
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
