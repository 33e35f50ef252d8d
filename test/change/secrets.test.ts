import { rolloutkit } from '../cli/command-line';

/** Values that nobody is to read, on either side of a change. */
const OLD = ['b2xkLXBhc3N3b3Jk', 'old-hunter2', 'old-token-77', 'old-apikey-31', 'old-pass-word', 'old-inline-99'];
const NEW = OLD.map((value) => value.replace('old', 'new').replace('b2xk', 'bmV3'));

function corpus([data, stringData, token, apiKey, password, annotation]: readonly string[]): string {
  return `apiVersion: v1
kind: Secret
metadata:
  name: db
  namespace: shop
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"db"},"stringData":{"x":"${annotation}"}}'
data: { password: ${data} }
stringData: { other: ${stringData} }
immutable: true
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: web:1
          env:
            - { name: AUTH_TOKEN, value: ${token} }
            - { name: API_KEY, value: ${apiKey} }
            - { name: DB_PASSWORD, value: ${password} }
`;
}

const FILES = { 'old/all.yaml': corpus(OLD), 'new/all.yaml': corpus(NEW) };

describe('the values of secrets are shown in no format', () => {
  const commands = ['text', 'json', 'markdown'].flatMap((format) => [
    `plan --from old new --format ${format}`,
    `plan --from old new --prune --apply replace --format ${format}`,
    `plan --from old new --apply server --format ${format}`,
    `plan --from old new --apply helm --format ${format}`,
    `diff old new --format ${format}`,
  ]);

  test.each(commands)('%s', async (command) => {
    const { stdout, stderr } = await rolloutkit(command, { files: FILES });
    expect(stdout).toMatch(/AUTH(?:_|&#95;)TOKEN/);
    expect([...OLD, ...NEW].filter((value) => stdout.includes(value) || stderr.includes(value))).toEqual([]);
  });
});

test('that they differ is told', async () => {
  const { stdout } = await rolloutkit('plan --from old new --format json', { files: FILES });
  const { change } = JSON.parse(stdout) as { change: { objects: readonly { because: readonly object[] }[] } };
  expect(change.objects[1]!.because[0]).toEqual({
    path: 'spec.template.spec.containers[web].env[AUTH_TOKEN].value',
    old: '(secret)',
    new: '(secret)',
    secret: true,
  });
});
