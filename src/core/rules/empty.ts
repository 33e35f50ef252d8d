import { ROOT_PATH } from '../manifest/field-path';
import { defineMessage, defineRule } from '../findings/finding';
import type { Finding } from '../findings/finding';
import { pluralize } from '../text/text-format';
import { VALID_DEPLOYMENT } from './examples';

interface NoObjectsData extends EmptyData {
  /** Number of documents in the folder. */
  readonly documents: number;
}

interface ExcludedData extends EmptyData {
  /** Path of the configuration that excludes the files, or `--exclude`. */
  readonly by: string;
}

interface EmptyData {
  /** Given PATH; `-` for standard input. */
  readonly path: string;
}

/** Option that excludes files. */
const EXCLUDE_OPTION = '--exclude';

/** An input that contains nothing to plan. */
export const empty = defineRule({
  code: 'input/empty',
  since: '0.1.0',
  severity: ['warning', 'error'],
  fires:
    'A PATH contains no document, or a folder contains no Kubernetes object (an error for standard input and if a configuration excludes every file, a warning for a file or a folder).',
  why:
    'A plan of nothing has no findings, so everything seems fine. Standard input is empty if the command before the pipe failed: ' +
    '`helm template` writes its error message to standard error.',
  fix: 'Check the output of the command before the pipe, or name the folder that contains the manifests.',
  example: `# apiVersion: apps/v1
# kind: Deployment
`,
  fixedExample: VALID_DEPLOYMENT,
  messages: {
    noObjects: defineMessage<NoObjectsData>({
      text: ({ path, documents }) =>
        `The folder ${path} contains ${pluralize(documents, 'document')} but no Kubernetes object, so nothing is planned.`,
      help: () => 'Name the folder that contains the manifests, or plan what a program renders from this one.',
      sample: { path: 'ansible', documents: 3 },
    }),
    stream: defineMessage<EmptyData>({
      text: () => 'Standard input contains no document, so nothing is planned.',
      help: () => 'Check the output of the command before the pipe; with `set -o pipefail` its failure fails the entire pipeline.',
      sample: { path: '-' },
    }),
    file: defineMessage<EmptyData>({
      text: ({ path }) => `The file ${path} contains no document, so nothing is planned.`,
      help: () => 'Name a file that contains manifests.',
      sample: { path: 'web.yaml' },
    }),
    folder: defineMessage<EmptyData>({
      text: ({ path }) => `The folder ${path} contains no document, so nothing is planned.`,
      help: () =>
        'Name the folder that contains the manifests: every .yaml, .yml and .json file below it is read, except in hidden folders.',
      sample: { path: 'dist' },
    }),
    excluded: defineMessage<ExcludedData>({
      text: ({ path, by }) => `${by} excludes every file of the folder ${path}, so nothing is planned.`,
      help: ({ by }) =>
        by === EXCLUDE_OPTION
          ? 'Exclude less, or name the files that must be planned.'
          : `Exclude less in ${by}, or run with --no-config or --require-planned, which plan every file.`,
      sample: { path: 'dist', by: 'rolloutkit.yaml' },
      variants: [{ path: 'dist', by: '--exclude' }],
    }),
  },
});

/** The kind of a PATH. */
export type PathKind = 'stream' | 'file' | 'folder';

/** Creates the finding for a PATH without a document. */
export function createEmptyFinding(path: string, kind: PathKind): Finding {
  return empty.createFinding(kind, { path: ROOT_PATH, data: { path }, severity: kind === 'stream' ? 'error' : 'warning' });
}

/** Creates the finding for a folder without a Kubernetes object. */
export function createNoObjectsFinding(path: string, documents: number): Finding {
  return empty.createFinding('noObjects', { path: ROOT_PATH, data: { path, documents }, severity: 'warning' });
}

/** Creates the finding for a folder whose files are all excluded. An option is what the user wants, so it is a warning. */
export function createAllExcludedFinding(path: string, by: string): Finding {
  return empty.createFinding('excluded', { path: ROOT_PATH, data: { path, by }, severity: by === EXCLUDE_OPTION ? 'warning' : 'error' });
}
