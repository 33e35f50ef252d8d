import { App, Chart, JsonPatch, Testing, Yaml } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FleetBundle, Inventory, partitionsByLabel } from 'rolloutkit';
import type { FleetBundleProps } from 'rolloutkit';
import { headsOf } from '../facts';
import { synthError } from './synth-error';

const EVERYWHERE = [{ clusterSelector: {} }];

/** Returns `count` clusters named `env-01` and so on, with that env as label. */
function clusters(env: string, count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({ name: `${env}-${String(index + 1).padStart(3, '0')}`, labels: { env } }));
}

const FLEET = Inventory.of({ clusters: [...clusters('prod', 6), ...clusters('staging', 3)] });

function shopChart(): Chart {
  return new Chart(new App(), 'fleet', { namespace: 'fleet-default' });
}

/** Returns the error of a synth of a bundle with these props. */
function errorOf(props: Partial<FleetBundleProps>): string {
  return synthError(
    (chart) => void new FleetBundle(chart, 'shop', { targets: EVERYWHERE, inventory: FLEET, ...props } as FleetBundleProps),
  );
}

function madeWith(props: object): string {
  return synthError((chart) => new FleetBundle(chart, 'shop', props as FleetBundleProps));
}

describe('a Bundle', () => {
  test('has the name of the construct, and contains the resources, the strategy and its targets', () => {
    const app = new App();
    const manifests = new Chart(app, 'shop-manifests');
    const chart = new Chart(app, 'fleet', { namespace: 'fleet-default' });
    const bundle = new FleetBundle(chart, 'shop', {
      output: 'bundle',
      resources: manifests,
      targets: EVERYWHERE,
      rollout: { maxUnavailable: '10%', maxUnavailablePartitions: 0, partitions: partitionsByLabel('env', ['staging', 'prod']) },
      inventory: FLEET,
    });
    // Resources that are added later are in the bundle too.
    new kplus.ConfigMap(manifests, 'config', { metadata: { name: 'config' }, data: { greeting: 'hello' } });

    expect(Yaml.stringify(bundle.apiObject.toJson())).toMatchInlineSnapshot(`
"apiVersion: fleet.cattle.io/v1alpha1
kind: Bundle
metadata:
  name: shop
  namespace: fleet-default
spec:
  resources:
    - content: |
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: config
        data:
          greeting: hello
        immutable: false
      name: shop-manifests.yaml
  rolloutStrategy:
    maxUnavailable: 10%
    maxUnavailablePartitions: 0
    partitions:
      - clusterSelector:
          matchLabels:
            env: staging
        name: staging
      - clusterSelector:
          matchLabels:
            env: prod
        name: prod
      - clusterSelector:
          matchExpressions:
            - key: env
              operator: NotIn
              values:
                - staging
                - prod
        name: rest
  targets:
    - clusterSelector: {}
"
`);
  });

  test('its rollouts are those of the plan', () => {
    const bundle = new FleetBundle(shopChart(), 'shop', {
      targets: EVERYWHERE,
      rollout: { maxUnavailable: 1, partitions: partitionsByLabel('env', ['staging', 'prod'], { prod: '50%' }) },
      inventory: FLEET,
    });
    expect(bundle.rollouts).toMatchObject([
      {
        system: 'fleet',
        resource: { kind: 'Bundle', namespace: 'fleet-default', name: 'shop' },
        strategy: bundle.rolloutStrategy,
        simulation: {
          partitions: [
            { name: 'staging', count: 3, maxUnavailable: 1 },
            { name: 'prod', count: 6, maxUnavailable: 3 },
            { name: 'rest', count: 0, maxUnavailable: 1 },
          ],
          unpartitionedCount: 0,
          install: { waves: [{ count: 3 }, { count: 6 }], done: true },
        },
      },
    ]);
    expect(bundle.findings.map(({ code }) => code)).toEqual(['fleet/partition-above-bundle-limit']);
  });

  test('patches are in the rollouts', () => {
    const bundle = new FleetBundle(shopChart(), 'shop', { targets: EVERYWHERE, rollout: { maxUnavailable: 1 }, inventory: FLEET });
    bundle.apiObject.addJsonPatch(JsonPatch.replace('/spec/rolloutStrategy/maxUnavailable', 3));
    expect(bundle.rollouts[0]!.simulation).toMatchObject({ maxUnavailable: 3 });
  });

  test('customizations come before the targets, which the restrictions repeat', () => {
    const bundle = new FleetBundle(shopChart(), 'shop', {
      targets: [{ name: 'all', clusterSelector: {}, namespace: 'shop' }],
      targetCustomizations: [{ name: 'big', clusterSelector: { matchLabels: { env: 'prod' } }, helm: { values: { replicas: 3 } } }],
      targetCustomizationMode: 'AllMatches',
      helm: { releaseName: 'shop' },
      dependsOn: [{ name: 'base', acceptedStates: ['Ready', 'Modified'] }],
      inventory: FLEET,
    });
    expect(bundle.apiObject.toJson().spec).toEqual({
      helm: { releaseName: 'shop' },
      dependsOn: [{ name: 'base', acceptedStates: ['Ready', 'Modified'] }],
      targetCustomizationMode: 'AllMatches',
      targets: [
        { name: 'big', clusterSelector: { matchLabels: { env: 'prod' } }, helm: { values: { replicas: 3 } } },
        { name: 'all', clusterSelector: {}, namespace: 'shop' },
      ],
      targetRestrictions: [{ name: 'all', clusterSelector: {} }],
    });
    expect(bundle.rollouts[0]!.provenance.filter(({ layer }) => layer === 'target-customization')).toHaveLength(6);
  });

  test('partitions may declare their cluster groups', () => {
    const chart = shopChart();
    const group = { name: 'big-sites', selector: { matchLabels: { env: 'prod' } } };
    const bundle = new FleetBundle(chart, 'shop', {
      targets: EVERYWHERE,
      rollout: {
        maxUnavailable: 1,
        partitions: [
          { name: 'small', clusterSelector: { matchLabels: { env: 'staging' } } },
          { name: 'big', group },
        ],
        catchAll: false,
      },
      inventory: FLEET,
    });
    expect(Testing.synth(chart).map(({ kind, metadata, spec }) => ({ kind, metadata, selector: spec.selector }))[0]).toEqual({
      kind: 'ClusterGroup',
      metadata: { name: 'big-sites', namespace: 'fleet-default' },
      selector: { matchLabels: { env: 'prod' } },
    });
    expect(bundle.rolloutStrategy.partitions![1]).toEqual({ name: 'big', clusterGroup: 'big-sites' });
    expect(bundle.rollouts[0]!.simulation).toMatchObject({ partitions: [{ count: 3 }, { count: 6 }] });
  });

  test('whose rollout never finishes, or that Fleet would refuse, fails the synth', () => {
    expect(headsOf(errorOf({ rollout: { maxUnavailable: 0 } }))).toMatchInlineSnapshot(`
[
  "Validation failed with the following errors:",
  "[shop/shop] [fleet/zero-max-unavailable] rollout.maxUnavailable:",
]
`);
    expect(errorOf({ rollout: { maxUnavailable: '10 %' as '10%' } })).toContain('[fleet/invalid-limit] rollout.maxUnavailable');
    expect(errorOf({ rollout: { maxNew: 0 } })).toContain('[fleet/max-new-zero]');
    expect(errorOf({ dependsOn: [{}] })).toContain('[input/wrong-type] dependsOn[0]: spec.dependsOn[0] has neither a name nor a selector');
    expect(errorOf({ rollout: { maxUnavailable: 1 } })).toBe('nothing: the chart was synthesized');
  });
});

