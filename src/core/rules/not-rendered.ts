import { ROOT_PATH } from '../manifest/field-path';
import { defineMessage, defineRule } from '../findings/finding';
import type { Finding, Source } from '../findings/finding';
import { joinWords, pluralize } from '../text/text-format';
import { VALID_DEPLOYMENT } from './examples';

/** What a program could not render, and why. */
export interface RenderFailure {
  /** Folder, relative to the given PATH. */
  readonly folder: string;
  readonly command: string;
  /** Error message of the program. */
  readonly reason: string;
}

interface OneSideData {
  /** Number of kustomizations and charts of OLD. */
  readonly folders: number;
}

interface MissingProgramData {
  /** Programs that can render the folders; any one is enough. */
  readonly programs: readonly string[];
  /** Number of folders that they would render. */
  readonly folders: number;
}

/** A folder that `--render` could not render. */
export const notRendered = defineRule({
  code: 'input/not-rendered',
  since: '0.1.0',
  severity: 'error',
  fires:
    'With `--render`, kustomize or helm is not installed, or fails on a folder. Without it, NEW on standard input is compared with an OLD that is not rendered.',
  why:
    'The result of a kustomization or a chart is what its program prints. If the program fails, nothing of the folder is planned, and a check must report that. ' +
    'A missing program is one finding, and the files are then read as they are without `--render`.',
  fix: 'Fix the error that the program reports, or install the program; without `--render` the files are read as they are.',
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
    failed: defineMessage<RenderFailure>({
      text: ({ folder, command, reason }) => `${folder} is not planned because ${command} fails: ${reason}`,
      help: ({ command }) => `Run ${command} and fix the error that it reports.`,
      sample: {
        folder: 'overlays/prod',
        command: 'kustomize build overlays/prod',
        reason: 'accumulating resources: missing.yaml: no such file',
      },
    }),
    oneSide: defineMessage<OneSideData>({
      text: ({ folders }) =>
        `OLD has ${pluralize(folders, 'kustomization or chart', 'kustomizations or charts')} that ${folders === 1 ? 'is' : 'are'} not rendered, and NEW is rendered: what OLD contains is not known.`,
      help: () =>
        'Render OLD too: pipe its output to a file and name that with --from, or use --from git:REVISION --render with the folder as NEW.',
      sample: { folders: 1 },
      variants: [{ folders: 3 }],
    }),
    programMissing: defineMessage<MissingProgramData>({
      text: ({ programs, folders }) =>
        `${pluralize(folders, 'folder')} cannot be rendered without ${joinWords(programs, 'or')}, which is not installed: ${folders === 1 ? 'it is read as it is' : 'they are read as they are'}.`,
      help: ({ programs }) => `Install ${joinWords(programs, 'or')}, or omit --render.`,
      sample: { programs: ['kustomize', 'kubectl'], folders: 3 },
      variants: [{ programs: ['helm'], folders: 1 }],
    }),
  },
});

/** Reports whether a folder is missing from a plan because it could not be rendered. */
export function hasUnrenderedFolder(findings: readonly Finding[]): boolean {
  return findings.some((finding) => notRendered.matches(finding) && finding.severity === 'error' && !finding.suppressed);
}

/**
 * Creates the finding for a folder whose program failed.
 *
 * @param origin - the file of the repository that the program reads first. @default - none, for a folder of a revision
 */
export function createRenderFailedFinding(data: RenderFailure, origin?: Source): Finding {
  return notRendered.createFinding('failed', { path: ROOT_PATH, data, source: { file: data.folder, line: 1, ...(origin && { origin }) } });
}

/** Creates the finding for a program that is not installed. */
export function createProgramMissingFinding(data: MissingProgramData): Finding {
  return notRendered.createFinding('programMissing', { path: ROOT_PATH, data });
}
