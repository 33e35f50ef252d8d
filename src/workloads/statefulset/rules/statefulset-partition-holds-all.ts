import { byChoice } from '../../../core/advice';
import { at } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { message, rule } from '../../../core/finding';
import { counted } from '../../../core/words';

interface PartitionData {
  readonly partition: number;
  readonly replicas: number;
}

/** A partition above all pods. */
export const partitionHoldsAll = rule({
  code: 'kubernetes/statefulset-partition-holds-all',
  since: '0.1.0',
  severity: 'info',
  fires: 'The partition is at or above the replicas, so no pod is updated.',
  why:
    'Only pods whose index is at or above the partition are updated. This is a legal way to stage a change; ' +
    'it stays staged until the partition is lowered.',
  fix: 'Lower `partition` to the first index that may be updated; 0 updates all.',
  example: `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  replicas: 3
  updateStrategy:
    rollingUpdate:
      partition: 3
  selector:
    matchLabels:
      app: db
  template:
    metadata:
      labels:
        app: db
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  fixed: `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  replicas: 3
  updateStrategy:
    rollingUpdate:
      partition: 2
  selector:
    matchLabels:
      app: db
  template:
    metadata:
      labels:
        app: db
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  messages: {
    holdsAll: message<PartitionData>({
      text: ({ partition, replicas }) =>
        `partition is ${partition}, and there ${replicas === 1 ? 'is' : 'are'} ${counted(replicas, 'replica')}: no pod has an index that high, so none is updated.`,
      help: ({ replicas }) =>
        `Write a partition below ${replicas} when the pods from that index on are to be updated, and plan that first.`,
      advice: () => byChoice(),
      sample: { partition: 3, replicas: 3 },
      variants: [{ partition: 5, replicas: 1 }],
    }),
  },
});

/** Says that a partition keeps every pod at the old revision. Nothing for 0 replicas. */
export function partitionFindings(partition: number, replicas: number): Finding[] {
  if (replicas === 0 || partition < replicas) return [];
  return [partitionHoldsAll.finding('holdsAll', { path: at`spec.updateStrategy.rollingUpdate.partition`, data: { partition, replicas } })];
}