describe('a fleet.yaml', () => {
  const props = {
    output: 'fleet.yaml',
    targets: [{ clusterSelector: { matchLabels: { env: 'prod' } } }],
    gitRepo: { repo: 'https://git.example.com/shop', branch: 'main', paths: ['bundles/shop'] },
    rollout: { maxUnavailable: 1, partitions: partitionsByLabel('env', ['prod']) },
    helm: { releaseName: 'shop' },
    inventory: FLEET,
  } as const;

  test('is written next to the manifests, and a GitRepo reads it', () => {
    const app = new App();
    const manifests = new Chart(app, 'manifests');
    new kplus.ConfigMap(manifests, 'config', { metadata: { name: 'config' }, data: { greeting: 'hello' } });
    const chart = new Chart(app, 'fleet', { namespace: 'fleet-default' });
    const bundle = new FleetBundle(chart, 'shop', { ...props, metadata: { labels: { team: 'web' } }, resources: manifests });
    const folder = path.join(mkdtempSync(path.join(tmpdir(), 'rolloutkit-')), 'bundles/shop');
    bundle.writeTo(folder);

    expect(readdirSync(folder)).toEqual(['fleet.yaml', 'manifests.yaml']);
    expect(readFileSync(path.join(folder, 'fleet.yaml'), 'utf8')).toMatchInlineSnapshot(`
"name: shop
labels:
  team: web
helm:
  releaseName: shop
rolloutStrategy:
  maxUnavailable: 1
  partitions:
    - name: prod
      clusterSelector:
        matchLabels:
          env: prod
    - name: rest
      clusterSelector:
        matchExpressions:
          - key: env
            operator: NotIn
            values:
              - prod
"
`);
    expect(readFileSync(path.join(folder, 'manifests.yaml'), 'utf8')).toMatchInlineSnapshot(`
"apiVersion: v1
kind: ConfigMap
metadata:
  name: config
data:
  greeting: hello
immutable: false
"
`);
    expect(Testing.synth(chart)).toMatchInlineSnapshot(`
[
  {
    "apiVersion": "fleet.cattle.io/v1alpha1",
    "kind": "GitRepo",
    "metadata": {
      "name": "shop",
      "namespace": "fleet-default",
    },
    "spec": {
      "branch": "main",
      "paths": [
        "bundles/shop",
      ],
      "repo": "https://git.example.com/shop",
      "targets": [
        {
          "clusterSelector": {
            "matchLabels": {
              "env": "prod",
            },
          },
        },
      ],
    },
  },
]
`);
    expect(bundle.rollouts).toMatchObject([
      { resource: { kind: 'Bundle', namespace: 'fleet-default', name: 'shop' }, simulation: { partitions: [{ count: 6 }, { count: 0 }] } },
    ]);
  });

  test('is not written for a bundle with output Bundle, because Fleet overwrites Bundles that a GitRepo owns', () => {
    const both = { targets: EVERYWHERE, gitRepo: props.gitRepo } as unknown as FleetBundleProps;
    expect(synthError((chart) => new FleetBundle(chart, 'shop', both))).toContain(
      "[shop/shop] output is 'bundle', but gitRepo is set and would overwrite the Bundle",
    );
    expect(
      synthError((chart) => {
        void new FleetBundle(chart, 'shop', props);
        void new FleetBundle(chart, 'again', { metadata: { name: 'shop' }, targets: EVERYWHERE });
      }),
    ).toContain('the GitRepo shop also creates a Bundle shop, and Fleet overwrites this one');
  });

  test('targets of a GitRepo only have criteria', () => {
    const targets = [{ clusterSelector: {}, helm: { values: {} } }];
    expect(synthError((chart) => new FleetBundle(chart, 'shop', { ...props, targets }))).toContain(
      "a GitRepo's target does not support targets[0].helm; move it to targetCustomizations",
    );
  });

  test('a Bundle has none', () => {
    expect(() => new FleetBundle(shopChart(), 'shop', { targets: EVERYWHERE }).writeTo('nowhere')).toThrow("set output: 'fleet.yaml'");
  });
});

