/**
 * Requests that may take minutes: every replaced pod finishes them, because hook, grace period and the server's own flag fit together.
 */
import { App, ApiObject, Chart } from 'cdk8s';
import { DeploymentPolicy, IncrementalRayService, InferenceServiceRollout, LLMInferenceServiceRollout, Rollout } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'drain', { namespace: 'models' });

// KServe: a hook and --shutdown-timeout in the model, and a grace period in the predictor.
new InferenceServiceRollout(chart, 'iris', {
  predictor: {
    minReplicas: 8,
    model: { modelFormat: { name: 'vllm' }, storageUri: 's3://models/llm' },
    rollout: Rollout.goal({ available: 6, extraGpus: 2, within: '15m' }),
    drain: { longestRequest: '10m' },
  },
});

// From KServe 0.19 on, the presets derive hook and flag from the grace period.
new LLMInferenceServiceRollout(chart, 'chat', {
  kserve: '0.20',
  model: { uri: 'hf://Qwen/Qwen3-8B', name: 'Qwen/Qwen3-8B' },
  replicas: 4,
  drain: { longestRequest: '10m' },
});

// A web server: the policy appends --timeout-graceful-shutdown to its arguments.
const api = new ApiObject(chart, 'api', {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'api' },
  spec: {
    replicas: 4,
    selector: { matchLabels: { app: 'api' } },
    template: {
      metadata: { labels: { app: 'api' } },
      spec: {
        containers: [
          {
            name: 'api',
            image: 'shop/api:2',
            command: ['uvicorn', 'main:app', '--port', '8000'],
            ports: [{ containerPort: 8000 }],
            readinessProbe: { httpGet: { path: '/ready', port: 8000 } },
          },
        ],
      },
    },
  },
});
DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0, drain: { longestRequest: '90s' } }).applyTo(api);

// Ray Serve: its replicas get the time to shut down, and the old cluster outlives the upgrade by it.
new IncrementalRayService(chart, 'ray', {
  upgrade: { gatewayClassName: 'istio', maxSurgePercent: 50, stepSizePercent: 10, intervalSeconds: 60 },
  serveConfig: {
    applications: [
      {
        name: 'summaries',
        import_path: 'summaries:app',
        route_prefix: '/',
        deployments: [{ name: 'Summarizer', autoscaling_config: { min_replicas: 2, max_replicas: 4 } }],
      },
    ],
  },
  rayCluster: {
    rayVersion: '2.46.0',
    headGroupSpec: { template: { spec: { containers: [{ name: 'ray-head', image: 'rayproject/ray:2.46.0' }] } } },
    workerGroupSpecs: [
      {
        groupName: 'workers',
        minReplicas: 1,
        maxReplicas: 4,
        template: { spec: { containers: [{ name: 'ray-worker', image: 'rayproject/ray:2.46.0' }] } },
      },
    ],
  },
  drain: { longestRequest: '5m' },
});

app.synth();
