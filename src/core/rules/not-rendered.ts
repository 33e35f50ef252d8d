import { ROOT_PATH } from '../field-path';
import { defineMessage, defineRule } from '../finding';
import type { Finding } from '../finding';
import { joinWords } from '../text-format';
import { VALID_DEPLOYMENT } from './examples';

interface FailedData {
  /** The folder, as reached from the PATH given. */
  readonly folder: string;
  readonly command: string;
  /** What the program says. */
  readonly reason: string;
}

interface MissingProgramData {
  /** Any of them would do. */
  readonly programs: readonly string[];
  /** The folders that they would render. */
  readonly folders: number;
}

/** What was to be rendered and is not. */
export const notRendered = defineRule({
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
  fixedExample: `# rolloutkit plan app
# app/kustomization.yaml
resources: [web.yaml]
# app/web.yaml
${VALID_DEPLOYMENT}`,
  messages: {
    failed: defineMessage<FailedData>({
      text: ({ folder, command, reason }) => `${folder} is not planned, for ${command} fails: ${reason}`,
      help: ({ command }) => `Run ${command} and mend what it says.`,
      sample: {
        folder: 'overlays/prod',
        command: 'kustomize build overlays/prod',
        reason: 'accumulating resources: missing.yaml: no such file',
      },
    }),
    programMissing: defineMessage<MissingProgramData>({
      text: ({ programs, folders }) =>
        `${joinWords(programs, 'or')} is not there to render ${folders === 1 ? '1 folder' : `${folders} folders`}: what stands there is read as it is.`,
      help: ({ programs }) => `Install ${joinWords(programs, 'or')}, or leave --render out.`,
      sample: { programs: ['kustomize', 'kubectl'], folders: 3 },
      variants: [{ programs: ['helm'], folders: 1 }],
    }),
  },
});

/** Says of a folder that its program failed. */
export function createRenderFailedFinding(data: FailedData): Finding {
  return notRendered.createFinding('failed', { path: ROOT_PATH, data, source: { file: data.folder, line: 1 } });
}

/** Says that a program is not there. */
export function createProgramMissingFinding(data: MissingProgramData): Finding {
  return notRendered.createFinding('programMissing', { path: ROOT_PATH, data });
}