test('invalid props of a bundle are refused', () => {
  expect(madeWith({})).toContain('[shop/shop] targets is missing, so the bundle is not deployed to any cluster');
  expect(madeWith({ targets: EVERYWHERE, output: 'yaml' })).toContain("[shop/shop] output is \"yaml\"; set it to 'bundle' or 'fleet.yaml'");
  expect(synthError((chart) => new FleetBundle(chart, 'shop', { targets: EVERYWHERE, resources: chart }))).toContain(
    '[shop/shop] resources is the chart of the bundle itself',
  );
});

describe('an inventory', () => {
  test('is read from a YAML or JSON file', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-'));
    const yaml = path.join(folder, 'clusters.yaml');
    const json = path.join(folder, 'clusters.json');
    writeFileSync(
      yaml,
      'apiVersion: fleet.cattle.io/v1alpha1\nkind: Cluster\nmetadata:\n  name: paris\n---\napiVersion: fleet.cattle.io/v1alpha1\nkind: ClusterGroup\nmetadata:\n  name: all\nspec:\n  selector: {}\n',
    );
    writeFileSync(json, '{"clusters": [{"name": "paris"}]}');

    expect(Inventory.fromFile(yaml)).toMatchObject({ clusters: [{ name: 'paris' }], groups: [{ name: 'all', selector: {} }] });
    expect(Inventory.fromFile(json)).toMatchObject({ clusters: [{ name: 'paris' }], groups: [] });
    writeFileSync(json, '{"clusters": [{"name": 7}]}');
    expect(() => Inventory.fromFile(json)).toThrow(/clusters\.json, clusters\[0\]: name is 7, but must be a string/);
    writeFileSync(yaml, 'clusters: [');
    expect(() => Inventory.fromFile(yaml)).toThrow(/clusters\.yaml:1: .*cannot be read/);
    expect(() => Inventory.fromFile(path.join(folder, 'none.yaml'))).toThrow(/none\.yaml: no such file or folder/);
  });
});
