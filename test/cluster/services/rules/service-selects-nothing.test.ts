import { serviceSelectsNothing } from '../../../../src/cluster/services/rules/service-selects-nothing';
import { testRule } from '../../../rule-tester';
import { renderDeployment, renderService } from './manifests';

const service = (selector: string, name = 'api') => renderService(`selector: ${selector}, ports: [{ port: 80 }]`, name);

const CUSTOM = `apiVersion: cache.example.com/v1
kind: Redis
metadata: { name: cart }
---
`;

testRule(serviceSelectsNothing, {
  valid: [
    { name: 'it selects pods', yaml: renderDeployment() + service('{ app: shop }') },
    { name: 'a namespace without workloads', yaml: service('{ app: shop }') },
    { name: 'a custom resource may have the pods', yaml: renderDeployment() + CUSTOM + service('{ redis: cart }', 'cart') },
    {
      name: 'a label that the StatefulSet controller adds',
      yaml:
        renderDeployment().replace('kind: Deployment', 'kind: StatefulSet') + service('{ app: shop, apps.kubernetes.io/pod-index: "0" }'),
    },
    {
      name: 'the pods of a suspended Job',
      yaml: `${renderDeployment()}apiVersion: batch/v1
kind: Job
metadata: { name: train }
spec:
  suspend: true
  template:
    metadata: { labels: { job: train } }
    spec: { restartPolicy: Never, containers: [{ name: t, image: "t:1" }] }
---
${service('{ job: train }', 'train')}`,
    },
    { name: 'no selector', yaml: renderDeployment() + renderService('ports: [{ port: 80 }]') },
    {
      name: 'the change takes the label, which another rule reports',
      old: renderDeployment() + service('{ app: shop, component: api }'),
      yaml: renderDeployment() + service('{ app: shop, component: apis }'),
    },
  ],
  invalid: [
    {
      yaml: renderDeployment() + service('{ app: shop, component: apis }'),
      findings: [
        {
          messageId: 'nearMiss',
          severity: 'warning',
          path: 'spec.selector',
          data: { service: 'Service api', workload: 'Deployment api', key: 'component', selected: 'apis', value: 'api' },
        },
      ],
    },
    {
      name: 'a label that the pods do not have',
      yaml: renderDeployment() + service('{ app: shop, component: api, track: stable }'),
      findings: [{ messageId: 'nearMiss', data: { service: 'Service api', workload: 'Deployment api', key: 'track', selected: 'stable' } }],
    },
    {
      name: 'another value under the same name',
      yaml: renderDeployment('{ app: backend }') + service('{ app: api }'),
      findings: [{ messageId: 'nearMiss', severity: 'warning' }],
    },
    {
      name: 'labels of something else',
      yaml: renderDeployment() + service('{ app: postgres }', 'postgres'),
      findings: [{ messageId: 'nothing', severity: 'info' }],
    },
    {
      name: 'only the label of the release is the same',
      yaml:
        renderDeployment('{ app.kubernetes.io/name: api, app.kubernetes.io/instance: prod }') +
        service('{ app.kubernetes.io/name: postgresql, app.kubernetes.io/instance: prod }', 'db'),
      findings: [{ messageId: 'nothing', severity: 'info' }],
    },
  ],
});
