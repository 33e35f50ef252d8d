/**
 * A language model on ten workers with four GPUs each, upgraded with four free GPUs: by the operator, and as reviewed steps in Git.
 *
 * A second set of pods, which NewCluster creates, would need 40 extra GPUs.
 */
import { App, Chart } from 'cdk8s';
import { IncrementalRayService, safeMaxSurgePercent } from 'rolloutkit';
import type { RayClusterProps, ServeConfig, UpgradeProps } from 'rolloutkit';

/** Returns the model's cluster. The head uses no GPU. */
function cluster(image: string): RayClusterProps {
  return {
    rayVersion: '2.51.0',
    headGroupSpec: {
      rayStartParams: { 'num-cpus': '0' },
      template: { spec: { containers: [{ name: 'ray-head', image, resources: { limits: { cpu: 4, memory: '32Gi' } } }] } },
    },
    workerGroupSpecs: [
      {
        groupName: 'gpu-worker',
        replicas: 10,
        minReplicas: 0,
        maxReplicas: 10,
        template: {
          spec: { containers: [{ name: 'ray-worker', image, resources: { limits: { cpu: 32, memory: '256Gi', 'nvidia.com/gpu': 4 } } }] },
        },
      },
    ],
  };
}

const serveConfig: ServeConfig = {
  applications: [
    {
      name: 'llm',
      import_path: 'serve_llm:app',
      route_prefix: '/',
      deployments: [{ name: 'LLM', num_replicas: 10, ray_actor_options: { num_gpus: 4 } }],
    },
  ],
};

const running = cluster('my-llm:1');
const upgrade: UpgradeProps = {
  gatewayClassName: 'istio',
  maxSurgePercent: safeMaxSurgePercent({ rayCluster: running }),
  stepSizePercent: 5,
};

const app = new App();

// The operator moves the service to a new cluster whenever the image changes.
new IncrementalRayService(new Chart(app, 'operated', { namespace: 'llm' }), 'llm', {
  upgrade,
  excludeHeadPodFromServeSvc: true,
  serveConfig,
  rayCluster: running,
  startupSeconds: 300,
});

// The same upgrade from Git: this app deploys the first stage, and writes all stages and their README into folders for review.
const staged = new IncrementalRayService(new Chart(app, 'staged', { namespace: 'llm-staged' }), 'llm', {
  ownership: 'gitops',
  upgrade,
  current: { name: 'llm-v1', serveConfig, rayCluster: running, excludeHeadPodFromServeSvc: true },
  next: { name: 'llm-v2', serveConfig, rayCluster: cluster('my-llm:2'), excludeHeadPodFromServeSvc: true },
  stage: 0,
  startupSeconds: 300,
});
staged.writeStages('build/stages/llm');

app.synth();
