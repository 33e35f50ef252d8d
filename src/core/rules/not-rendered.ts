import { WHOLE_OBJECT } from '../field-path';
import { message, rule } from '../finding';
import type { Finding } from '../finding';
import { listed } from '../words';
import { SOUND_DEPLOYMENT } from './examples';

interface FailedData {
  /** The folder, as reached from the PATH given. */
  readonly folder: string;
  readonly command: string;
  /** What the program says. */
  readonly reason: string;
}

interface AbsentData {
  /** Any of them would do. */
  readonly programs: readonly string[];
  /** The folders that they would render. */
  readonly folders: number;
}

/** What was to be rendered and is not. */
export const notRendered = rule({
  code: 'input/not-rendered',
  since: '0.1.0',
  severity: 'error',
  fires: 'With `--render`, kustomize or helm is not there, or fails on a folder.',
  why:
    'What a kustomization or a chart comes to is what its program prints; where that fails, nothing of it is planned, and a check has to say so. ' +
    'A program that is not there is one finding, and the files are then read as they are without `--render`.',
  fix: 'Mend what the program says, or install it; without `--render` the files are read as they are.',
  example: `# rolloutkit plan app --render
# app/kustomization.yaml
resources: [web.yaml, missing.yaml]
# app/web.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
`,
  fixed: `# rolloutkit plan app
# app/kustomization.yaml
resources: [web.yaml]
# app/web.yaml
${SOUND_DEPLOYMENT}`,
  messages: {
    failed: message<FailedData>({
      text: ({ folder, command, reason }) => `${folder} is not planned, for ${command} fails: ${reason}`,
      help: ({ command }) => `Run ${command} and mend what it says.`,
      sample: {
        folder: 'overlays/prod',
        command: 'kustomize build overlays/prod',
        reason: 'accumulating resources: missing.yaml: no such file',
      },
    }),
    absent: message<AbsentData>({
      text: ({ programs, folders }) =>
        `${listed(programs, 'or')} is not there to render ${folders === 1 ? '1 folder' : `${folders} folders`}: what stands there is read as it is.`,
      help: ({ programs }) => `Install ${listed(programs, 'or')}, or leave --render out.`,
      sample: { programs: ['kustomize', 'kubectl'], folders: 3 },
      variants: [{ programs: ['helm'], folders: 1 }],
    }),
  },
});

/** Says of a folder that its program failed. */
export function renderFailedFinding(data: FailedData): Finding {
  return notRendered.finding('failed', { path: WHOLE_OBJECT, data, source: { file: data.folder, line: 1 } });
}

/** Says that a program is not there. */
export function programAbsentFinding(data: AbsentData): Finding {
  return notRendered.finding('absent', { path: WHOLE_OBJECT, data });
}
