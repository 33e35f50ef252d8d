import { deriveBundleName } from '../../../src/systems/fleet/bundle-names';
import { findCircularNodes } from '../../../src/systems/fleet/circular-dependencies';
import type { FleetWaves } from '../../../src/core/simulations/fleet';
import { planChange, planManifests, planSources } from '../../../src/headless';
import { bundle } from './plan';

test.each<[string, string, string]>([
  ['infra', 'sleep', 'infra-sleep'],
  ['infra', './apps/sleep/', 'infra-apps-sleep'],
  ['infra', '', 'infra'],
  ['infra', 'apps--x', 'infra-apps-x'],
])('the bundle of GitRepo %s and path %s is %s', (gitRepo, path, name) => {
  expect(deriveBundleName(gitRepo, path).text).toBe(name);
});

test('a name with a checksum is recognized by its other characters', () => {
  // md5 of "infra-Sleep" begins with 5f0eab10.
  const upper = deriveBundleName('infra', 'Sleep');
  expect([upper.matches('infra-sleep-5f0eab10'), upper.matches('infra-sleep'), upper.matches('infra-sleep-again')]).toEqual([
    true,
    false,
    false,
  ]);
  const long = deriveBundleName('infra', 'a'.repeat(60));
  expect([long.matches(`infra-${'a'.repeat(41)}-01234`), long.matches(`infra-${'a'.repeat(60)}`)]).toEqual([true, false]);
});

const HUB = `apiVersion: fleet.cattle.io/v1alpha1
kind: GitRepo
metadata: { name: infra, namespace: fleet-default }
spec: { repo: https://git.example.com/infra.git, paths: [sleep, followup], targets: [{ clusterSelector: {} }] }
---
apiVersion: fleet.cattle.io/v1alpha1
kind: Cluster
metadata: { name: paris, namespace: fleet-default }
---
apiVersion: fleet.cattle.io/v1alpha1
kind: Cluster
metadata: { name: lima, namespace: fleet-default, labels: { env: edge } }
`;

function planFleet(followup: string, sleep = ''): { code: string; messageId: string; severity: string }[] {
  const { rollouts } = planSources([
    { path: 'hub.yaml', text: HUB },
    { path: 'repo/followup/fleet.yaml', text: followup },
    { path: 'repo/sleep/fleet.yaml', text: `helm: { chart: sleep }\n${sleep}` },
  ]);
  return rollouts.flatMap(({ findings }) =>
    findings
      .filter(({ code }) => code === 'fleet/depends-on-missing')
      .map(({ code, messageId, severity }) => ({ code, messageId, severity })),
  );
}

const EXCEPT_EDGE = 'targetCustomizations: [{ name: edge, doNotDeploy: true, clusterSelector: { matchLabels: { env: edge } } }]\n';

test.each<[string, string, string, string[]]>([
  ['the name of the folder is not that of the bundle', 'dependsOn: [{ name: sleep }]', '', ['name']],
  ['the name that Fleet derives', 'dependsOn: [{ name: infra-sleep }]', '', []],
  ['the name that the other fleet.yaml has', 'dependsOn: [{ name: sleep }]', 'name: sleep', []],
  ['a bundle that does not reach all clusters', 'dependsOn: [{ name: infra-sleep }]', EXCEPT_EDGE, ['reach']],
  ['a bundle that may be of another repository', 'dependsOn: [{ name: cert-manager }]', '', ['unseen']],
  ['a paused bundle', 'dependsOn: [{ name: infra-sleep }]', 'paused: true', ['paused']],
  [
    'a paused bundle that need not be ready',
    'dependsOn: [{ name: infra-sleep, acceptedStates: [Ready, NotReady, OutOfSync] }]',
    'paused: true',
    [],
  ],
  ['a paused bundle, by one that is paused too', 'paused: true\ndependsOn: [{ name: infra-sleep }]', 'paused: true', []],
  ['itself', 'dependsOn: [{ name: infra-followup }]', '', ['circle']],
  ['a bundle that waits for it', 'dependsOn: [{ name: infra-sleep }]', 'dependsOn: [{ name: infra-followup }]', ['circle', 'circle']],
  [
    'a bundle that waits for it, but that does not have to be ready',
    'dependsOn: [{ name: infra-sleep, acceptedStates: [Ready, NotReady, Pending, WaitApplied] }]',
    'dependsOn: [{ name: infra-followup }]',
    [],
  ],
  ['labels, which are not followed', 'dependsOn: [{ selector: { matchLabels: { app: sleep } } }]', '', []],
])('%s', (_what, followup, sleep, messageIds) => {
  expect(planFleet(followup, sleep).map(({ messageId }) => messageId)).toEqual(messageIds);
});

test.each<[string, string, string, string]>([
  ['the name of the folder after that of the GitRepo', 'apps/sleep', 'infra-sleep', 'infra-apps-sleep'],
  ['the name without its checksum', 'Apps_X', 'infra-apps-x', 'infra-apps-x-<8 characters of a checksum>'],
])('a dependency by %s names no bundle', (_what, folder, name, actual) => {
  const { rollouts } = planSources([
    { path: 'hub.yaml', text: HUB.replace('sleep, followup', `${folder}, followup`) },
    { path: 'repo/followup/fleet.yaml', text: `dependsOn: [{ name: ${name} }]` },
    { path: `repo/${folder}/fleet.yaml`, text: 'helm: { chart: sleep }\n' },
  ]);
  const finding = rollouts.flatMap(({ findings }) => findings).find(({ code }) => code === 'fleet/depends-on-missing');
  expect(finding?.message).toBe(
    `dependsOn names bundle "${name}", but Fleet names that bundle "${actual}": no bundle matches, so this one is never deployed.`,
  );
});

