import { byChoice, plainly, set } from '../../core/advice';
import { at } from '../../core/field-path';
import { message, rule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { nameOf } from '../../core/manifest';
import { notServed } from '../served-apis';
import type { NotServed } from '../served-apis';
import { SOUND_DEPLOYMENT } from '../../core/rules/examples';

interface ApiData extends NotServed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** The version that the plan is made for. */
  readonly version: string;
}

/** From and to which apiVersion an object keeps its fields; those of an autoscaler's first beta, and what a budget's empty selector means, differ. */
const SAME_FIELDS: readonly RegExp[] = [/^(?:apps|extensions)\/v1beta\d apps\/v1$/, /^autoscaling\/v2beta2 autoscaling\/v2$/];

/** An apiVersion that the cluster does not serve. */
export const removedApi = rule({
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
  fixed: SOUND_DEPLOYMENT,
  messages: {
    notServed: message<ApiData>({
      text: ({ apiVersion, kind, name, version, since, until }) => {
        const when =
          until === undefined ? (since === undefined ? ', nor any other' : `, but ${since} and later do`) : `: ${until} removed it`;
        return `Kubernetes ${version} does not serve ${kind} of ${apiVersion}${when}. It refuses ${name === '' ? 'this object' : `"${name}"`}.`;
      },
      help: ({ served, kind }) => `Write apiVersion: ${served}, and its fields of ${kind}.`,
      advice: ({ apiVersion, served }, path) => {
        const keepsFields = SAME_FIELDS.some((pair) => pair.test(`${apiVersion} ${served}`));
        return keepsFields ? plainly(set(path, served)) : byChoice(set(path, served));
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
export function removedApiFinding(object: Manifest, version: string): Finding | undefined {
  const { apiVersion, kind } = object;
  const why = notServed(object, version);
  return (
    why && removedApi.finding('notServed', { path: at`apiVersion`, data: { apiVersion, kind, name: nameOf(object), version, ...why } })
  );
}
