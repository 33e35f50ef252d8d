import { rolloutkit } from './command-line';
import { QUOTED, WEB } from './manifests';

const KUSTOMIZATION = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [missing.yaml]\n';

/** Plans a change in a format, without programs that render. */
async function headlineOf(old: string, next: Readonly<Record<string, string>>, args = '', format = 'text') {
  const files = { 'old/web.yaml': old, ...Object.fromEntries(Object.entries(next).map(([name, text]) => [`new/${name}`, text])) };
  const { stdout } = await rolloutkit(`plan --from old new --format ${format} ${args}`, { files, env: { PATH: '' } });
  return stdout;
}

describe('the headline of a change never says that nothing changes if that is not known', () => {
  test.each([
    ['a document that cannot be read', { 'web.yaml': 'a: [' }, '', 'incomplete: 1 document is not read; no object of NEW was read'],
    [
      'a document that cannot be read next to an object that is the same',
      { 'web.yaml': WEB, 'b.yaml': 'a: [' },
      '',
      'incomplete: 1 document is not read; the object that was read does not differ; assumes Kubernetes 1.36',
    ],
    [
      'a document that cannot be read next to one that differs',
      { 'web.yaml': WEB.replace('web:1', 'web:2'), 'b.yaml': 'a: [' },
      '',
      'incomplete: 1 document is not read; 1 of 1 object differs: 1 rolls; 10 pods are replaced; needs up to 3 extra pods; assumes Kubernetes 1.36',
    ],
    [
      'a folder that no installed program renders',
      { 'web.yaml': WEB, 'kustomization.yaml': KUSTOMIZATION },
      '--render',
      'incomplete: 1 folder is not rendered; 1 of 2 objects differs: 1 is new; the number of affected pods is unknown; assumes Kubernetes 1.36',
    ],
    ['only JSON that cannot be read', { 'web.json': '{"a":' }, '', 'no object of NEW was read'],
    [
      'JSON that cannot be read next to an object that is the same',
      { 'web.yaml': WEB, 'tsconfig.json': '{"a":' },
      '',
      'nothing changes: the object is up to date; assumes Kubernetes 1.36',
    ],
    ['a folder without documents', { 'README.md': '' }, '', 'no object of NEW was read'],
    [
      'an object that is refused',
      { 'web.yaml': QUOTED.replace('name: quoted', 'name: web') },
      '',
      '1 of 1 object differs: 1 is refused; no pods are affected; assumes Kubernetes 1.36',
    ],
  ])('%s', async (_, next, args, headline) => {
    expect((await headlineOf(WEB, next, args)).split('\n')[0]).toBe(headline);
  });

  test.each(['text', 'markdown', 'html', 'svg'])('the format %s begins with what is missing', async (format) => {
    const output = await headlineOf(WEB, { 'web.yaml': WEB, 'b.yaml': 'a: [' }, '', format);
    expect(output).toContain('incomplete: 1 document is not read');
    expect(output).not.toContain('nothing changes');
  });

  test('neither does a difference', async () => {
    const files = { 'old.yaml': WEB, 'new.yaml': 'a: [' };
    const { stdout } = await rolloutkit('diff old.yaml new.yaml', { files });
    expect(stdout.split('\n')[0]).toBe('incomplete: 1 document is not read; no object of NEW was read; assumes Kubernetes 1.36');
  });

  test('a complete plan in which nothing differs says so', async () => {
    expect((await headlineOf(WEB, { 'web.yaml': WEB })).split('\n')[0]).toBe(
      'nothing changes: the object is up to date; assumes Kubernetes 1.36',
    );
  });
});

test('a plan of a change names in its last lines what files cannot show, as a line and as a boolean, not as a finding', async () => {
  const next = { 'web.yaml': WEB.replace('web:1', 'web:2') };
  expect(await headlineOf(WEB, next)).toMatch(/\nNot checked: what admission webhooks and policies change on apply\.\n$/);
  expect(await headlineOf(WEB, next, '', 'markdown')).toContain('\n_Not checked: what admission webhooks and policies change on apply._\n');
  expect(JSON.parse(await headlineOf(WEB, next, '', 'json'))).toMatchObject({ change: { admissionNotChecked: true }, findings: [] });
  expect(JSON.parse(await headlineOf(WEB, { 'web.yaml': WEB }, '', 'json'))).toMatchObject({ change: { admissionNotChecked: false } });
});
