import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiObject, Testing, Yaml } from 'cdk8s';
import { KServePlatformConfig } from 'rolloutkit';
import type { PlatformConfigProps } from 'rolloutkit';
import { headsOf } from '../facts';
import { synthError } from './synth-error';

const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-'));

function configMap(deploy: string, data: Record<string, string> = {}) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'inferenceservice-config', namespace: 'kserve' },
    data: { ...data, deploy },
  };
}

const CLUSTER = configMap(
  '{"defaultDeploymentMode": "RawDeployment", "deploymentRolloutStrategy": {"defaultRollout": {"maxSurge": "10%"}}}',
  {
    ingress: '{"ingressClassName": "istio"}',
  },
);

/** Calls fromFile, without the temporary folder in error messages. */
function fromFile(content: string | Uint8Array): KServePlatformConfig {
  const file = path.join(folder, 'config.yaml');
  writeFileSync(file, content);
  try {
    return KServePlatformConfig.fromFile(file);
  } catch (error) {
    // The cause is omitted, because its message has the folder.
    // oxlint-disable-next-line preserve-caught-error
    throw new Error((error as Error).message.replaceAll(`${folder}/`, ''));
  }
}

function thrownBy(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing is thrown');
}

describe('the platform level from props', () => {
  test('is the one that KServe would read from its ConfigMap', () => {
    const platform = KServePlatformConfig.of({ defaultRollout: { mode: 'Availability', maxSurge: '50%', maxUnavailable: '25%' } });

    expect(platform.defaultDeploymentMode).toBe('Standard');
    expect(platform.defaultRollout).toEqual({ maxSurge: '50%', maxUnavailable: '0%' });
  });

  test('may have a fixed number of pods, which services get but a ConfigMap can’t express', () => {
    const platform = KServePlatformConfig.of({ defaultRollout: { maxSurge: 1, maxUnavailable: 0 } });

    expect(platform.defaultRollout).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(headsOf(synthError((chart) => platform.emit(chart)))).toMatchInlineSnapshot(`
[
  "Validation failed with the following errors:",
  "[shop/inferenceservice-config] [kserve/config-bare-number] data[deploy].deploymentRolloutStrategy.defaultRollout.maxSurge:",
]
`);
  });

  test.each<[string, unknown, string]>([
    ['a number in quotes', { defaultRollout: { maxSurge: '1' } }, 'platform config: [kubernetes/quoted-integer] defaultRollout.maxSurge:'],
    [
      'both limits zero',
      { defaultRollout: { maxSurge: 0, maxUnavailable: '0%' } },
      'platform config: [kubernetes/invalid-strategy] defaultRollout.maxUnavailable:',
    ],
    ['a mode in lower case', { defaultRollout: { mode: 'availability' } }, 'platform config: [kserve/invalid-config] defaultRollout.mode:'],
    ['an unknown deployment mode', { defaultDeploymentMode: 'Raw' }, 'platform config: [kserve/invalid-config] defaultDeploymentMode:'],
  ])('%s is refused with code and path', (_, props, head) => {
    expect(() => KServePlatformConfig.of(props as PlatformConfigProps)).toThrow(head);
  });
});

