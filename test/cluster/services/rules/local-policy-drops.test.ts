import { localPolicyDrops } from '../../../../src/cluster/services/rules/local-policy-drops';
import { testRule } from '../../../rule-tester';
import { renderDeployment, renderService } from './manifests';

const service = (spec: string) => renderService(`selector: { app: shop }, ${spec} ports: [{ port: 80 }]`);
const LOCAL = service('internalTrafficPolicy: Local,');
const NODES = (count: number) => ({ nodePools: [{ name: 'n', count, allocatable: { cpu: 8, memory: '16Gi', pods: 110 } }] });
const DAEMON_SET = renderDeployment().replace('kind: Deployment', 'kind: DaemonSet').replace('  replicas: 3\n', '');

testRule(localPolicyDrops, {
  valid: [
    { name: 'the policy Cluster', yaml: renderDeployment() + service('internalTrafficPolicy: Cluster,'), capacity: NODES(10) },
    { name: 'only requests from outside', yaml: renderDeployment() + service('type: NodePort, externalTrafficPolicy: Local,') },
    { name: 'a pod on every node', yaml: DAEMON_SET + LOCAL, capacity: NODES(10) },
    { name: 'a pod on every node, and no nodes in view', yaml: DAEMON_SET + LOCAL },
    { name: 'as many pods as nodes', yaml: renderDeployment() + LOCAL, capacity: NODES(3) },
    {
      name: 'a headless Service, which no proxy forwards',
      yaml: renderDeployment() + service('internalTrafficPolicy: Local, clusterIP: None,'),
    },
  ],
  invalid: [
    {
      yaml: renderDeployment() + LOCAL,
      capacity: NODES(10),
      findings: [
        {
          messageId: 'nodes',
          severity: 'warning',
          path: 'spec.internalTrafficPolicy',
          data: { service: 'Service api', pods: 3, nodes: 10 },
        },
      ],
    },
    {
      name: 'no nodes in view',
      yaml: renderDeployment() + LOCAL,
      findings: [{ messageId: 'noNodes', severity: 'info', data: { service: 'Service api', pods: 3 } }],
    },
  ],
});
