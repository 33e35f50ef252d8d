import type { PlanDiff } from '../../src/core/document/plan-diff';
import { expectValidDiff } from '../plan-schema';
import { rolloutkit } from './command-line';

const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: b}\n';

const WEB = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: web:1}]}
`;

const CHART = 'apiVersion: v2\nname: web\nversion: 1.0.0\n';

/** Returns the output of a command without its line breaks, the version that is assumed, and the escapes of Markdown. */
async function runForText(command: string, files: Record<string, string>): Promise<string> {
  const { exitCode, stdout } = await rolloutkit(command, { files: { 'old/a.yaml': CONFIG, 'new/a.yaml': CONFIG, ...files } });
  const text = stdout.replaceAll(/\s+/g, ' ').replaceAll('&#58;', ':').replaceAll('; assumes Kubernetes 1.36', '').trim();
  return `${exitCode}: ${text}`;
}

describe('what is set aside may differ, so diff does not say that nothing changes, and names it', () => {
  const files = { 'new/00-assert.yaml': WEB };
  const headline = 'incomplete: 1 file is not planned; the object that was read does not differ';
  const line =
    'not compared in NEW: new/00-assert.yaml:2:1: Deployment web in new/00-assert.yaml is not planned: its name, or a chainsaw test, declares it as what a test expects in the cluster.';

  test('in text', async () => {
    const text = await runForText('diff --fail-on-riskier old new', files);
    expect(text).toBe(`0: ${headline} no rollout behaves differently ${line}`);
  });

  test('in Markdown', async () => {
    const text = await runForText('diff --format markdown old new', files);
    expect(text).toBe(`0: <!-- rolloutkit: the plan of this change --> ## ${headline} ### no rollout behaves differently ${line}`);
  });

  test('in JSON', async () => {
    const { stdout } = await rolloutkit('diff --format json old new', {
      files: { 'old/a.yaml': CONFIG, 'new/a.yaml': CONFIG, ...files },
    });
    const { setAside, unread } = expectValidDiff(JSON.parse(stdout) as PlanDiff);
    expect(unread).toBeUndefined();
    expect(setAside).toMatchObject({ old: [], new: [{ code: 'input/not-read', source: { file: 'new/00-assert.yaml', line: 2 } }] });
  });

  test('of OLD', async () => {
    const text = await runForText('diff old new', { 'old/.hidden/web.yaml': WEB });
    expect(text).toBe(
      `0: ${headline} no rollout behaves differently not compared in OLD: old/.hidden/web.yaml:1: The folder old/.hidden is not read, and its file old/.hidden/web.yaml contains Deployment web.`,
    );
  });

  test('of a plan document, which has no headline', async () => {
    const all = { 'old/a.yaml': CONFIG, 'new/a.yaml': CONFIG, ...files };
    const { stdout: plan } = await rolloutkit('plan --format json new', { files: all });
    const text = await runForText('diff plan.json new', { ...files, 'plan.json': plan });
    expect(text).toBe(`0: no rollout behaves differently ${line.replace('NEW', 'OLD')} ${line}`);
  });
});

test.each<[what: string, files: Record<string, string>, missing: string, uncompared: string]>([
  [
    'a template of ytt',
    { 'new/web.yaml': `#@ load("@ytt:data", "data")\n${WEB.replace('4', '4 #@ data.values.replicas')}` },
    '1 file is not planned',
    'new/web.yaml:1: new/web.yaml is a ytt template, whose values come from its comments: it is not planned until ytt renders it.',
  ],
  [
    'each of two templates',
    { 'new/web.yaml': 'kind: {{ kind }}\n', 'new/worker.yaml': '{% if on %}\nkind: Job\n{% endif %}\n' },
    '2 files are not planned',
    'new/web.yaml:1:8: new/web.yaml is a template of another program: 1 document is not YAML until it is filled in, and is not planned. And 1 similar finding.',
  ],
  [
    'a chart that only NEW has',
    { 'new/web/Chart.yaml': CHART, 'new/web/templates/web.yaml': 'kind: {{ .Values.kind }}\n' },
    '1 folder is not rendered',
    'new/web/Chart.yaml:1: new/web is a Helm chart that is not rendered: 1 template is not planned.',
  ],
  [
    'a text that is no object',
    { 'new/notes.yaml': 'hello world\n' },
    '1 document is not read',
    'new/notes.yaml:1:1: The document that begins at line 1 cannot be read: it is "hello world", not an object.',
  ],
])('%s may differ in a diff and in a plan', async (_, files, missing, uncompared) => {
  const headline = `0: incomplete: ${missing}; the object that was read does not differ`;
  const diff = await runForText('diff old new', files);
  const plan = await runForText('plan --from old new', files);
  expect(diff).toBe(`${headline} no rollout behaves differently not compared in NEW: ${uncompared}`);
  expect(plan.startsWith(`${headline} no rollouts`)).toBe(true);
});

test('a placeholder of both sides may be filled in differently', async () => {
  const open = WEB.replace('4', '${REPLICAS}');
  const text = await runForText('diff old new', { 'old/a.yaml': open, 'new/a.yaml': open });
  expect(text).toBe(
    '0: incomplete: 1 object has placeholders; the object that was read does not differ no rollout behaves differently ' +
      'not compared in NEW: new/a.yaml:6:3 spec.replicas: replicas is "${REPLICAS}", a placeholder that is not filled in yet: nothing that depends on it is checked.',
  );
});
