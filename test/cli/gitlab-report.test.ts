/**
 * A schema of Code Quality reports, since GitLab publishes none. GitLab's server silently drops entries that do not match it.
 *
 * @see GitLab, app/validators/json_schemas/codeclimate.json and lib/gitlab/ci/reports/codequality_reports.rb
 */
import Ajv from 'ajv';
import { rolloutkit } from './command-line';
import { QUOTED, WEB, withStrategy } from './manifests';

const SEVERITIES = ['blocker', 'critical', 'major', 'minor', 'info'];

const validate = new Ajv({ allErrors: true }).compile({
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    additionalProperties: false,
    properties: {
      // One line of text.
      description: { type: 'string', minLength: 1, pattern: '^[^\\n\\r]*$' },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      severity: { enum: SEVERITIES },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        additionalProperties: false,
        properties: {
          // From the root of the repository.
          path: { type: 'string', minLength: 1, pattern: '^(?!/|\\./|.*\\.\\./)' },
          lines: {
            type: 'object',
            required: ['begin'],
            additionalProperties: false,
            properties: { begin: { type: 'integer', minimum: 1 } },
          },
        },
      },
    },
  },
});

interface Entry {
  readonly fingerprint: string;
  readonly severity: string;
}

const OUTAGE = withStrategy('{rollingUpdate: {maxSurge: 0, maxUnavailable: "100%"}}', 'gone');
const HOSTILE = 'a\u001b[31m]]>&<"\'\ud800\uffff::b\nc';

/** Findings of every severity, suppressed, about no rollout, about an unsupported kind, with hostile text, and two about one object. */
const FILES = {
  'apps/quoted.yaml': `${QUOTED}---\n${QUOTED}`,
  'apps/gone.yaml': `${OUTAGE}---\n${OUTAGE.replace('name: gone\n', 'name: known\n').replace('  namespace', "  annotations: {rolloutkit/ignore: 'kubernetes/outage: by design'}\n  namespace")}`,
  'apps/paused.yaml': WEB.replace('name: web\n', 'name: paused\n').replace('spec:\n', 'spec:\n  paused: true\n'),
  'apps/hostile.yaml': JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: HOSTILE },
    spec: { [HOSTILE]: HOSTILE },
  }),
  'apps/broken.yaml': 'a: [\n',
  'apps/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: lonely}\nspec: {containers: [{name: a, image: a}]}\n',
  'apps/fine.yaml': WEB.replace('name: web\n', 'name: fine\n'),
};

test.each([
  ['apps', ['major', 'minor', 'info']],
  ['./apps', ['major', 'minor', 'info']],
  ['apps/fine.yaml', []],
])('every entry of check %s is one that GitLab accepts, and none hides another', async (given, severities) => {
  const { stdout } = await rolloutkit(`check ${given} --format gitlab`, { files: FILES });
  const entries = JSON.parse(stdout) as Entry[];

  expect([validate(entries), validate.errors]).toEqual([true, null]);
  expect(new Set(entries.map(({ severity }) => severity))).toEqual(new Set(severities));
  // GitLab keeps only the last of two entries with one fingerprint.
  expect(new Set(entries.map(({ fingerprint }) => fingerprint)).size).toBe(entries.length);
});
