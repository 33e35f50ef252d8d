import { toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import type { Manifest } from '../../core/manifest/manifest';
import { findUnknownKind } from '../kinds/known-kinds';
import type { UnknownKind } from '../kinds/known-kinds';
import { VALID_DEPLOYMENT } from '../../core/rules/examples';

interface KindData extends UnknownKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A kind that its API group does not have. */
export const unknownKind = defineRule({
  code: 'kubernetes/unknown-kind',
  since: '0.1.0',
  severity: 'error',
  fires: 'A kind is misspelled, including its case, or has the apiVersion of another kind.',
  why: 'The API server knows no such kind and refuses the object: `no matches for kind "deployment" in version "apps/v1"`. The object is not planned.',
  fix: 'Write the kind as `kubectl api-resources` lists it, with its apiVersion.',
  example: `apiVersion: apps/v1
kind: deployment
metadata:
  name: web
`,
  fixedExample: VALID_DEPLOYMENT,
  messages: {
    noSuchKind: defineMessage<KindData>({
      text: ({ apiVersion, kind }) =>
        `${apiVersion} has no kind ${JSON.stringify(kind)}, so the API server refuses this object and it is not planned.`,
      help: ({ suggestion, group }) => {
        if (suggestion === undefined) return 'Write the kind as kubectl api-resources lists it.';
        return group === undefined
          ? `Write kind: ${suggestion}.`
          : `Write kind: ${suggestion} with an apiVersion of ${group === '' ? 'the core group: v1' : `the ${group} group: ${group}/v1`}.`;
      },
      sample: { apiVersion: 'apps/v1', kind: 'Deploymnet', suggestion: 'Deployment' },
      variants: [
        { apiVersion: 'v1', kind: 'Deployment', suggestion: 'Deployment', group: 'apps' },
        { apiVersion: 'apps/v1', kind: 'Pod', suggestion: 'Pod', group: '' },
        { apiVersion: 'apps/v1', kind: 'Xyz' },
      ],
    }),
  },
});

/** Reports an object whose group has no such kind. Returns nothing if the group has it, or if that is not known. */
export function checkUnknownKind(object: Manifest): Finding | undefined {
  const unknown = findUnknownKind(object);
  const { apiVersion, kind } = object;
  return unknown && unknownKind.createFinding('noSuchKind', { path: toFieldPath`kind`, data: { apiVersion, kind, ...unknown } });
}
