/**
 * A deadlock found before the apply: three replicas with two GPUs each, a quota of seven, and the default strategy of Kubernetes.
 *
 * 25% of 3 is one extra pod and none unavailable. One GPU is free, but a pod requests two,
 * and no old pod is deleted before the new one is ready: the rollout would deadlock. The second chart is a safe version of the same change.
 */
import { ApiObject, App, Chart } from 'cdk8s';
import { DeploymentPolicy } from 'rolloutkit';

/** Adds a quota of seven GPUs for the namespace. */
function quota(chart: Chart): void {
  new ApiObject(chart, 'quota', {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'gpus' },
    spec: { hard: { 'requests.nvidia.com/gpu': '7' } },
  });
}

/** Adds three replicas with two GPUs each and the default strategy of Kubernetes: 25% and 25%. */
function model(chart: Chart): ApiObject {
  return new ApiObject(chart, 'model', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'model' },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'model' } },
      template: {
        metadata: { labels: { app: 'model' }, annotations: { 'rolloutkit/startup-seconds': '120' } },
        spec: {
          containers: [
            {
              name: 'model',
              image: 'my-model:2',
              readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
              resources: { limits: { 'nvidia.com/gpu': '2' } },
            },
          ],
        },
      },
    },
  });
}

const app = new App();

// The deadlock: the plan reports an error with the wave at which the rollout stops.
const deadlock = new Chart(app, 'deadlock', { namespace: 'models' });
quota(deadlock);
model(deadlock);

// The safe version: one old pod is deleted first, and its successor uses its capacity.
const safe = new Chart(app, 'safe', { namespace: 'models-safe' });
quota(safe);
DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 }).applyTo(model(safe));

// Without a quota the nodes decide: rolloutkit plan --capacity capacity.yaml
model(new Chart(app, 'no-quota', { namespace: 'models-free' }));

app.synth();
