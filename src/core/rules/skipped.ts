import { ROOT_PATH } from '../manifest/field-path';
import { defineMessage, defineRule } from '../findings/finding';
import type { Finding } from '../findings/finding';
import { VALID_DEPLOYMENT } from './examples';

/** Kind of a folder entry that is not read. */
export type SkippedEntry = 'link' | 'pipe' | 'socket' | 'device' | 'submodule';

interface SkippedData {
  readonly file: string;
}

interface SpecialData extends SkippedData {
  readonly entry: Exclude<SkippedEntry, 'link'>;
}

/** A folder entry that is not read, reported so that the user does not assume it was checked. */
export const skipped = defineRule({
  code: 'input/skipped',
  since: '0.1.0',
  severity: ['info', 'error'],
  fires:
    'A folder contains a symbolic link that leads out of the PATH, or a pipe, socket or device that is named like a manifest, or a submodule is in a revision or not checked out (an error with `--policy` or `--require-planned`).',
  why:
    'The author of a change could use a link to read any file of the machine, and a pipe to block the run forever. ' +
    'Neither is opened, so its content is in no plan.',
  fix: 'Pass the target of the link as a separate PATH if it should be read.',
  example: `# secrets.yaml is a symbolic link to /etc/passwd
`,
  fixedExample: VALID_DEPLOYMENT,
  messages: {
    link: defineMessage<SkippedData>({
      text: ({ file }) => `The symbolic link ${file} leads out of the given PATH or into .git, so it is not followed.`,
      help: () => 'Pass its target as a separate PATH if it should be read.',
      sample: { file: 'deploy/secrets.yaml' },
    }),
    special: defineMessage<SpecialData>({
      text: ({ file, entry }) =>
        entry === 'submodule'
          ? `${file} is a submodule, whose files are in another repository, so they are not read.`
          : `${file} is a ${entry}, not a file, so it is not read.`,
      help: ({ entry }) =>
        entry === 'submodule'
          ? 'Name a folder in which the submodule is checked out if it contains manifests.'
          : 'Keep manifests in regular files, or pass it as a separate PATH.',
      sample: { file: 'deploy/web.yaml', entry: 'pipe' },
      variants: [{ file: 'git:HEAD:deploy/base', entry: 'submodule' }],
    }),
  },
});

/** Creates the finding for a folder entry that is not read. */
export function createSkippedFinding(file: string, entry: SkippedEntry, severity: 'info' | 'error'): Finding {
  const occurrence = { path: ROOT_PATH, source: { file, line: 1 }, severity };
  return entry === 'link'
    ? skipped.createFinding('link', { ...occurrence, data: { file } })
    : skipped.createFinding('special', { ...occurrence, data: { file, entry } });
}
