import { rolloutkit } from './command-line';
import { WEB } from './manifests';

/** Plans a file, and then checks another text under the same name against that plan. */
async function checked(planned: string, applied: string) {
  const { stdout } = await rolloutkit('plan --format json web.yaml', { files: { 'web.yaml': planned } });
  return rolloutkit('check --plan plan.json web.yaml', { files: { 'plan.json': stdout, 'web.yaml': applied } });
}

describe('check --plan', () => {
  test('passes if the objects are those that were planned', async () => {
    expect(await checked(WEB, WEB)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('passes if only comments, the order of keys or the formatting differ', async () => {
    const other = `# reviewed\n${WEB.replace('kind: Deployment\n', '').replace('metadata:\n', 'kind: Deployment\nmetadata:\n').replace('{app: web}', '{"app": "web"}')}`;
    expect(await checked(WEB, other)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('fails if something else is about to be applied', async () => {
    expect(await checked(WEB, WEB.replace('web:1', 'web:2'))).toMatchObject({
      exitCode: 1,
      stderr: 'rolloutkit: the objects are not those that plan.json was planned from; plan them again, and review that plan\n',
    });
  });

  test('refuses a file without a digest', async () => {
    const { exitCode, stderr } = await rolloutkit('check --plan plan.json web.yaml', { files: { 'plan.json': '{}', 'web.yaml': WEB } });
    expect([exitCode, stderr]).toEqual([
      2,
      'rolloutkit: plan.json, given with --plan, is not a plan with a digest; write it with plan --format json --output plan.json\n',
    ]);
  });
});
