import { mkdirSync, writeFileSync } from 'node:fs';
import type { Finding } from '../../src/core/findings/finding';
import { rolloutkit } from './command-line';
import type { Setting } from './command-line';

/* Files that a tool reads in another way than kubectl, and names that hide one file behind another. */

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "x:1"}]}
`;
const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm, namespace: shop}\ndata: {a: b}\n';
const STRICT = ['--require-planned', '--policy policy.yaml'];

/** Checks the folder `in`, and returns the exit code and the findings of the input as `severity code file:line`. */
async function check(files: Setting['files'], args = '', prepare?: Setting['prepare'], policy = 'requireReadinessProbe: false\n') {
  const { exitCode, stdout } = await rolloutkit(`check --format json ${args} in`, {
    files: { 'policy.yaml': policy, ...files },
    ...(prepare && { prepare }),
  });
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
  const found = findings.filter(({ code }) => code.startsWith('input/') || code.startsWith('guardrails/'));
  return { exitCode, found: found.map(({ severity, code, source }) => `${severity} ${code} ${source?.file}:${source?.line}`) };
}

describe('a name that is not UTF-8 looks like any other, which is then an error', () => {
  const other = (folder: string, name: string) =>
    Buffer.concat([Buffer.from(`${folder}/in/`), Buffer.from([0xff]), Buffer.from(`/${name}`)]);
  const write = (files: Readonly<Record<string, string>>) => (folder: string) => {
    mkdirSync(other(folder, ''), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(other(folder, name), text);
  };

  test('a kustomization behind one that changes nothing', async () => {
    const hidden = write({ 'kustomization.yaml': 'resources: [web.yaml]\nreplicas: [{name: web, count: 0}]\n', 'web.yaml': WEB });
    const files = { 'in/\ufffd/kustomization.yaml': 'resources: [web.yaml]\n', 'in/\ufffd/web.yaml': WEB };
    for (const option of STRICT) expect(await check(files, option, hidden)).toMatchObject({ exitCode: 1 });
  });

  test('a fleet.yaml that moves its folder into another namespace', async () => {
    const hidden = write({ 'fleet.yaml': 'namespace: prod\n', 'web.yaml': WEB });
    expect(await check({ 'in/cm.yaml': CONFIG_MAP }, '--policy policy.yaml', hidden)).toEqual({
      exitCode: 1,
      found: ['error input/unreadable in/\ufffd/fleet.yaml:1', 'error input/unreadable in/\ufffd/web.yaml:1'],
    });
    expect((await check({ 'in/cm.yaml': CONFIG_MAP }, '', hidden)).found).toEqual([]);
  });
});

test('guardrails for a namespace apply to a fleet.yaml that is too long to read', async () => {
  const files = { 'in/fleet.yaml': `namespace: prod\n${'#'.repeat(11_000_000)}\n`, 'in/web.yaml': WEB };
  const policy = 'requireReadinessProbe: true\nmatch: {namespaces: [prod]}\n';
  expect(await check(files, '--policy policy.yaml', undefined, policy)).toEqual({
    exitCode: 1,
    found: ['error guardrails/refused in/web.yaml:8'],
  });
});
