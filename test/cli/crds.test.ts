import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Finding } from '../../src/core/finding';
import { expectValidCheck } from '../plan-schema';
import { SOUND } from '../crds/mutated-objects';
import { rolloutkit } from './command-line';

const CRD = readFileSync(path.join(__dirname, '../fixtures/crds/own-v1/cache.yaml'), 'utf8');

function cache(spec: object, more: object = {}): string {
  return JSON.stringify({ ...SOUND, ...more, spec: { ...(SOUND.spec as object), ...spec } });
}

async function checked(args: string, files: Readonly<Record<string, string>>) {
  const { exitCode, stdout, stderr } = await rolloutkit(`check ${args} --format json`, { files });
  const findings = exitCode === 2 ? [] : expectValidCheck(JSON.parse(stdout) as { findings: readonly Finding[] }).findings;
  return {
    exitCode,
    stderr,
    findings: findings.map(({ severity, code, messageId, path: at, data, source }) => ({
      severity,
      code,
      messageId,
      path: at,
      data,
      line: source?.line,
    })),
  };
}

test('an object that its CRD takes is silent', async () => {
  expect(await checked('cache.json --crds crds', { 'cache.json': cache({}), 'crds/cache.yaml': CRD })).toEqual({
    exitCode: 0,
    stderr: '',
    findings: [],
  });
});

test('a rule that an object breaks is said in the words of the CRD, at its field and line', async () => {
  const yaml = `apiVersion: shop.example/v1
kind: Cache
metadata: {name: front}
spec:
  size: 4
  mode: Large
  zones: [a]
  sise: 3
`;
  const { exitCode, findings } = await checked('. --crds crds/cache.yaml --exclude crds', { 'cache.yaml': yaml, 'crds/cache.yaml': CRD });
  const crd = 'caches.shop.example';
  expect(exitCode).toBe(1);
  expect(findings.map(({ data, ...finding }) => ({ ...finding, data: { ...data, known: undefined } }))).toEqual([
    {
      severity: 'error',
      code: 'crds/invalid-object',
      messageId: 'rule',
      path: 'spec',
      data: { crd, value: { described: 'a map' }, said: 'a large one has 8, not 4' },
      line: 4,
    },
    {
      severity: 'error',
      code: 'crds/invalid-object',
      messageId: 'rule',
      path: 'spec.zones',
      data: { crd, value: { described: 'a map' }, said: 'zones begin with zone-' },
      line: 7,
    },
    {
      severity: 'warning',
      code: 'input/unknown-field',
      messageId: 'unknown',
      path: 'spec.sise',
      data: { holder: 'spec', field: 'sise', reader: 'the API server', nearest: 'size' },
      line: 8,
    },
  ]);
});

test('a rule that is not evaluated is named, once, and passes nothing over in silence', async () => {
  const rules = ['self == oldSelf', "quantity(self.name).isLessThan(quantity('1'))", "self.?name.orValue('') != ''"];
  const crd = CRD.replace(
    'x-kubernetes-validations:\n                - ',
    `x-kubernetes-validations:\n${rules.map((rule) => `                - {rule: ${JSON.stringify(rule)}}\n`).join('')}                - `,
  );
  const twice = `${cache({})}\n${cache({}, { metadata: { name: 'back' } })}`;
  const { exitCode, findings } = await checked('cache.json --crds crds', {
    'cache.json': twice,
    'crds/cache.yaml': crd.replace('                - {rule: "self.number', '                - {rule: "self.number'),
  });
  const about = { crd: 'caches.shop.example', apiVersion: 'shop.example/v1' };
  expect(exitCode).toBe(0);
  expect(findings.map(({ severity, code, data }) => ({ severity, code, data }))).toEqual(
    [
      { rule: rules[0], reason: { why: 'transition' } },
      { rule: rules[1], reason: { why: 'functions', names: ['isLessThan', 'quantity'] } },
      { rule: rules[2], reason: { why: 'syntax' } },
    ].map((data) => ({ severity: 'info', code: 'crds/rule-not-evaluated', data: { ...about, ...data } })),
  );
});

test('a version that the CRD does not serve', async () => {
  const { findings } = await checked('cache.json --crds crds', {
    'cache.json': cache({}, { apiVersion: 'shop.example/v2' }),
    'crds/cache.yaml': CRD,
  });
  expect(findings).toMatchObject([
    { code: 'crds/not-served', path: 'apiVersion', data: { apiVersion: 'shop.example/v2', kind: 'Cache', served: ['shop.example/v1'] } },
  ]);
});

test.each([
  ['crds', { 'crds/web.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n' }, 'holds no CustomResourceDefinition'],
  ['crds', { 'crds/web.yaml': 'a: [\n' }, '--crds: crds/web.yaml:'],
  ['nowhere', {}, 'cannot read nowhere'],
])('--crds %s with %j cannot run', async (crds, files, said) => {
  const { exitCode, stderr } = await checked(`cache.json --crds ${crds}`, { 'cache.json': cache({}), ...files });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(said);
});
