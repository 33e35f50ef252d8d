import { ROOT_PATH } from '../manifest/field-path';
import { defineMessage, defineRule } from '../findings/finding';
import type { Finding } from '../findings/finding';
import { DEFAULT_VERSIONS } from '../values/versions';
import { VALID_DEPLOYMENT } from './examples';

interface NotAsPlannedData {
  /** Plan document that `--plan` names. */
  readonly plan: string;
}

const SUMMARY = { rollouts: 0, notPlanned: 0, errors: 0, warnings: 0, infos: 0, suppressed: 0 };

function writePlan(digest: string): string {
  const plan = { formatVersion: '1.2', versions: DEFAULT_VERSIONS, rollouts: [], notPlanned: [], findings: [], summary: SUMMARY };
  return JSON.stringify({ ...plan, inputDigest: `sha256:${digest}` });
}

function writeExample(digest: string): string {
  return `# rolloutkit check --plan plan.json .
# plan.json
${writePlan(digest)}
# web.yaml
${VALID_DEPLOYMENT}`;
}

/** Objects that are not those of a plan that was reviewed. */
export const notAsPlanned = defineRule({
  code: 'input/not-as-planned',
  since: '0.1.0',
  severity: 'error',
  fires: 'With `check --plan`, the objects are not those that the plan document was made from.',
  why:
    'Between the review and the deployment a branch, a values file or a remote base can change, and what was reviewed is then not what is applied. ' +
    'A plan document contains a digest of the objects that it was made from. Key order, comments, formatting and file names do not count. ' +
    'No baseline, configuration or threshold hides this finding.',
  fix: 'Plan the objects again and review that plan, or apply what was planned.',
  example: writeExample('0'.repeat(64)),
  fixedExample: writeExample('3af909049680c70df935ad4fa55c05dc2574502acc2d2aac56307d4eb68dd590'),
  messages: {
    differs: defineMessage<NotAsPlannedData>({
      text: ({ plan }) => `The objects are not those that ${plan} was planned from.`,
      help: () => 'Plan them again with the same paths and options, such as --render and --values, and review that plan.',
      sample: { plan: 'plan.json' },
    }),
  },
});

/** Creates the finding about a plan document that other objects were planned for. */
export function createNotAsPlannedFinding(plan: string): Finding {
  return notAsPlanned.createFinding('differs', { path: ROOT_PATH, data: { plan } });
}
