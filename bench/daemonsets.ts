import { planManifests } from 'rolloutkit/plan';

import { linear } from './figure';
import type { Figure } from './figure';

const NODES = 100;

/** Builds a DaemonSet that updates a tenth of the nodes at a time. Every fourth one runs only on the nodes of one pool. */
function daemonSet(index: number): object {
  const containers = [{ name: 'agent', image: 'agent:2', resources: { requests: { cpu: '10m' } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: `agent-${index}`, namespace: 'ops' },
    spec: {
      updateStrategy: { rollingUpdate: { maxUnavailable: '10%' } },
      template: { spec: { ...(index % 4 === 0 && { nodeSelector: { pool: 'gpu' } }), containers } },
    },
  };
}

function node(index: number): object {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `node-${index}`, labels: { pool: index % 5 === 0 ? 'gpu' : 'cpu' } },
    status: { allocatable: { cpu: '64', memory: '256Gi', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

/** Measures plans of DaemonSets. Each of them is checked against every Node. */
export function daemonSetFigures(): Figure[] {
  const nodes = Array.from({ length: NODES }, (_, index) => node(index));
  return [
    linear(`plan by number of DaemonSets on ${NODES} Nodes`, (count) => {
      const objects = [...Array.from({ length: count }, (_, index) => daemonSet(index)), ...nodes];
      return () => planManifests(objects);
    }),
  ];
}
