import { ANY, MAP, STRING, STRING_MAP, defineList, defineMap, closeSchema } from '../../core/values/schema';
import type { FieldSchema } from '../../core/values/schema';

const STEP = closeSchema(
  defineList({
    matchExpressions: closeSchema(defineList({ key: STRING, operator: STRING, values: { type: 'string-list' } })),
    maxUpdate: { type: 'int-or-string' },
  }),
);

const SELECTOR = closeSchema(defineMap({ matchLabels: STRING_MAP, matchExpressions: { type: 'list' } }));

/** The generators of an ApplicationSet. Source: Argo CD v3.5.1, applicationset_types.go, `ApplicationSetGenerator`. */
export const GENERATORS: FieldSchema = closeSchema(
  defineList({
    clusters: closeSchema(defineMap({ selector: SELECTOR, template: MAP, values: MAP, flatList: ANY })),
    list: closeSchema(defineMap({ elements: { type: 'list' }, elementsYaml: STRING, template: MAP })),
    git: MAP,
    scmProvider: MAP,
    clusterDecisionResource: MAP,
    pullRequest: MAP,
    matrix: MAP,
    merge: MAP,
    plugin: MAP,
    selector: SELECTOR,
  }),
);

/** The fields of an ApplicationSet that affect how its Applications sync. Source: Argo CD v3.5.1, applicationset_types.go. */
export const APPLICATION_SET_SCHEMA: FieldSchema = defineMap({
  spec: defineMap({
    generators: GENERATORS,
    template: defineMap({ metadata: defineMap({ name: STRING, labels: { type: 'string-map' } }), spec: MAP }),
    strategy: closeSchema(defineMap({ type: STRING, deletionOrder: STRING, rollingSync: closeSchema(defineMap({ steps: STEP })) })),
    syncPolicy: ANY,
  }),
});
