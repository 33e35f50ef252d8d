import { findFirstByName } from '../collections/first-by-name';
import { ROOT_PATH } from '../manifest/field-path';
import { defineMessage, defineRule } from '../findings/finding';
import type { Finding } from '../findings/finding';
import { VALID_DEPLOYMENT } from './examples';

interface ExpectationData {
  /** Number of files of this kind. */
  readonly files: number;
  /** First of these files, relative to the given PATH. */
  readonly first: string;
}

/** A file with what a test expects to find in a cluster, which is never applied. */
export const testExpectation = defineRule({
  code: 'input/test-expectation',
  since: '0.1.0',
  severity: 'info',
  fires:
    'A folder contains files with what a kuttl or chainsaw test expects to find in the cluster, such as `00-assert.yaml` ' +
    'or a file that a `chainsaw-test.yaml` lists under `assert` or `error` (reported once per run; a file with an object that plans read is `input/not-read`).',
  why:
    'Such a file has only the fields that a test checks: the API server would refuse it, and it is never applied. ' +
    'It is not planned and does not affect other objects. A file given by name is planned anyway.',
  fix: 'Nothing, if it is an expectation. Rename a file that is applied: kuttl looks for `assert` and `errors` after the number. Exclude the tests with `--exclude`.',
  example: `# rolloutkit plan .
# tests/00-assert.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: web
data:
  ready: "true"
`,
  fixedExample: VALID_DEPLOYMENT,
  messages: {
    notApplied: defineMessage<ExpectationData>({
      text: ({ files, first }) =>
        files === 1
          ? `${first} contains what a test expects to find in the cluster: it is never applied, so it is not planned.`
          : `${files} files, such as ${first}, contain what tests expect to find in the cluster: they are never applied, so they are not planned.`,
      help: () => 'No action is needed. Exclude the tests with --exclude, or name a file as a PATH to have it planned.',
      sample: { files: 12, first: 'tests/web/00-assert.yaml' },
      variants: [{ files: 1, first: 'tests/web/00-assert.yaml' }],
    }),
  },
});

/** Returns a finding for test expectations, or none if there are no such files. */
export function checkTestExpectation(files: readonly string[]): Finding[] {
  const first = findFirstByName(files, String);
  if (first === undefined) return [];
  return [
    testExpectation.createFinding('notApplied', {
      path: ROOT_PATH,
      data: { files: files.length, first },
      source: { file: first, line: 1 },
    }),
  ];
}
