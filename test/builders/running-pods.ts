const ONE_BY_ONE = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };

/** What a Deployment of pods in namespace `shop` consists of. */
interface Pods {
  readonly cpu: number;
  readonly replicas?: number;
  readonly nodes: readonly string[];
  readonly podSpec?: object;
  readonly ports?: readonly object[];
  /** @default - one pod more, and none less */
  readonly strategy?: object;
}

/** Returns a Deployment of namespace `shop` that replaces its pods one by one, with as many pods as nodes unless `replicas` differs. */
export function deployment(name: string, image: string, { cpu, replicas, nodes, podSpec, ports, strategy = ONE_BY_ONE }: Pods) {
  const labels = { app: name };
  const containers = [{ name, image, resources: { requests: { cpu: `${cpu}` } }, ...(ports && { ports }) }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: {
      replicas: replicas ?? nodes.length,
      strategy,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers, ...podSpec } },
    },
  };
}

/** Returns a Deployment with its pods, as `kubectl get` shows them. */
export function running(name: string, pods: Pods): object[] {
  const object = deployment(name, 'm:1', pods);
  const { template } = object.spec;
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${name}-5d9c7b6f4d`, uid: name, controller: true };
  return [
    object,
    ...pods.nodes.map((nodeName, index) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: `${name}-5d9c7b6f4d-${index}`,
        namespace: 'shop',
        labels: { app: name, 'pod-template-hash': '5d9c7b6f4d' },
        ownerReferences: [owner],
      },
      spec: { ...template.spec, nodeName },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    })),
  ];
}

/** Returns a Node as the cluster has it. */
export function node(name: string, cpu: number, labels: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    status: { allocatable: { cpu: `${cpu}`, pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}
