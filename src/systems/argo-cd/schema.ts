import { ANY, MAP, STRING, defineList, defineMap, closeSchema } from '../../core/schema';
import type { FieldSchema } from '../../core/schema';

const STEP = closeSchema(
  defineList({
    matchExpressions: closeSchema(defineList({ key: STRING, operator: STRING, values: { type: 'string-list' } })),
    maxUpdate: { type: 'int-or-string' },
  }),
);

/** The fields of an ApplicationSet that affect how its Applications sync. Source: Argo CD v3.5.1, applicationset_types.go. */
export const APPLICATION_SET_SCHEMA: FieldSchema = defineMap({
  spec: defineMap({
    generators: { type: 'list' },
    template: defineMap({ metadata: defineMap({ name: STRING, labels: { type: 'string-map' } }), spec: MAP }),
    strategy: closeSchema(defineMap({ type: STRING, deletionOrder: STRING, rollingSync: closeSchema(defineMap({ steps: STEP })) })),
    syncPolicy: ANY,
  }),
});
