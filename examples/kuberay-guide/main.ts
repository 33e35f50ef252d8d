/**
 * The examples of KubeRay's incremental upgrade guide, with values that the API server, the operator and Ray Serve accept.
 *
 * The guide writes rayClusterSpec instead of rayClusterConfig, num_replicas next to autoscaling_config, and GPUs in a deployment's resources.
 * Its last example has the options directly under upgradeStrategy, without a type.
 */
import { App, Chart } from 'cdk8s';
import { IncrementalRayService, safeMaxSurgePercent } from 'rolloutkit';
import type { RayPodTemplate } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'guide', { namespace: 'kuberay-guide' });

const head: RayPodTemplate = {
  spec: { containers: [{ name: 'ray-head', image: 'rayproject/ray:2.51.0', resources: { limits: { cpu: 2, memory: '8Gi' } } }] },
};
const gpuWorker: RayPodTemplate = {
  spec: {
    containers: [
      { name: 'ray-worker', image: 'rayproject/ray:2.51.0', resources: { limits: { cpu: 4, memory: '16Gi', 'nvidia.com/gpu': 1 } } },
    ],
  },
};

// "Example RayService Configuration": 200 s, in steps of 20% capacity and 5% traffic.
new IncrementalRayService(chart, 'rayservice-incremental-upgrade', {
  ownership: 'operator',
  upgrade: { gatewayClassName: 'istio', maxSurgePercent: 20, stepSizePercent: 5, intervalSeconds: 10 },
  gatewayClass: { controllerName: 'istio.io/gateway-controller' },
  serveConfig: {
    applications: [
      {
        name: 'my_app',
        import_path: 'my_model:app',
        route_prefix: '/',
        deployments: [{ name: 'MyModel', ray_actor_options: { num_gpus: 1 }, autoscaling_config: { min_replicas: 0, max_replicas: 20 } }],
      },
    ],
  },
  rayCluster: {
    headGroupSpec: { template: head },
    workerGroupSpecs: [{ groupName: 'gpu-worker', minReplicas: 0, maxReplicas: 20, template: gpuWorker }],
  },
});

// "Calculating maxSurgePercent": one worker at a time of five with a GPU each, so six GPUs at most.
new IncrementalRayService(chart, 'five-gpus', {
  ownership: 'operator',
  upgrade: {
    gatewayClassName: 'istio',
    maxSurgePercent: safeMaxSurgePercent({ gpusPerPod: 1, totalGpus: 5 }),
    stepSizePercent: 10,
    intervalSeconds: 60,
  },
  excludeHeadPodFromServeSvc: true,
  serveConfig: {
    applications: [
      { name: 'five', import_path: 'five:app', deployments: [{ name: 'Model', num_replicas: 5, ray_actor_options: { num_gpus: 1 } }] },
    ],
  },
  rayCluster: {
    headGroupSpec: { template: head },
    workerGroupSpecs: [{ groupName: 'gpu-worker', replicas: 5, minReplicas: 0, maxReplicas: 5, template: gpuWorker }],
  },
});

app.synth();
