import { adviseOnDroppedItem } from '../../appliers/advice';
import type { AdvisedObject } from '../../appliers/advice';
import type { ApplyTool } from '../../core/document/change';
import { toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { DisplayValue } from '../../core/text/display-value';
import { formatDisplayValue, toDisplayValue } from '../../core/text/display-value';
import { nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { ObjectComparison } from '../compare/object-comparison';

interface DroppedData extends AdvisedObject {
  /** Tool that applies NEW. */
  readonly tool: ApplyTool;
  readonly list: string;
  readonly key: string;
  readonly value: DisplayValue;
}

function renderDeployment(ports: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: dns, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: dns } }
  template:
    metadata: { labels: { app: dns } }
    spec:
      containers:
        - name: dns
          image: dns:1
          readinessProbe: { tcpSocket: { port: 8080 } }
          ports: [${ports}]
`;
}

function suggestOtherWrite(data: DroppedData): string {
  return data.list === 'ports' ? adviseOnDroppedItem(data.tool, data) : `Give each item of ${data.list} its own ${data.key}.`;
}

const UDP = '{ containerPort: 53, protocol: UDP }';

/** What NEW writes and the merge of the tool loses. */
export const droppedByMerge = defineRule({
  code: 'change/dropped-by-merge',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'Several items of a list have the same merge key, and the three-way merge of the tool stores only some of them. ' +
    'Or OLD has several, and the merge deletes also those that NEW keeps.',
  why:
    '`kubectl apply` and Helm 3 merge lists by one field, such as the ports of a container by `containerPort`. They take two items with one key for the same item, so the object ' +
    'that is stored differs from NEW, and the next apply does not correct it. When the object is created, both are stored. ' +
    'Server-side apply also compares the protocol of a port. Source: apimachinery strategicpatch/patch.go, `mergeSliceWithoutSpecialElements`, at 0.34.',
  fix: 'Apply once with `kubectl apply --server-side`, or replace the object.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${renderDeployment(UDP)}# new.yaml
${renderDeployment(`${UDP}, { containerPort: 53, protocol: TCP }`)}`,
  fixedExample: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${renderDeployment(UDP)}# new.yaml
${renderDeployment(`${UDP}, { containerPort: 54, protocol: TCP }`)}`,
  messages: {
    deleted: defineMessage<DroppedData>({
      text: ({ list, key, value }) =>
        `The merge of this apply deletes this item: it identifies the items of ${list} only by ${key}, and NEW no longer has another one of OLD with ${formatDisplayValue(value)}. The API server stores the object without it.`,
      help: suggestOtherWrite,
      sample: { kind: 'Deployment', name: 'dns', tool: 'kubectl', list: 'ports', key: 'containerPort', value: toDisplayValue(53) },
    }),
    item: defineMessage<DroppedData>({
      text: ({ list, key, value }) =>
        `The merge of this apply loses this item: it identifies the items of ${list} only by ${key}, and another one also has ${formatDisplayValue(value)}. The API server stores the object without it.`,
      help: suggestOtherWrite,
      sample: { kind: 'Deployment', name: 'dns', tool: 'kubectl', list: 'ports', key: 'containerPort', value: toDisplayValue(53) },
      variants: [
        { kind: 'Deployment', name: 'dns', tool: 'argo-cd', list: 'ports', key: 'containerPort', value: toDisplayValue(53) },
        { kind: 'Deployment', name: 'dns', tool: 'kubectl', list: 'env', key: 'name', value: toDisplayValue('MODE') },
      ],
    }),
  },
});

/** Reports the items of NEW that the merge loses. */
export function checkDroppedByMerge({ dropped = [], next, applied, refusal }: ObjectComparison): Finding[] {
  if (refusal) return [];
  const namespace = namespaceOf(next);
  const object = { kind: next.kind, ...(namespace !== undefined && { namespace }), name: nameOf(next), tool: applied.applier.tool };
  return dropped.map(({ path, list, key, value, isDeleted }) =>
    droppedByMerge.createFinding(isDeleted ? 'deleted' : 'item', {
      path: toFieldPath`${path}`,
      data: { ...object, list, key, value: toDisplayValue(value) },
    }),
  );
}
