/**
 * A deadlock found before it is applied: three replicas with two GPUs each, a quota of seven, and the strategy that Kubernetes fills in.
 *
 * 25 % of 3 is one pod more and none fewer. The one GPU that is free is no room for a pod that asks for two,
 * and no old pod goes before the new one is ready: the rollout would stand still for good. The second chart is the same change made safe.
 */
import { ApiObject, App, Chart } from 'cdk8s';
import { DeploymentPolicy } from 'rolloutkit';

/** Seven GPUs for a namespace. */
function quota(chart: Chart): void {
  new ApiObject(chart, 'quota', {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'gpus' },
    spec: { hard: { 'requests.nvidia.com/gpu': '7' } },
  });
}

/** Three replicas of two GPUs each, with the strategy that Kubernetes fills in: 25 % and 25 %. */
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

// As it stands: the plan calls it an error, and names the wave at which nothing moves any more.
const deadlock = new Chart(app, 'deadlock', { namespace: 'models' });
quota(deadlock);
model(deadlock);

// Made safe: one pod goes first, and its place is its successor's.
const safe = new Chart(app, 'safe', { namespace: 'models-safe' });
quota(safe);
DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 }).applyTo(model(safe));

// Without a quota the nodes decide: rolloutkit plan --capacity capacity.yaml
model(new Chart(app, 'no-quota', { namespace: 'models-free' }));

app.synth();
