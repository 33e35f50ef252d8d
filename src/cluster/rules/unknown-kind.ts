import { at } from '../../core/field-path';
import { message, rule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { unknownKindOf } from '../known-kinds';
import type { UnknownKind } from '../known-kinds';
import { SOUND_DEPLOYMENT } from '../../core/rules/examples';

interface KindData extends UnknownKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A kind that its group does not have. */
export const unknownKind = rule({
  code: 'kubernetes/unknown-kind',
  since: '0.1.0',
  severity: 'error',
  fires: 'A kind is misspelt, in upper or lower case as well, or stands under the apiVersion of another.',
  why: 'The API server knows no such kind and refuses the object: `no matches for kind "deployment" in version "apps/v1"`. Nothing of it is planned.',
  fix: 'Write the kind as `kubectl api-resources` lists it, with its apiVersion.',
  example: `apiVersion: apps/v1
kind: deployment
metadata:
  name: web
`,
  fixed: SOUND_DEPLOYMENT,
  messages: {
    none: message<KindData>({
      text: ({ apiVersion, kind }) =>
        `${apiVersion} has no kind ${JSON.stringify(kind)}, so the API server refuses this object and nothing of it is planned.`,
      help: ({ meant, group }) => {
        if (meant === undefined) return 'Write the kind as kubectl api-resources lists it.';
        return group === undefined
          ? `Write kind: ${meant}.`
          : `Write kind: ${meant} with an apiVersion of ${group === '' ? 'the core group: v1' : `${group}: ${group}/v1`}.`;
      },
      sample: { apiVersion: 'apps/v1', kind: 'Deploymnet', meant: 'Deployment' },
      variants: [
        { apiVersion: 'v1', kind: 'Deployment', meant: 'Deployment', group: 'apps' },
        { apiVersion: 'apps/v1', kind: 'Pod', meant: 'Pod', group: '' },
        { apiVersion: 'apps/v1', kind: 'Xyz' },
      ],
    }),
  },
});

/** Says of an object that its group has no such kind; nothing where it has, or where that is not known. */
export function unknownKindFinding(object: Manifest): Finding | undefined {
  const unknown = unknownKindOf(object);
  const { apiVersion, kind } = object;
  return unknown && unknownKind.finding('none', { path: at`kind`, data: { apiVersion, kind, ...unknown } });
}
