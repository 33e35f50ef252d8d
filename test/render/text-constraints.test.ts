import { planManifests } from '../../src/headless';
import { renderPlanText } from '../../src/render/text';
import { sound } from '../sound-workload';

const GPUS = { spec: { containers: [{ name: 'model', readinessProbe: {}, resources: { limits: { 'nvidia.com/gpu': 1 } } }] } };

function model(name: string, replicas: number) {
  return sound({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } }, template: GPUS },
  });
}

test('what several rollouts share is a table under the summary', () => {
  const quota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'gpus' },
    spec: { hard: { 'requests.nvidia.com/gpu': 6, pods: 10 } },
  };
  const text = renderPlanText(planManifests([model('a', 2), model('b', 3), quota], { startupSeconds: 60 }));
  expect(text).toMatchInlineSnapshot(`
"2 rollouts on Kubernetes 1.34: no findings
room in what they share: One after another: fits. All at once: ends, with fewer pods at once than planned, since the peaks together need 7 of 6 requests.nvidia.com/gpu (ResourceQuota "gpus").

  there is  steady  one after another  all at once  of                       limit
         6       5                  6            7  requests.nvidia.com/gpu  ResourceQuota "gpus"
        10       5                  6            7  pods                     ResourceQuota "gpus"

   Deployment a  2 pods: 2 waves, peak 3, at least 1 available
   Deployment b  3 pods: 2 waves, peak 4, at least 2 available
a wave: pods that are started and stopped before anything has to wait for new pods to become ready

Deployment a (kubernetes)
  RollingUpdate (kubernetes-default), maxSurge 1, maxUnavailable 1 (user)
  Fits: there is room for the 3 pods of its peak.
  takes 90 s, at least 60 s; a broken image is noticed after 630 s and breaks 2 pods
  2 replicas: 2 waves, 1 of which starts pods, peak 3 pods, at least 1 available

  wave  new  old  total  available
     1    2    1      3          1
     2    2    0      2          2

Deployment b (kubernetes)
  RollingUpdate (kubernetes-default), maxSurge 1, maxUnavailable 1 (user)
  Fits: there is room for the 4 pods of its peak.
  takes 150 s, at least 120 s; a broken image is noticed after 630 s and breaks 2 pods
  3 replicas: 2 waves, peak 4 pods, at least 2 available

  wave  new  old  total  available
     1    2    2      4          2
     2    3    0      3          2
"
`);
});

test('the steps of a guide stand below those of the controller, with the reason why they differ', () => {
  const strategy = { type: 'RollingUpdate', rolling_update: { max_surge: 1, max_unavailable: '25%' } };
  const resource = { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', metadata: { name: 'baw' }, spec: { replicas: 5, strategy } };
  expect(renderPlanText(planManifests([resource]))).toMatchInlineSnapshot(`
"1 rollout on Kubernetes 1.34: no findings

a wave: pods that are started and stopped before anything has to wait for new pods to become ready

ICP4ACluster baw (baw)
  RollingUpdate, maxSurge 1, maxUnavailable 25% (user)
  5 replicas: 3 waves, peak 6 pods, at least 4 available

  wave  new  old  total  available
     1    2    4      6          4
     2    4    2      6          4
     3    5    0      5          4

  IBM BAW 25.0.1, "Applying a rolling update strategy" says otherwise:
  5 replicas: 6 waves, 5 of which start pods, peak 6 pods, at least 5 available

  wave  new  old  total  available
     1    1    5      6          5
     2    2    4      6          5
     3    3    3      6          5
     4    4    2      6          5
     5    5    1      6          5
     6    5    0      5          5

  The page waits for a new pod before it deletes an old one (5 rounds, never fewer than 5 available); the controller deletes 1 at once and keeps 2 new in flight (3 rounds, 4 available): write max_unavailable: "0" to get the page's steps.
"
`);
});
