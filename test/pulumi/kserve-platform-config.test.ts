import * as pulumi from '@pulumi/pulumi';
import { KServePlatformConfig } from 'rolloutkit/pulumi';
import type { KServePlatformConfigArgs } from 'rolloutkit/pulumi';
import { run } from './program';

const defaultRollout = { mode: 'Availability', maxSurge: '25%' } as const;

describe('a KServePlatformConfig', () => {
  test('writes nothing, unless the program says how', async () => {
    const { resources } = await run(() => new KServePlatformConfig('platform', { defaultRollout }));

    expect(resources.map(({ type }) => type)).toEqual(['rolloutkit:kserve:KServePlatformConfig']);
    const args = { emit: true } as unknown as KServePlatformConfigArgs;
    await expect(run(() => new KServePlatformConfig('platform', args))).rejects.toThrow('emit');
    await expect(run(() => new KServePlatformConfig('platform', { emit: 'all' } as unknown as KServePlatformConfigArgs))).rejects.toThrow(
      'emit is "all"; write "patch" or "configmap", or leave it out to write nothing',
    );
  });

  test("patches the ConfigMap of KServe's installation, and leaves its other keys alone", async () => {
    const base = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'inferenceservice-config', namespace: 'kserve', resourceVersion: '42', labels: { app: 'kserve' } },
      data: { deploy: '{"defaultDeploymentMode": "Knative"}', ingress: '{}' },
    };
    const { resources } = await run(() => new KServePlatformConfig('platform', { defaultDeploymentMode: 'Standard', base, emit: 'patch' }));

    expect(resources[1]).toMatchObject({
      type: 'kubernetes:core/v1:ConfigMapPatch',
      name: 'platform-patch',
      retainOnDelete: true,
    });
    expect(resources[1]!.inputs).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'inferenceservice-config', namespace: 'kserve', annotations: { 'pulumi.com/patchForce': 'true' } },
      data: { deploy: '{\n  "defaultDeploymentMode": "Standard"\n}' },
    });
  });

  test('creates the ConfigMap of the typed class, in the only form that KServe reads, for a program that installs KServe', async () => {
    const { resources } = await run(() => new KServePlatformConfig('platform', { defaultRollout, emit: 'configmap' }));

    expect(resources).toMatchInlineSnapshot(`
[
  {
    "dependsOn": [],
    "ignoreChanges": [],
    "inputs": {},
    "name": "platform",
    "type": "rolloutkit:kserve:KServePlatformConfig",
    "urn": "urn:pulumi:dev::shop::rolloutkit:kserve:KServePlatformConfig::platform",
  },
  {
    "dependsOn": [],
    "ignoreChanges": [],
    "inputs": {
      "apiVersion": "v1",
      "data": {
        "deploy": "{
  "defaultDeploymentMode": "Standard",
  "deploymentRolloutStrategy": {
    "defaultRollout": {
      "maxSurge": "25%",
      "maxUnavailable": "0%"
    }
  }
}",
      },
      "kind": "ConfigMap",
      "metadata": {
        "name": "inferenceservice-config",
        "namespace": "kserve",
      },
    },
    "name": "platform-configmap",
    "type": "kubernetes:core/v1:ConfigMap",
    "urn": "urn:pulumi:dev::shop::rolloutkit:kserve:KServePlatformConfig$kubernetes:core/v1:ConfigMap::platform-configmap",
  },
]
`);
  });

  test("keeps everything else of the cluster's ConfigMap", async () => {
    const base = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'inferenceservice-config', namespace: 'kserve', resourceVersion: '42' },
      data: { deploy: '{"defaultDeploymentMode": "Knative"}', ingress: '{}' },
    };
    const { resources } = await run(
      () => new KServePlatformConfig('platform', { defaultDeploymentMode: 'Standard', base, emit: 'configmap' }),
    );

    expect(resources[1]!.inputs).toMatchObject({
      metadata: { name: 'inferenceservice-config', namespace: 'kserve' },
      data: { ingress: '{}' },
    });
    expect(resources[1]!.inputs.metadata).not.toHaveProperty('resourceVersion');
  });

  test('that KServe could not read fails the preview: it can’t express a fixed number of pods', async () => {
    await expect(run(() => new KServePlatformConfig('platform', { defaultRollout: { maxSurge: 2 } }))).rejects.toThrow(
      /^KServePlatformConfig "platform" is refused \(created at test\/pulumi\/kserve-platform-config\.test\.ts:\d+:\d+\):\n/,
    );
  });

  test('accepts no Output, because every service depends on it', async () => {
    const args = { defaultDeploymentMode: pulumi.output('Standard') } as unknown as KServePlatformConfigArgs;
    await expect(run(() => new KServePlatformConfig('platform', args))).rejects.toThrow('defaultDeploymentMode is a Pulumi Output');
  });
});
