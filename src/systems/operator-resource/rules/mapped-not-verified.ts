import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import type { RollsLike } from '../../../core/sources/operator-resource-map';

const KIND_NAMES: Readonly<Record<RollsLike, string>> = {
  deployment: 'Deployment',
  statefulset: 'StatefulSet',
  leaderworkerset: 'LeaderWorkerSet',
};

interface MappedData {
  /** Kind and group of the resource: `Cluster.postgresql.cnpg.io`. */
  readonly resource: string;
  readonly rollsLike: RollsLike;
}

interface UnreadableData extends MappedData {
  /** Path of the field that cannot be read. */
  readonly field: string;
  /** Reason: `"three" is not a number of replicas`. */
  readonly reason: string;
}

function describeMap({ resource, rollsLike }: MappedData): string {
  return `The configuration says that ${resource} rolls like a ${KIND_NAMES[rollsLike]}. This is mapped, not verified`;
}

const RESOURCE = `apiVersion: postgresql.cnpg.io/v1
kind: Cluster
metadata:
  name: orders
spec:
  instances: 3
  imageName: postgres:17
`;

/** Reports a rollout that follows from a map in the configuration. */
export const mappedNotVerified = defineRule({
  code: 'operator/mapped-not-verified',
  since: '0.1.0',
  severity: 'info',
  fires: 'A rollout follows from a map under `operatorResources` in `rolloutkit.yaml`.',
  why:
    'The map says which fields are the replicas, the image or template, and the strategy, and which kind the pods roll like. The code of ' +
    'the operator was not analysed, so it may take other steps, such as a switchover before the last pod. Quotas, capacity, budgets and ' +
    'autoscalers are not checked for the pods.',
  fix: 'Compare the rows with a rollout of the operator in a test cluster. If they differ, remove the map: the resource is then not planned.',
  example: `# rolloutkit plan cluster.yaml
# rolloutkit.yaml
operatorResources:
  - group: postgresql.cnpg.io
    kind: Cluster
    rollsLike: statefulset
    replicas: spec.instances
    image: spec.imageName
# cluster.yaml
${RESOURCE}`,
  fixedExample: RESOURCE,
  messages: {
    mapped: defineMessage<MappedData>({
      text: (data) => `${describeMap(data)}: the code of the operator was not analysed.`,
      help: () => 'Compare the rows with a rollout of the operator. Quotas, capacity, budgets and autoscalers are not checked.',
      sample: { resource: 'Cluster.postgresql.cnpg.io', rollsLike: 'statefulset' },
    }),
    unreadable: defineMessage<UnreadableData>({
      text: ({ field, reason, ...data }) => `${describeMap(data)}, and no rollout is shown: ${field}: ${reason}.`,
      help: () => 'Correct the field, or its path under operatorResources in the configuration.',
      sample: {
        resource: 'Cluster.postgresql.cnpg.io',
        rollsLike: 'statefulset',
        field: 'spec.instances',
        reason: '"three" is not a number of replicas',
      },
    }),
  },
});

/** Reports a rollout that follows from a map. */
export function reportMapped(data: MappedData, path: FieldPath): Finding {
  return mappedNotVerified.createFinding('mapped', { path, data });
}

/** Reports a mapped field that cannot be read. */
export function reportUnreadableField(data: Omit<UnreadableData, 'field'>, path: FieldPath): Finding {
  return mappedNotVerified.createFinding('unreadable', { path, data: { ...data, field: path } });
}
