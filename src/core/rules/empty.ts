import { ROOT_PATH } from '../field-path';
import { defineMessage, defineRule } from '../finding';
import type { Finding } from '../finding';
import { pluralize } from '../text-format';
import { VALID_DEPLOYMENT } from './examples';

interface NoObjectsData extends EmptyData {
  /** How many documents there are. */
  readonly documents: number;
}

interface EmptyData {
  /** The PATH as given; `-` for standard input. */
  readonly path: string;
}

/** Nothing to plan, where something was promised. */
export const empty = defineRule({
  code: 'input/empty',
  since: '0.1.0',
  severity: ['warning', 'error'],
  fires: 'A PATH holds no document, or a folder no Kubernetes object: an error for standard input, a warning for a file or a folder.',
  why:
    'A plan of nothing has no findings, which looks like all is well. Standard input is empty where the command before the pipe has failed: ' +
    '`helm template` writes its words elsewhere.',
  fix: 'Look at what the command before the pipe says, or name the folder that holds the manifests.',
  example: `# apiVersion: apps/v1
# kind: Deployment
`,
  fixedExample: VALID_DEPLOYMENT,
  messages: {
    noObjects: defineMessage<NoObjectsData>({
      text: ({ path, documents }) =>
        `The folder ${path} holds ${pluralize(documents, 'document')} and no Kubernetes object among them, so nothing is planned.`,
      help: () => 'Name the folder that holds the manifests, or what a program renders from this one.',
      sample: { path: 'ansible', documents: 3 },
    }),
    stream: defineMessage<EmptyData>({
      text: () => 'Standard input holds no document, so nothing is planned.',
      help: () => 'Look at what the command before the pipe says; with `set -o pipefail` its failure fails the whole line.',
      sample: { path: '-' },
    }),
    file: defineMessage<EmptyData>({
      text: ({ path }) => `The file ${path} holds no document, so nothing is planned.`,
      help: () => 'Name a file that holds manifests.',
      sample: { path: 'web.yaml' },
    }),
    folder: defineMessage<EmptyData>({
      text: ({ path }) => `The folder ${path} holds no document, so nothing is planned.`,
      help: () => 'Name the folder that holds the manifests: every .yaml, .yml and .json below it is read, hidden folders apart.',
      sample: { path: 'dist' },
    }),
  },
});

/** How a PATH was given. */
export type PathKind = 'stream' | 'file' | 'folder';

/** Says that a PATH holds no document. */
export function createEmptyFinding(path: string, kind: PathKind): Finding {
  return empty.createFinding(kind, { path: ROOT_PATH, data: { path }, severity: kind === 'stream' ? 'error' : 'warning' });
}

/** Says that nothing in a folder is a Kubernetes object. */
export function createNoObjectsFinding(path: string, documents: number): Finding {
  return empty.createFinding('noObjects', { path: ROOT_PATH, data: { path, documents }, severity: 'warning' });
}