describe('the platform level of a cluster', () => {
  test('is read from its ConfigMap, with old and new names', () => {
    expect(KServePlatformConfig.fromConfigMap(CLUSTER)).toMatchObject({
      defaultDeploymentMode: 'Standard',
      defaultRollout: { maxSurge: '10%' },
    });
    expect(KServePlatformConfig.fromConfigMap({ defaultDeploymentMode: 'Serverless' })).toMatchObject({ defaultDeploymentMode: 'Knative' });
  });

  test('is read from a file: the ConfigMap, alone or with other objects, or the JSON of its deploy key', () => {
    const others = Yaml.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other' } });

    expect(fromFile(Yaml.stringify(CLUSTER)).defaultRollout).toEqual({ maxSurge: '10%' });
    expect(fromFile(`${others}---\n${Yaml.stringify(CLUSTER)}`).defaultRollout).toEqual({ maxSurge: '10%' });
    expect(fromFile(CLUSTER.data.deploy).defaultRollout).toEqual({ maxSurge: '10%' });
  });

  test.each<[string, string | Uint8Array, string]>([
    ['torn YAML', 'apiVersion: v1\nkind: ConfigMap\ndata: {', 'config.yaml:3:'],
    [
      'a file without such a ConfigMap',
      Yaml.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }),
      'config.yaml: has no ConfigMap inferenceservice-config; use the output of kubectl get configmap inferenceservice-config -n kserve -o yaml',
    ],
    [
      'an empty file',
      '',
      'config.yaml: has no ConfigMap inferenceservice-config; use the output of kubectl get configmap inferenceservice-config -n kserve -o yaml',
    ],
    ['a binary file', new Uint8Array([0, 255, 0, 254]), 'config.yaml:1:'],
    [
      'a bare number',
      Yaml.stringify(configMap('{"defaultDeploymentMode": "Standard", "deploymentRolloutStrategy": {"defaultRollout": {"maxSurge": 1}}}')),
      'config.yaml:7: [kserve/config-bare-number] data[deploy].deploymentRolloutStrategy.defaultRollout.maxSurge:',
    ],
    ['no default mode', Yaml.stringify(configMap('{}')), 'config.yaml:7: [kserve/invalid-config] data[deploy].defaultDeploymentMode:'],
    ['comments in the JSON', Yaml.stringify(configMap('{ # the default\n}')), 'config.yaml:7: [kserve/invalid-config] data[deploy]:'],
  ])('%s is refused with file and line, and a finding with code and path', (_, content, head) => {
    expect(() => fromFile(content)).toThrow(head);
  });

  test('a missing file is refused with its name and the line of the call, without a stack of this package', () => {
    const error = thrownBy(() => KServePlatformConfig.fromFile('missing.yaml'));

    expect(error.message).toMatch(
      /^missing\.yaml: no such file or folder; name a file with the ConfigMap inferenceservice-config \(called at test\/constructs\/kserve-platform-config\.test\.ts:\d+:\d+\)$/,
    );
    expect(error.stack).toBe(`PlatformConfigError: ${error.message}`);
  });
});

describe('emit', () => {
  test('writes a new ConfigMap with only the deploy key', () => {
    const chart = Testing.chart();
    const object = KServePlatformConfig.of({ defaultRollout: { mode: 'ResourceAware', maxUnavailable: '50%' } }).emit(chart);

    expect(ApiObject.isApiObject(object)).toBe(true);
    expect(Yaml.stringify(...Testing.synth(chart))).toMatchInlineSnapshot(`
"apiVersion: v1
kind: ConfigMap
metadata:
  name: inferenceservice-config
  namespace: kserve
data:
  deploy: |-
    {
      "defaultDeploymentMode": "Standard",
      "deploymentRolloutStrategy": {
        "defaultRollout": {
          "maxUnavailable": "50%",
          "maxSurge": "0%"
        }
      }
    }
"
`);
  });

  test('keeps everything else of the cluster’s ConfigMap', () => {
    const chart = Testing.chart();
    KServePlatformConfig.of({ defaultDeploymentMode: 'Standard', defaultRollout: { maxUnavailable: '20%' } }).emit(chart, {
      id: 'config',
      base: CLUSTER,
    });

    expect(Yaml.stringify(...Testing.synth(chart))).toMatchInlineSnapshot(`
"apiVersion: v1
kind: ConfigMap
metadata:
  name: inferenceservice-config
  namespace: kserve
data:
  deploy: |-
    {
      "defaultDeploymentMode": "Standard",
      "deploymentRolloutStrategy": {
        "defaultRollout": {
          "maxSurge": "10%",
          "maxUnavailable": "20%"
        }
      }
    }
  ingress: '{"ingressClassName": "istio"}'
"
`);
  });

  test('omits metadata that the API server wrote into the base', () => {
    const metadata = {
      ...CLUSTER.metadata,
      uid: '5f2c',
      resourceVersion: '4711',
      creationTimestamp: '2026-01-01T00:00:00Z',
      managedFields: [],
      labels: { app: 'kserve' },
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', owner: 'platform' },
    };
    const object = KServePlatformConfig.fromConfigMap({ ...CLUSTER, metadata }).emit(Testing.chart());

    expect((object.toJson() as { metadata: unknown }).metadata).toEqual({
      name: 'inferenceservice-config',
      namespace: 'kserve',
      labels: { app: 'kserve' },
      annotations: { owner: 'platform' },
    });
  });

  test('writes an unchanged ConfigMap as it was read', () => {
    const chart = Testing.chart();
    fromFile(CLUSTER.data.deploy).emit(chart);

    const [emitted] = Testing.synth(chart);
    expect(KServePlatformConfig.fromConfigMap(emitted)).toMatchObject({
      defaultDeploymentMode: 'Standard',
      defaultRollout: { maxSurge: '10%' },
    });
  });
});
