import type { Finding } from '../../core/finding';
import { isInt32 } from '../../core/int-or-percent';
import { fieldsAt, isFields, listAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
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
  /** The pods as far as the service says them; the serving runtime has the rest. */
  readonly podSpec: Fields;
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
      const deployment: ComponentDeployment = {
        component: name,
        ...named(deploymentName(service, name, name === 'predictor' && service.knowsCanaries ? spec.name : undefined)),
        replicas: replicasOf(service, spec, name === 'predictor' ? remainingMinReplicas(service) : spec.minReplicas),
        podSpec: name === 'predictor' ? predictorPods(spec, multinode) : spec,
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

/** With autoscaler class none KServe writes minReplicas; else an autoscaler keeps at least one pod. */
function replicasOf(service: Service, component: Fields, minReplicas: unknown): number {
  if (!isInt32(minReplicas)) return 1;
  return autoscalerClassOf(service, component) === 'none' ? minReplicas : Math.max(1, minReplicas);
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
  const size = (field: string) => [workerSpec[field], runtimeWorker[field]].find(isInt32) ?? 1;
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
    replicas: nodes.count - 1,
    podSpec: { ...worker, containers: containers.map((container) => withGpus(container, workerGpus, nodes.workerGpus)) },
  };
}

/** A canary has the pods of the stable predictor with its own fields over them, and no strategy. */
function canaryDeployment(service: Service, canary: Canary): ComponentDeployment {
  const { workerSpec: _, ...stable } = service.predictor;
  const replicas = canaryReplicas(canary, service.predictor.minReplicas);
  return {
    component: `canary/${canary.name ?? ''}`,
    ...named(deploymentName(service, 'predictor', canary.name)),
    replicas: replicasOf(service, { ...stable, ...canary.predictor }, replicas),
    podSpec: predictorPods({ ...stable, ...canary.predictor }),
    strategyPath: `${canary.path}.deploymentStrategy`,
    user: undefined,
  };
}
