import { suggestManualFix, suggestAutomaticFix, setField } from '../../core/suggested-fix';
import { toFieldPath } from '../../core/field-path';
import { defineMessage, defineRule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { nameOf } from '../../core/manifest';
import { explainNotServed } from '../served-apis';
import type { UnservedApi } from '../served-apis';
import { VALID_DEPLOYMENT } from '../../core/rules/examples';

interface ApiData extends UnservedApi {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** The version that the plan is made for. */
  readonly version: string;
}

/** From and to which apiVersion an object keeps its fields; those of an autoscaler's first beta, and what a budget's empty selector means, differ. */
const SAME_FIELDS: readonly RegExp[] = [/^(?:apps|extensions)\/v1beta\d apps\/v1$/, /^autoscaling\/v2beta2 autoscaling\/v2$/];

/** An apiVersion that the cluster does not serve. */
export const removedApi = defineRule({
  code: 'kubernetes/removed-api',
  since: '0.1.0',
  severity: 'error',
  fires: 'The planned version of Kubernetes does not serve the apiVersion of a workload, a budget or an autoscaler.',
  why:
    'The API server knows no such kind and refuses the object, so nothing of it is rolled out, and a budget or an autoscaler decides about nobody. ' +
    'Fields may have moved or changed their defaults in the apiVersion that is served.',
  fix: 'Write the apiVersion that is served, with its fields; `kubectl convert` does it.',
  example: `apiVersion: extensions/v1beta1
kind: Deployment
metadata:
  name: web
`,
  fixedExample: VALID_DEPLOYMENT,
  messages: {
    notServed: defineMessage<ApiData>({
      text: ({ apiVersion, kind, name, version, since, until }) => {
        const when =
          until === undefined ? (since === undefined ? ', nor any other' : `, but ${since} and later do`) : `: ${until} removed it`;
        return `Kubernetes ${version} does not serve ${kind} of ${apiVersion}${when}. It refuses ${name === '' ? 'this object' : `"${name}"`}.`;
      },
      help: ({ served, kind }) => `Write apiVersion: ${served}, and its fields of ${kind}.`,
      suggestedFix: ({ apiVersion, served }, path) => {
        const keepsFields = SAME_FIELDS.some((pair) => pair.test(`${apiVersion} ${served}`));
        return keepsFields ? suggestAutomaticFix(setField(path, served)) : suggestManualFix(setField(path, served));
      },
      sample: { apiVersion: 'extensions/v1beta1', kind: 'Deployment', name: 'web', version: '1.34', until: '1.16', served: 'apps/v1' },
      variants: [
        {
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          name: 'web',
          version: '1.22',
          since: '1.23',
          served: 'autoscaling/v1',
        },
        { apiVersion: 'apps/v2', kind: 'Deployment', name: '', version: '1.34', served: 'apps/v1' },
      ],
    }),
  },
});

/** Says of an object that the planned version does not serve its apiVersion; nothing where it does. */
export function checkRemovedApi(object: Manifest, version: string): Finding | undefined {
  const { apiVersion, kind } = object;
  const why = explainNotServed(object, version);
  return (
    why &&
    removedApi.createFinding('notServed', {
      path: toFieldPath`apiVersion`,
      data: { apiVersion, kind, name: nameOf(object), version, ...why },
    })
  );
}
