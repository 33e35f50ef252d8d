import { planManifests } from '../../src/headless';
import { renderPlanText } from '../../src/render/text/plan';
import { model } from '../builders/model';
import { quota } from '../builders/quota';

const rollingUpdate = { maxSurge: 1, maxUnavailable: 1 };

test('the shared capacity of several rollouts is a table below the summary', () => {
  const objects = [
    model({ name: 'a', replicas: 2, rollingUpdate }),
    model({ name: 'b', replicas: 3, rollingUpdate }),
    quota({ 'requests.nvidia.com/gpu': 6, pods: 10 }, { name: 'gpus' }),
  ];
  const text = renderPlanText(planManifests(objects, { startupSeconds: 60 }));
  expect(text).toMatchInlineSnapshot(`
"2 rollouts on Kubernetes 1.36 (assumed): no findings
shared capacity: One after another: fits. All at once: finishes, with fewer pods at once than planned, because the peaks together need 7 of 6 requests.nvidia.com/gpu (ResourceQuota "gpus").

  available  steady  one after another  all at once  resource                 limit
          6       5                  6            7  requests.nvidia.com/gpu  ResourceQuota "gpus"
         10       5                  6            7  pods                     ResourceQuota "gpus"

   Deployment a  2 pods: 2 waves, peak 3, at least 1 available
   Deployment b  3 pods: 2 waves, peak 4, at least 2 available
a wave is one step: the controller creates and deletes pods, then waits until the new ones are ready

Deployment a (kubernetes)
  RollingUpdate (kubernetes-default), maxSurge 1, maxUnavailable 1 (user)
  Fits: there is capacity for its peak of 3 pods.
  takes about 1m30s, at least 1m; a broken image is detected after 10m30s and breaks 2 pods
  2 replicas: 2 waves (1 creates pods), peak 3 pods, at least 1 available

  wave  new  old  total  available
     1    2    1      3          1
     2    2    0      2          2

Deployment b (kubernetes)
  RollingUpdate (kubernetes-default), maxSurge 1, maxUnavailable 1 (user)
  Fits: there is capacity for its peak of 4 pods.
  takes about 2m30s, at least 2m; a broken image is detected after 10m30s and breaks 2 pods
  3 replicas: 2 waves, peak 4 pods, at least 2 available

  wave  new  old  total  available
     1    2    2      4          2
     2    3    0      3          2
"
`);
});

test('the steps of a guide come after those of the controller, with the reason for the difference', () => {
  const strategy = { type: 'RollingUpdate', rolling_update: { max_surge: 1, max_unavailable: '25%' } };
  const resource = { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', metadata: { name: 'baw' }, spec: { replicas: 5, strategy } };
  expect(renderPlanText(planManifests([resource]))).toMatchInlineSnapshot(`
"1 rollout on Kubernetes 1.36 (assumed): no findings

a wave is one step: the controller creates and deletes pods, then waits until the new ones are ready

ICP4ACluster baw (baw)
  RollingUpdate, maxSurge 1, maxUnavailable 25% (user)
  5 replicas: 3 waves, peak 6 pods, at least 4 available

  wave  new  old  total  available
     1    2    4      6          4
     2    4    2      6          4
     3    5    0      5          4

  IBM BAW 25.0.1, "Applying a rolling update strategy" documents a different rollout:
  5 replicas: 6 waves (5 create pods), peak 6 pods, at least 5 available

  wave  new  old  total  available
     1    1    5      6          5
     2    2    4      6          5
     3    3    3      6          5
     4    4    2      6          5
     5    5    1      6          5
     6    5    0      5          5

  The page waits for a new pod before it deletes an old one (5 rounds, never fewer than 5 available). The controller deletes 1 at once and starts 2 new pods at a time (3 rounds, 4 available). Write max_unavailable: "0" to get the steps of the page.
"
`);
});
