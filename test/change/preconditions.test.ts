import { rolloutkit } from '../cli/command-line';

const UID = '11111111-1111-1111-1111-111111111111';
const OTHER_UID = '00000000-0000-0000-0000-000000000000';

function deployment(metadata: string, image = 'web:1'): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop${metadata} }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "${image}" }] }
`;
}

const LIVE = deployment(`, resourceVersion: "7", uid: ${UID}`);

/** Plans a change, and returns what becomes of the object and the findings about what NEW names. */
async function planOver(old: string, next: string, apply = 'client'): Promise<string[]> {
  const { stdout } = await rolloutkit(`plan --from old.yaml --apply ${apply} new.yaml --format json`, {
    files: { 'old.yaml': old, 'new.yaml': next },
  });
  const { change, findings } = JSON.parse(stdout) as {
    change: { objects: readonly { effect: string; refusal?: { path: string; message: string } }[] };
    findings: readonly { messageId: string; severity: string; message: string }[];
  };
  return [
    ...change.objects.map(({ effect, refusal }) => (refusal ? `${effect}: ${refusal.path}: ${refusal.message}` : effect)),
    ...findings.filter(({ messageId }) => messageId === 'preconditions').map(({ severity, message }) => `${severity}: ${message}`),
  ];
}

const CONFLICT = 'the object has been modified; please apply your changes to the latest version and try again';

// As kube-apiserver 1.34.4 answers.
describe('a manifest that names another version of a live object', () => {
  test.each(['client', 'server', 'helm', 'helm4', 'flux', 'argocd', 'replace'])(
    'is refused, even if nothing else differs: --apply %s',
    async (apply) => {
      const refused = [`refused: metadata.resourceVersion: ${CONFLICT}`];
      expect(await planOver(LIVE, deployment(', resourceVersion: "6"', 'web:2'), apply)).toEqual(refused);
      expect(await planOver(LIVE, deployment(', resourceVersion: "6"'), apply)).toEqual(refused);
      expect(await planOver(LIVE, deployment(`, resourceVersion: "6", uid: ${UID}`), apply)).toEqual(refused);
    },
  );

  test('is refused if it is no number', async () => {
    expect(await planOver(LIVE, deployment(', resourceVersion: abc'))).toEqual([
      'refused: : strconv.ParseUint: parsing "abc": invalid syntax',
    ]);
    expect(await planOver(LIVE, deployment(', resourceVersion: "99999999999999999999"'))).toEqual([
      'refused: : strconv.ParseUint: parsing "99999999999999999999": value out of range',
    ]);
  });

  test.each(['client', 'server', 'helm', 'replace'])(
    'is accepted with the version of the object, an empty one or 0: --apply %s',
    async (apply) => {
      for (const version of ['"7"', '""', '"0"'])
        expect(await planOver(LIVE, deployment(`, resourceVersion: ${version}`, 'web:2'), apply)).toEqual(['roll']);
    },
  );

  test('is refused with the version 0 if its kind must name one', async () => {
    const budget = (version: string) =>
      `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: b, namespace: shop, resourceVersion: "${version}" }\n` +
      'spec: { minAvailable: 1, selector: { matchLabels: { app: web } } }\n';
    for (const old of [budget('7'), budget('0').replace(/, resourceVersion: "0"/, '')])
      expect(await planOver(old, budget('0'))).toEqual([
        'refused: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      ]);
  });
});

test('Flux recreates an object of another version with force, unless the manifest names a uid, which no new object has', async () => {
  const force = ', annotations: { kustomize.toolkit.fluxcd.io/force: enabled }';
  const plan = (metadata: string) => planOver(LIVE, deployment(`${metadata}${force}`, 'web:2'), 'flux');
  expect(await plan(', resourceVersion: "6"')).toEqual(['replace']);
  expect(await plan(', resourceVersion: abc')).toEqual(['refused: : strconv.ParseUint: parsing "abc": invalid syntax']);
  expect(await plan(`, resourceVersion: "6", uid: ${UID}`)).toEqual([
    `refused: metadata.uid: uid mismatch: the provided object specified uid ${UID}, and no existing object was found`,
  ]);
});

describe('a manifest that names another uid', () => {
  test.each([
    ['client', `Invalid value: "${OTHER_UID}": field is immutable`],
    ['server', `Invalid value: "${OTHER_UID}": field is immutable`],
    ['helm', `Invalid value: "${OTHER_UID}": field is immutable`],
    ['replace', `Precondition failed: UID in precondition: ${OTHER_UID}, UID in object meta: ${UID}`],
  ])('is refused: --apply %s', async (apply, message) => {
    expect(await planOver(LIVE, deployment(`, uid: ${OTHER_UID}`, 'web:2'), apply)).toEqual([`refused: metadata.uid: ${message}`]);
  });

  test('is created with another one, except by a server-side apply', async () => {
    const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: shop, resourceVersion: "5" }\n';
    const next = deployment(`, resourceVersion: "5", uid: ${OTHER_UID}`);
    const plan = async (apply: string) => (await planOver(config, `${config}---\n${next}`, apply))[1];
    expect([await plan('client'), await plan('helm'), await plan('server')]).toEqual([
      'create',
      'create',
      `refused: metadata.uid: uid mismatch: the provided object specified uid ${OTHER_UID}, and no existing object was found`,
    ]);
  });
});

describe('a manifest with a field of a deletion', () => {
  test.each([
    ['deletionTimestamp: "2024-01-01T00:00:00Z"', 'deletionTimestamp: Invalid value: "2024-01-01T00:00:00Z"'],
    ['deletionGracePeriodSeconds: 5', 'deletionGracePeriodSeconds: Invalid value: 5'],
  ])('is refused, since no update may set it: %s', async (field, message) => {
    const refused = [`refused: metadata.${message}: field is immutable`];
    for (const apply of ['client', 'server', 'helm', 'replace']) {
      expect(await planOver(deployment(''), deployment(`, ${field}`), apply)).toEqual(refused);
      expect(await planOver(LIVE, deployment(`, ${field}`, 'web:2'), apply)).toEqual(refused);
    }
    expect(await planOver(deployment(`, ${field}`), deployment(''))).toEqual(['none']);
  });

  test('is stored if the live object is being deleted, since the API server keeps its timestamp', async () => {
    const deleted = deployment(`, uid: ${UID}, deletionTimestamp: "2024-01-01T00:00:00Z"`);
    expect(await planOver(deleted, deployment(', deletionTimestamp: "2024-01-02T00:00:00Z"', 'web:2'))).toEqual(['roll']);
  });
});

test('a version or uid over an object of a manifest is a warning, since the live object may have another', async () => {
  expect(await planOver(deployment(''), deployment(', resourceVersion: "6"', 'web:2'))).toEqual([
    'roll',
    'warning: Deployment shop/web sets metadata.resourceVersion: the API server refuses it unless the live object has the same value, which OLD does not show.',
  ]);
  expect(await planOver(deployment(''), deployment(', resourceVersion: "0"', 'web:2'))).toEqual(['roll']);
});
