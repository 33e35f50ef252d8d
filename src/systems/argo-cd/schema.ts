import { ANY, MAP, STRING, listOf, map, whole } from '../../core/schema';
import type { FieldSchema } from '../../core/schema';

const STEP = whole(
  listOf({
    matchExpressions: whole(listOf({ key: STRING, operator: STRING, values: { type: 'string-list' } })),
    maxUpdate: { type: 'int-or-string' },
  }),
);

/** What decides how an ApplicationSet goes about its Applications. Source: Argo CD v3.5.1, applicationset_types.go. */
export const SET_SCHEMA: FieldSchema = map({
  spec: map({
    generators: { type: 'list' },
    template: map({ metadata: map({ name: STRING, labels: { type: 'string-map' } }), spec: MAP }),
    strategy: whole(map({ type: STRING, deletionOrder: STRING, rollingSync: whole(map({ steps: STEP })) })),
    syncPolicy: ANY,
  }),
});