test('a chain is no circle, and what waits for a circle waits with it', () => {
  const names = (dependencies: Record<string, string[]>) => [...findCircularNodes(new Map(Object.entries(dependencies)))].toSorted();
  expect(names({ a: ['b', 'c'], b: ['c'], c: [] })).toEqual([]);
  expect(names({ a: ['b'], b: ['c'], c: ['b'], d: ['e'], e: [] })).toEqual(['a', 'b', 'c']);
});

/** Plans Bundles for the clusters paris and lima. Returns the findings about dependencies, and the clusters that get each bundle. */
function planBundles(specs: Record<string, object>, old?: Record<string, object>) {
  const toObjects = (all: Record<string, object>) => [
    ...Object.entries(all).map(([name, spec]) => bundle(undefined, spec, { name, namespace: 'fleet-default' })),
    ...['paris', 'lima'].map((name) => ({
      apiVersion: 'fleet.cattle.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name, namespace: 'fleet-default' },
    })),
  ];
  const { rollouts } = old ? planChange(toObjects(old), toObjects(specs)) : planManifests(toObjects(specs));
  const showWaves = ({ waves, done }: FleetWaves) =>
    `${waves.flatMap(({ clusters = [] }) => clusters).join(' ') || 'none'}${done ? '' : ', not done'}`;
  return rollouts.flatMap(({ resource, simulation, findings }) => [
    ...findings
      .filter(({ code }) => code === 'fleet/depends-on-missing')
      .map(({ severity, message }) => `${resource.name}: ${severity} ${message}`),
    ...(simulation?.kind === 'fleet'
      ? [`${resource.name}: install ${showWaves(simulation.install)}; update ${showWaves(simulation.update)}`]
      : [`${resource.name}: no simulation`]),
  ]);
}

test('a bundle that needs a paused one is not done, nor what needs that bundle', () => {
  expect(planBundles({ base: { paused: true }, app: { dependsOn: [{ name: 'base' }] }, ui: { dependsOn: [{ name: 'app' }] } }))
    .toMatchInlineSnapshot(`
[
  "base: install none, not done; update none, not done",
  "app: warning dependsOn names bundle "base", which is paused: until it is not, this bundle is not deployed to new clusters, and not updated once "base" changes.",
  "app: install none, not done; update none, not done",
  "ui: warning dependsOn names bundle "app", which its own dependencies keep from lima, paris: this bundle is not deployed there either.",
  "ui: install none, not done; update none, not done",
]
`);
});

test('a paused bundle that an apply leaves as it is stays ready, so that an update does not wait for it', () => {
  const app = { dependsOn: [{ name: 'base' }] };
  expect(planBundles({ base: { paused: true }, app: { ...app, serviceAccount: 'next' } }, { base: { paused: true }, app }))
    .toMatchInlineSnapshot(`
[
  "base: no simulation",
  "app: warning dependsOn names bundle "base", which is paused: until it is not, this bundle is not deployed to new clusters, and not updated once "base" changes.",
  "app: install none, not done; update lima paris",
]
`);
  expect(
    planBundles(
      { base: { paused: true, serviceAccount: 'next' }, app: { ...app, serviceAccount: 'next' } },
      { base: { paused: true }, app },
    ),
  ).toMatchInlineSnapshot(`
[
  "base: no simulation",
  "app: warning dependsOn names bundle "base", which is paused: until it is not, this bundle is not deployed to new clusters, and not updated once "base" changes.",
  "app: install none, not done; update none, not done",
]
`);
});

test('a bundle that another one keeps from a cluster is deployed to the others', () => {
  const onlyParis = { targets: [{ clusterName: 'paris' }] };
  expect(planBundles({ base: onlyParis, app: { dependsOn: [{ name: 'base' }] }, ui: { dependsOn: [{ name: 'app' }] } }))
    .toMatchInlineSnapshot(`
[
  "base: install paris; update paris",
  "app: error dependsOn names bundle "base", which is not deployed to lima: this bundle is never deployed there.",
  "app: install paris, not done; update paris, not done",
  "ui: warning dependsOn names bundle "app", which its own dependencies keep from lima: this bundle is not deployed there either.",
  "ui: install paris, not done; update paris, not done",
]
`);
});

test('a name that is nearly that of a bundle is a warning', () => {
  expect(planBundles({ base: {}, app: { dependsOn: [{ name: 'bsae' }, { name: 'cert-manager' }] } })).toMatchInlineSnapshot(`
[
  "base: install lima paris; update lima paris",
  "app: warning dependsOn names bundle "bsae", which is not in the input, unlike "base": if there is none, this bundle is never deployed.",
  "app: info dependsOn names bundle "cert-manager", which is not in the input: if there is none, this bundle is never deployed.",
  "app: install lima paris; update lima paris",
]
`);
});

test('the name of a bundle is not known while its GitRepo is not in the input', () => {
  const { rollouts } = planSources([
    { path: 'repo/followup/fleet.yaml', text: 'dependsOn: [{ name: infra-sleep }]' },
    { path: 'repo/sleep/fleet.yaml', text: 'helm: { chart: sleep }\n' },
  ]);
  expect(rollouts.flatMap(({ findings }) => findings).filter(({ code }) => code === 'fleet/depends-on-missing')).toEqual([]);
});
