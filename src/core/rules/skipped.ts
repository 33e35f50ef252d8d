import { ROOT_PATH } from '../field-path';
import { defineMessage, defineRule } from '../finding';
import type { Finding } from '../finding';
import { VALID_DEPLOYMENT } from './examples';

/** What stands in a folder and is not read. */
export type SkippedEntry = 'link' | 'pipe' | 'socket' | 'device';

interface SkippedData {
  readonly file: string;
}

interface SpecialData extends SkippedData {
  readonly entry: Exclude<SkippedEntry, 'link'>;
}

/** Names what is left out of a folder, so that nobody takes it for checked. */
export const skipped = defineRule({
  code: 'input/skipped',
  since: '0.1.0',
  severity: 'info',
  fires: 'A folder holds a symbolic link that leads out of the PATH, or a pipe, a socket or a device with the name of a manifest.',
  why:
    'Whoever sends a change could have any file of the machine read by a link, and a run stopped for good by a pipe. ' +
    'Neither is opened, so what it holds is in no plan.',
  fix: 'Name what the link leads to as a PATH of its own, if it is to be read.',
  example: `# secrets.yaml is a symbolic link to /etc/passwd
`,
  fixedExample: VALID_DEPLOYMENT,
  messages: {
    link: defineMessage<SkippedData>({
      text: ({ file }) => `The symbolic link ${file} leads out of the PATH given, so it is not followed.`,
      help: () => 'Name what it leads to as a PATH of its own, if it is to be read.',
      sample: { file: 'deploy/secrets.yaml' },
    }),
    special: defineMessage<SpecialData>({
      text: ({ file, entry }) => `${file} is a ${entry}, not a file, so it is not read.`,
      help: () => 'Keep manifests in files, or name it as a PATH of its own.',
      sample: { file: 'deploy/web.yaml', entry: 'pipe' },
    }),
  },
});

/** Says of an entry of a folder that it is not read. */
export function createSkippedFinding(file: string, entry: SkippedEntry): Finding {
  const about = { path: ROOT_PATH, source: { file, line: 1 } };
  return entry === 'link'
    ? skipped.createFinding('link', { ...about, data: { file } })
    : skipped.createFinding('special', { ...about, data: { file, entry } });
}
