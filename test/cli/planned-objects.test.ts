import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { rolloutkit } from './command-line';
import { WEB } from './manifests';

/** Plans a file, and then checks another text under the same name against that plan. */
async function checked(planned: string, applied: string, options = '', inspect?: (folder: string) => void) {
  const { stdout } = await rolloutkit('plan --format json web.yaml', { files: { 'web.yaml': planned } });
  const files = { 'plan.json': stdout, 'web.yaml': applied };
  return rolloutkit(`check --plan plan.json ${options} web.yaml`, { files, ...(inspect && { inspect }) });
}

const OTHER = WEB.replace('web:1', 'web:2');

describe('check --plan', () => {
  test('passes if the objects are those that were planned', async () => {
    expect(await checked(WEB, WEB)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('passes if only comments, the order of keys or the formatting differ', async () => {
    const other = `# reviewed\n${WEB.replace('kind: Deployment\n', '').replace('metadata:\n', 'kind: Deployment\nmetadata:\n').replace('{app: web}', '{"app": "web"}')}`;
    expect(await checked(WEB, other)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('fails if something else is about to be applied', async () => {
    const { exitCode, stdout, stderr } = await checked(WEB, OTHER);
    expect([exitCode, stderr]).toEqual([1, '']);
    expect(stdout).toBe(`1 rollout on Kubernetes 1.36 (assumed): 1 error

error  input/not-as-planned
  The objects are not those that plan.json was planned from.
  fix: Plan them again with the same paths and options, such as --render and --values, and review that plan.

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
`);
  });

  test.each(['github', 'gitlab', 'json', 'junit', 'sarif'])('the format %s says so too', async (format) => {
    const { stdout } = await checked(WEB, OTHER, `--format ${format}`);
    expect(stdout).toContain('The objects are not those that plan.json was planned from.');
  });

  test('fails whatever the threshold and the baseline are', async () => {
    expect((await checked(WEB, OTHER, '--fail-on never')).exitCode).toBe(1);
    let baseline = '';
    const { exitCode } = await checked(WEB, OTHER, '--write-baseline baseline.json', (folder) => {
      baseline = readFileSync(path.join(folder, 'baseline.json'), 'utf8');
    });
    expect([exitCode, JSON.parse(baseline)]).toEqual([1, expect.objectContaining({ findings: [] })]);
  });

  test('fails if a value of a Secret differs, and the digest is none that tells the value to those who try all words', async () => {
    const secret = (pin: string) => `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"},"stringData":{"pin":"${pin}"}}`;
    expect((await checked(secret('1234'), secret('1234'))).exitCode).toBe(0);
    expect((await checked(secret('1234'), secret('1235'))).exitCode).toBe(1);
    const { stdout } = await rolloutkit('plan --format json a.json', { files: { 'a.json': secret('1234') } });
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(stdout).toContain('"inputDigest": "sha256:');
    expect(stdout).not.toContain(sha256(sha256(secret('1234'))));
  });

  test('refuses a file without a digest', async () => {
    const { exitCode, stderr } = await rolloutkit('check --plan plan.json web.yaml', { files: { 'plan.json': '{}', 'web.yaml': WEB } });
    expect([exitCode, stderr]).toEqual([
      2,
      'rolloutkit: plan.json, given with --plan, is not a plan with a digest; write it with plan --format json --output plan.json\n',
    ]);
  });

  test.each([
    [
      'of another format',
      '{"formatVersion": "99.0", "rollouts": []}',
      'plan.json is a plan document of format "99.0", and this rolloutkit reads 1.2',
    ],
    ['that is damaged', '{"formatVersion": "1.2", "rollouts": [null]}', 'plan.json is not a plan document as plan --format json prints it'],
  ])('refuses a plan %s', async (_, plan, reason) => {
    const { exitCode, stderr } = await rolloutkit('check --plan plan.json web.yaml', { files: { 'plan.json': plan, 'web.yaml': WEB } });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`rolloutkit: ${reason}`)]);
  });
});
