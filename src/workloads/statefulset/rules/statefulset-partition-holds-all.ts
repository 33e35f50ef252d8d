import { suggestManualFix } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { pluralize } from '../../../core/text/text-format';

interface PartitionData {
  readonly partition: number;
  readonly replicas: number;
}

/** Reports a partition above the index of every pod. */
export const statefulSetPartitionHoldsAll = defineRule({
  code: 'kubernetes/statefulset-partition-holds-all',
  since: '0.1.0',
  severity: 'info',
  fires: 'The partition is at or above the replicas, so no pod is updated.',
  why:
    'Only pods whose index is at or above the partition are updated. This is a valid way to stage a change, ' +
    'which stays staged until the partition is lowered.',
  fix: 'Lower `partition` to the first index to update. 0 updates all pods.',
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
  fixedExample: `apiVersion: apps/v1
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
    holdsAll: defineMessage<PartitionData>({
      text: ({ partition, replicas }) =>
        `partition is ${partition}, but there ${replicas === 1 ? 'is' : 'are'} only ${pluralize(replicas, 'replica')}: no pod has an index that high, so none is updated.`,
      help: ({ replicas }) => `To update the pods from an index on, write a partition below ${replicas}. Plan that change first.`,
      suggestedFix: () => suggestManualFix(),
      sample: { partition: 3, replicas: 3 },
      variants: [{ partition: 5, replicas: 1 }],
    }),
  },
});

/** Reports a partition that keeps every pod at the old revision. Reports nothing for 0 replicas. */
export function checkStatefulSetPartitionHoldsAll(partition: number, replicas: number): Finding[] {
  if (replicas === 0 || partition < replicas) return [];
  return [
    statefulSetPartitionHoldsAll.createFinding('holdsAll', {
      path: toFieldPath`spec.updateStrategy.rollingUpdate.partition`,
      data: { partition, replicas },
    }),
  ];
}
