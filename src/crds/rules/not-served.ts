import { toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import type { Manifest } from '../../core/manifest/manifest';
import { joinWords } from '../../core/text/text-format';

interface NotServedData {
  readonly apiVersion: string;
  readonly kind: string;
  readonly served: readonly string[];
}

const EXAMPLE_CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: caches.shop.example}
spec:
  group: shop.example
  scope: Namespaced
  names: {plural: caches, singular: cache, kind: Cache, listKind: CacheList}
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
    - {name: v1beta1, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}
`;

function formatExample(version: string): string {
  return `# rolloutkit plan --crds crd.yaml cache.yaml
# crd.yaml
${EXAMPLE_CRD}# cache.yaml
apiVersion: shop.example/${version}
kind: Cache
metadata: {name: front}
`;
}

/** An object in a version that its CRD does not serve. */
export const notServedByCrd = defineRule({
  code: 'crds/not-served',
  since: '0.1.0',
  severity: 'error',
  fires: 'With `--crds`, or if the input contains the CRD, the CRD of an object does not serve its apiVersion.',
  why: 'The API server knows no such kind in that version and refuses the object: `no matches for kind`.',
  fix: 'Write an apiVersion that the CRD serves.',
  example: formatExample('v1beta1'),
  fixedExample: formatExample('v1'),
  messages: {
    version: defineMessage<NotServedData>({
      text: ({ apiVersion, kind }) => `The CRD of ${kind} does not serve ${apiVersion}: the API server refuses the object.`,
      help: ({ served }) =>
        served.length === 0 ? 'Provide a CRD that serves a version.' : `Write apiVersion: ${joinWords(served, 'or')}.`,
      sample: { apiVersion: 'shop.example/v1beta1', kind: 'Cache', served: ['shop.example/v1'] },
      variants: [{ apiVersion: 'shop.example/v1beta1', kind: 'Cache', served: [] }],
    }),
  },
});

/** Creates the finding for an object whose version is not served. */
export function createNotServedByCrdFinding({ apiVersion, kind }: Manifest, served: readonly string[]): Finding {
  return notServedByCrd.createFinding('version', { path: toFieldPath`apiVersion`, data: { apiVersion, kind, served } });
}
