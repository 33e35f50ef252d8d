import type { Finding } from '../../core/finding';
import { isInt32, MAX_INT32 } from '../../core/int-or-percent';
import { fieldsAt, isFields, listAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { ReplicaRange } from '../../core/workload';
import { canaryReplicas, remainingMinReplicas } from './canary';
import { gpuFindings, gpusOf, gpuTypesOf, mpNodes, rayNodes, withGpus } from './nodes';
import type { Gpus, NodeDemand, Nodes } from './nodes';
import { runtimeContainerOf, usesMultiprocessing } from './runtime';
import { MODEL_CONTAINER, modelContainerOf, modelOf, WORKER_CONTAINER } from './service';
import type { Canary, PlainComponent, Service } from './service';
import { autoscalerClassOf } from './validation';

/** A Deployment that KServe makes of one part of a service. */
export interface ComponentDeployment {
  /** `predictor`, `worker`, `transformer`, `explainer`, `canary/<name>` */
  readonly component: string;
  readonly name: string;
  readonly selector: Readonly<Record<string, string>>;
  /** What KServe writes, else what its autoscaler begins with. */
  readonly replicas: number;
  /** Where an autoscaler of KServe may move the replicas; undefined where there is none or nothing to move. */
  readonly replicaRange?: ReplicaRange;
  /** The pods as far as the service says them; the serving runtime has the rest. */
  readonly podSpec: Fields;
  readonly podMetadata: Fields;
  /** Where the pods are configured. */
  readonly podPath: string;
  /** Where a strategy can be written. */
  readonly strategyPath: string;
  /** The deploymentStrategy that KServe looks at; undefined where it looks at none. */
  readonly user: unknown;
}

/**
 * The Deployments of a service in mode Standard, in the order predictor, worker, transformer, explainer, canaries.
 *
 * Source: KServe, constants.go (names), deployment_reconciler.go (selector, replicas), components/predictor.go (worker, canaries).
 *
 * @param runtime spec of the serving runtime, as far as it is in view
 */
export function deploymentsOf(service: Service, runtime: Fields): ComponentDeployment[] {
  const multinode = service.workerSpec && multinodeOf(service, service.workerSpec, runtime);
  return [
    ...service.components.flatMap(({ name, path, spec }) => {
      const own = deploymentName(service, name, name === 'predictor' && service.knowsCanaries ? spec.name : undefined);
      const minReplicas = name === 'predictor' ? remainingMinReplicas(service) : spec.minReplicas;
      const deployment: ComponentDeployment = {
        component: name,
        ...named(own),
        ...scaled(service, spec, minReplicas, own),
        podSpec: name === 'predictor' ? predictorPods(spec, multinode) : spec,
        podMetadata: podMetadataOf(service, spec, name, own),
        podPath: path,
        strategyPath: `${path}.deploymentStrategy`,
        user: spec.deploymentStrategy,
      };
      return name === 'predictor' && multinode ? [deployment, workerOf(deployment, service, multinode)] : [deployment];
    }),
    ...service.canaries.map((canary) => canaryDeployment(service, canary)),
  ];
}

/** `iris-predictor`, or `iris-v2-predictor` where the predictor has a name of its own. */
function deploymentName({ name }: Service, component: PlainComponent, ownName?: unknown): string {
  return typeof ownName === 'string' && ownName !== '' ? `${name}-${ownName}-${component}` : `${name}-${component}`;
}

function named(name: string, app = `isvc.${name}`): Pick<ComponentDeployment, 'name' | 'selector'> {
  return { name, selector: { app } };
}

/** The kind of autoscaler that KServe makes; class none has none, and of class external KServe knows nothing. */
function autoscalerKindOf(autoscalerClass: unknown): string | undefined {
  if (autoscalerClass === undefined || autoscalerClass === 'hpa') return 'HorizontalPodAutoscaler';
  return autoscalerClass === 'keda' ? 'ScaledObject' : undefined;
}

/** How many pods a Deployment has, and who may change that. */
type Scale = Pick<ComponentDeployment, 'replicas' | 'replicaRange'>;

/** A number of pods that a Deployment can have. The webhook refuses one below 0; until that is mended, nothing rolls out. */
function podCount(count: number): number {
  return Math.min(Math.max(0, count), MAX_INT32);
}

/**
 * With autoscaler class none KServe writes minReplicas; else an autoscaler of the Deployment's name begins with at least one pod, and may
 * go up to maxReplicas. Source: deployment_reconciler.go, hpa_reconciler.go.
 */
function scaled(service: Service, component: Fields, minReplicas: unknown, name: string): Scale {
  const given = isInt32(minReplicas) ? minReplicas : 1;
  const autoscalerClass = autoscalerClassOf(service, component);
  if (autoscalerClass === 'none') return { replicas: podCount(given) };
  const minimum = Math.max(1, given);
  const { maxReplicas } = component;
  const kind = autoscalerKindOf(autoscalerClass);
  if (kind === undefined || !isInt32(maxReplicas) || maxReplicas <= minimum) return { replicas: minimum };
  return { replicas: minimum, replicaRange: { by: `${kind} "${name}"`, minimum, maximum: maxReplicas } };
}

/** The pods' labels and annotations: those of the component over those of the service, and KServe's own. */
function podMetadataOf({ object, name, annotations }: Service, component: Fields, label: string, deployment: string): Fields {
  return {
    labels: {
      ...fieldsAt(object, 'metadata', 'labels'),
      ...fieldsAt(component, 'labels'),
      'serving.kserve.io/inferenceservice': name,
      component: label,
      app: `isvc.${deployment}`,
    },
    annotations: { ...annotations, ...fieldsAt(component, 'annotations') },
  };
}

/** What the controller works out for a multinode predictor. */
interface Multinode {
  readonly demand: NodeDemand;
  readonly nodes: Nodes;
  readonly headGpus: Gpus;
  readonly worker: Fields;
  readonly workerGpus: Gpus;
}

function multinodeOf({ annotations, predictor }: Service, workerSpec: Fields, runtime: Fields): Multinode {
  const types = gpuTypesOf(annotations) ?? gpuTypesOf({})!;
  const runtimeWorker = fieldsAt(runtime, 'workerSpec');
  // The webhook refuses a size below 1; until that is mended, it counts as left out.
  const size = (field: string) => [workerSpec[field], runtimeWorker[field]].filter(isInt32).find((value) => value >= 1) ?? 1;
  const pipeline = size('pipelineParallelSize');
  const tensor = size('tensorParallelSize');
  const worker = listAt(workerSpec, 'containers').find(isFields) ?? {};
  const headGpus = gpusOf([modelContainerOf(predictor), runtimeContainerOf(runtime, MODEL_CONTAINER)], types);
  const workerGpus = gpusOf([worker, runtimeContainerOf(runtimeWorker, WORKER_CONTAINER)], types);
  const demand = { total: pipeline * tensor, head: headGpus.count, worker: workerGpus.count };
  const nodes = usesMultiprocessing(runtime) ? mpNodes(pipeline, tensor) : rayNodes(demand);
  return { demand, nodes, headGpus, worker: { ...workerSpec, containers: [{ name: WORKER_CONTAINER, ...worker }] }, workerGpus };
}

/** The controller's refusal of a multinode predictor whose nodes have too few GPUs. */
export function nodeFindings(service: Service, runtime: Fields): Finding[] {
  if (!service.workerSpec) return [];
  const { demand, nodes } = multinodeOf(service, service.workerSpec, runtime);
  return gpuFindings(demand, nodes);
}

function predictorPods(predictor: Fields, multinode?: Multinode): Fields {
  const model = modelOf(predictor);
  const others = listAt(predictor, 'containers');
  const containers = model ? [{ ...model, name: MODEL_CONTAINER }, ...others] : others;
  if (!multinode) return { ...predictor, containers };
  const [head = {}, ...rest] = containers.filter(isFields);
  return { ...predictor, containers: [withGpus(head, multinode.headGpus, multinode.nodes.headGpus), ...rest] };
}

function workerOf(head: ComponentDeployment, { name }: Service, { nodes, worker, workerGpus }: Multinode): ComponentDeployment {
  const containers = listAt(worker, 'containers').filter(isFields);
  return {
    ...head,
    component: 'worker',
    ...named(`${name}-predictor-worker`, `isvc.${head.name}-worker`),
    replicas: podCount(nodes.count - 1),
    replicaRange: undefined,
    podSpec: { ...worker, containers: containers.map((container) => withGpus(container, workerGpus, nodes.workerGpus)) },
    podMetadata: { ...head.podMetadata, labels: { ...fieldsAt(head.podMetadata, 'labels'), app: `isvc.${head.name}-worker` } },
    podPath: `${head.podPath}.workerSpec`,
  };
}

/** A canary has the pods of the stable predictor with its own fields over them, and no strategy. */
function canaryDeployment(service: Service, canary: Canary): ComponentDeployment {
  const { workerSpec: _workerSpec, maxReplicas: _maxReplicas, ...stable } = service.predictor;
  const predictor: Fields = { ...stable, ...canary.predictor };
  const name = deploymentName(service, 'predictor', canary.name);
  return {
    component: `canary/${canary.name ?? ''}`,
    ...named(name),
    ...scaled(service, predictor, canaryReplicas(canary, service.predictor.minReplicas), name),
    podSpec: predictorPods(predictor),
    podMetadata: podMetadataOf(service, predictor, 'predictor', name),
    podPath: canary.path,
    strategyPath: `${canary.path}.deploymentStrategy`,
    user: undefined,
  };
}
