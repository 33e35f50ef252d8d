import { ROOT_PATH } from '../field-path';
import { defineMessage, defineRule } from '../finding';
import type { Finding } from '../finding';
import { VALID_DEPLOYMENT } from './examples';

interface ExpectationData {
  /** How many files there are of the kind. */
  readonly files: number;
  /** The first of them, as reached from the PATH given. */
  readonly first: string;
}

/** What a test expects to find in a cluster, and nobody applies. */
export const testExpectation = defineRule({
  code: 'input/test-expectation',
  since: '0.1.0',
  severity: 'info',
  fires:
    'A folder holds files with what a test of kuttl or chainsaw expects to find in the cluster, such as `00-assert.yaml`, ' +
    'or a file that a `chainsaw-test.yaml` names under `assert` or `error`; once a run. A file given by name is planned all the same.',
  why:
    'Such a file names the fields that a test looks at, and leaves out all others: the API server would refuse it, and nobody applies it. ' +
    'It is not planned, and decides about nothing.',
  fix: 'Nothing, where it is an expectation. What is applied wants another name: kuttl looks for `assert` and `errors` behind the number. `--exclude` leaves the tests out.',
  example: `# rolloutkit plan .
# tests/00-assert.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
status:
  readyReplicas: 2
`,
  fixedExample: VALID_DEPLOYMENT,
  messages: {
    notApplied: defineMessage<ExpectationData>({
      text: ({ files, first }) =>
        files === 1
          ? `${first} holds what a test expects to find in the cluster: nobody applies it, so it is not planned.`
          : `${files} files, such as ${first}, hold what tests expect to find in the cluster: nobody applies them, so they are not planned.`,
      help: () => 'Nothing is to be done. Leave the tests out with --exclude, or name a file as a PATH to have it planned.',
      sample: { files: 12, first: 'tests/web/00-assert.yaml' },
      variants: [{ files: 1, first: 'tests/web/00-assert.yaml' }],
    }),
  },
});

/** Says of files, if there are any, that nobody applies them. */
export function checkTestExpectation(files: readonly string[]): Finding[] {
  const [first] = files;
  if (first === undefined) return [];
  return [
    testExpectation.createFinding('notApplied', {
      path: ROOT_PATH,
      data: { files: files.length, first },
      source: { file: first, line: 1 },
    }),
  ];
}
