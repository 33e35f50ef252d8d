import { suggestManualFix, suggestAutomaticFix, setField } from '../../core/findings/suggested-fix';
import { toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import type { Manifest } from '../../core/manifest/manifest';
import { nameOf } from '../../core/manifest/manifest';
import { explainNotServed } from '../kinds/served-apis';
import type { UnservedApi } from '../kinds/served-apis';
import { VALID_DEPLOYMENT } from '../../core/rules/examples';

interface ApiData extends UnservedApi {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** The planned version of Kubernetes. */
  readonly version: string;
}

/**
 * Pairs of removed and served apiVersions with the same fields. The first beta of an autoscaler has other fields, and an empty selector of
 * a budget changed its meaning.
 */
const SAME_FIELDS: readonly RegExp[] = [/^(?:apps|extensions)\/v1beta\d apps\/v1$/, /^autoscaling\/v2beta2 autoscaling\/v2$/];

/** An apiVersion that the cluster does not serve. */
export const removedApi = defineRule({
  code: 'kubernetes/removed-api',
  since: '0.1.0',
  severity: 'error',
  fires:
    'The planned version of Kubernetes does not serve the apiVersion of a kind of its own, such as a workload, a budget, an Ingress or a role.',
  why:
    'The API server does not know the kind in this apiVersion and refuses the object. A workload is then not rolled out, and a budget or autoscaler has no effect. ' +
    'Fields may have moved or changed their defaults in the served apiVersion.',
  fix: 'Write the served apiVersion with its fields. `kubectl convert` converts the object.',
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
          until === undefined
            ? since === undefined
              ? ', nor does any other version'
              : `, but ${since} and later do`
            : `: ${until} removed it`;
        return `Kubernetes ${version} does not serve ${kind} in ${apiVersion}${when}. It refuses ${name === '' ? 'this object' : `"${name}"`}.`;
      },
      help: ({ served, kind }) => `Write apiVersion: ${served}, and adapt the fields of the ${kind} to it.`,
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

/** Reports an object whose apiVersion the planned version does not serve. */
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
