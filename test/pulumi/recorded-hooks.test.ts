import * as pulumi from '@pulumi/pulumi';
import { planChange } from '../../src/headless';
import { renderChangePreview } from '../../src/pulumi/change-preview';
import { recordedCall } from './recorded-hooks';

interface Spec {
  readonly replicas?: unknown;
  readonly updateStrategy?: unknown;
  readonly strategy?: unknown;
  readonly template: { readonly metadata: object; readonly spec: { readonly containers: readonly object[] } };
}

const WAITS = '  Pulumi waits until its pods are updated and ready, at most 10 minutes (or customTimeouts)';

/** Previews the recorded update of a resource, with another spec if one is given. */
async function previewUpdate(name: string, changeSpec: (spec: Spec) => unknown = (spec) => spec, isSecret = false): Promise<string> {
  const call = recordedCall('update', 'beforeUpdate', name);
  const { spec, ...others } = call.newInputs as { readonly spec: Spec | pulumi.Output<Spec> };
  const plain = pulumi.Output.isInstance(spec) ? await (spec as unknown as { promise(): Promise<Spec> }).promise() : spec;
  const next = changeSpec(plain);
  const text = await renderChangePreview({ ...call, newInputs: { ...others, spec: isSecret ? pulumi.secret(next) : next } });
  return text.replace(WAITS, '').trimEnd();
}

const ROLLS = '2 of 2 available at the worst moment';

describe('the first update of an object that the provider created, by what a real engine passed to the hook', () => {
  test.each([
    ['plain', `! roll   Deployment default/plain   ${ROLLS}   image plain:1 -> plain:2`],
    ['scaled', `! roll   Deployment default/scaled   ${ROLLS}   image scaled:1 -> scaled:2`],
    ['db', '! roll   StatefulSet default/db   1 of 2 available at the worst moment   image db:1 -> db:2'],
  ])('of %s is no conflict with the manager of the create', async (name, line) => {
    const call = recordedCall('update', 'beforeUpdate', name);
    expect(call.oldOutputs).toMatchObject({ metadata: { managedFields: [{ manager: 'pulumi-kubernetes', operation: 'Update' }, {}] } });

    expect(await renderChangePreview(call)).toBe(`${line}\n${WAITS}`);
  });

  test('is a conflict with the managers of other tools, unless the apply is forced', async () => {
    const { oldOutputs, newInputs, ...call } = recordedCall('update', 'beforeUpdate', 'scaled');
    const { metadata } = oldOutputs as { readonly metadata: { readonly managedFields: readonly object[] } };
    const autoscaler = {
      manager: 'kube-controller-manager',
      operation: 'Update',
      subresource: 'scale',
      apiVersion: 'apps/v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    };
    const scaled = {
      ...oldOutputs,
      spec: { ...(oldOutputs!.spec as object), replicas: 5 },
      metadata: { ...metadata, managedFields: [...metadata.managedFields, autoscaler] },
    };
    const forced = { ...(newInputs!.metadata as object), annotations: { 'pulumi.com/patchForce': 'true' } };

    expect(await renderChangePreview({ ...call, newInputs, oldOutputs: scaled })).toBe(
      '✗ refused   Deployment default/scaled   .spec.replicas: Apply failed with 1 conflict: conflict with "kube-controller-manager" with subresource "scale" using apps/v1: .spec.replicas',
    );
    expect(await renderChangePreview({ ...call, newInputs: { ...newInputs, metadata: forced }, oldOutputs: scaled })).toContain(
      '! roll-and-scale   Deployment default/scaled',
    );
  });
});

test('the command line knows that too: --apply pulumi takes over what the provider created', () => {
  const { oldOutputs, newInputs } = recordedCall('update', 'beforeUpdate', 'plain');
  const { change } = planChange([oldOutputs], [newInputs], { apply: 'pulumi' });

  expect(change.objects.map(({ effect }) => effect)).toEqual(['roll']);
});

describe('one secret variable, which makes the engine pass all of spec as a secret', () => {
  test('does not hide what the update does, and no value is shown', async () => {
    const line = await previewUpdate('secret', undefined, true);

    expect(line).toBe(`! roll   Deployment default/secret   ${ROLLS}   image differs`);
  });

  test('does not hide enums and quantities from the checks', async () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };

    expect(await previewUpdate('secret', (spec) => ({ ...spec, strategy }), true)).toContain('! roll   Deployment default/secret');
  });

  test('does not hide why the API server refuses it, and the message shows no value either', async () => {
    expect(await previewUpdate('secret', (spec) => ({ ...spec, strategy: { type: 'hunter-three' } }), true)).toBe(
      '✗ refused   Deployment default/secret   spec.strategy: type is (secret), which the API server refuses: supported values are "Recreate" and (secret).',
    );
  });

  test('of a new object counts its pods', async () => {
    expect(await renderChangePreview(recordedCall('create', 'beforeCreate', 'secret'))).toBe(
      `+ create   Deployment default/secret   2 pods\n${WAITS}`,
    );
  });
});

describe('values that are not known yet', () => {
  const withContainer = (change: object) => (spec: Spec) => ({
    ...spec,
    template: { ...spec.template, spec: { containers: [{ ...spec.template.spec.containers[0], ...change }] } },
  });

  test('are changes, of variables too', async () => {
    expect(await previewUpdate('unknown')).toBe(`! roll   Deployment default/unknown   ${ROLLS}   image unknown:1 -> unknown:2 and 2 more`);
    expect(await previewUpdate('unknown', withContainer({ image: 'unknown:1' }))).toContain(
      'env[CM] settings-5c85845c -> settings-7839bbd9 and 1 more',
    );
  });

  test('belong to the variable of the same name, wherever it is in the list', async () => {
    const env = [
      { name: 'ID', value: pulumi.unknown },
      { name: 'CM', value: 'settings-5c85845c' },
    ];
    expect(await previewUpdate('unknown', withContainer({ image: 'unknown:1', env }))).toBe(
      `! roll   Deployment default/unknown   ${ROLLS}   env ["CM","ID"] -> ["ID","CM"] and 1 more`,
    );
  });

  test.each([
    ['a number', (spec: Spec) => ({ ...spec, replicas: pulumi.unknown })],
    ['an enum', (spec: Spec) => ({ ...spec, strategy: { type: pulumi.unknown, rollingUpdate: pulumi.unknown } })],
    ['a quantity', withContainer({ image: 'plain:1', resources: { requests: { cpu: pulumi.unknown } } })],
    ['the entire template', (spec: Spec) => ({ ...spec, template: pulumi.unknown })],
    ['the entire spec', () => pulumi.unknown],
  ])('are never read as removed or refused: %s', async (_, change) => {
    expect(await previewUpdate('plain', change)).not.toMatch(/refused|removed|scale/);
  });

  test.each(['name', 'namespace'])('do not make another object of it: %s', async (field) => {
    const { newInputs, ...call } = recordedCall('update', 'beforeUpdate', 'plain');
    const metadata = { ...(newInputs!.metadata as object), [field]: pulumi.unknown };

    expect(await renderChangePreview({ ...call, newInputs: { ...newInputs, metadata } })).toBe(
      `! roll   Deployment default/plain   ${ROLLS}   image plain:1 -> plain:2\n${WAITS}`,
    );
  });

  test('of a new object do not hide its pods', async () => {
    expect(await renderChangePreview(recordedCall('create', 'beforeCreate', 'unknown'))).toBe(
      `+ create   Deployment default/unknown   2 pods\n${WAITS}`,
    );
  });
});

describe('a patch of an object', () => {
  test('is not an object without a selector: its update is that of the object', async () => {
    expect(await renderChangePreview(recordedCall('update', 'beforeUpdate', 'patch'))).toBe(
      `! roll   Deployment default/plain   ${ROLLS}   annotations[note] "1" -> "2"\n${WAITS}`,
    );
  });

  test('is silent when it is created, because the hook does not see the object', async () => {
    expect(await renderChangePreview(recordedCall('create', 'beforeCreate', 'patch'))).toBe('');
  });
});

describe('what Pulumi waits for', () => {
  const db = async (spec: object, annotations: object = {}, oldStatus: object = {}) => {
    const { newInputs, oldOutputs, ...recorded } = recordedCall('update', 'beforeUpdate', 'db');
    const call = { ...recorded, oldOutputs: { ...oldOutputs, status: { ...(oldOutputs!.status as object), ...oldStatus } } };
    const metadata = { ...(newInputs!.metadata as object), annotations };
    const lines = (
      await renderChangePreview({ ...call, newInputs: { ...newInputs, metadata, spec: { ...(newInputs!.spec as object), ...spec } } })
    ).split('\n');
    return lines.at(-1);
  };
  const partitioned = { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } };

  test('can never happen with a partition', async () => {
    expect(await db(partitioned)).toBe(
      '  Pulumi waits 10 minutes (or customTimeouts) and then fails the update, because partition 1 keeps pods on the old revision: set the annotation pulumi.com/skipAwait: "true"',
    );
  });

  test('can never happen if the partition holds every pod', async () => {
    expect(await db({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } })).toContain(
      'fails the update, because partition 2 keeps pods on the old revision',
    );
  });

  test('happens with a partition if the change only scales, unless the pods already have two revisions', async () => {
    const template = recordedCall('update', 'beforeUpdate', 'db').oldOutputs!.spec as { readonly template: object };
    const scaled = { ...partitioned, template: template.template, replicas: 5 };
    expect(await db(scaled)).toBe(WAITS);
    expect(await db(scaled, {}, { updateRevision: 'db-2' })).toContain(
      'fails the update, because partition 1 keeps pods on the old revision',
    );
  });

  test('happens with a partition if there are no pods', async () => {
    expect(await db({ ...partitioned, replicas: 0 })).toBe(WAITS);
  });

  test('is nothing if the object says so, and takes as long as it says', async () => {
    expect(await db(partitioned, { 'pulumi.com/skipAwait': 'true' })).toBe('  Pulumi does not wait for its pods (pulumi.com/skipAwait)');
    expect(await db({}, { 'pulumi.com/timeoutSeconds': '90' })).toBe('  Pulumi waits until its pods are updated and ready, at most 90 s');
  });
});

describe('the status that Pulumi stored', () => {
  const unfinished = { replicas: 2, updatedReplicas: 1, availableReplicas: 2 };
  const previewAfter = (generation: number, status: object) => {
    const { oldOutputs, ...call } = recordedCall('update', 'beforeUpdate', 'plain');
    const metadata = { ...(oldOutputs!.metadata as object), generation };
    return renderChangePreview({ ...call, oldOutputs: { ...oldOutputs, metadata, status } });
  };

  test('shows that the last rollout has not finished', async () => {
    expect(await previewAfter(2, { ...unfinished, observedGeneration: 2 })).toContain('the last rollout has not finished: 1 of 2 updated');
  });

  test.each([
    ['is that of the rollout before, for an update that Pulumi did not wait for', { ...unfinished, observedGeneration: 1 }],
    ['is empty, for an object that Pulumi created and did not wait for', {}],
  ])('%s: it is not read', async (_, status) => {
    expect(await previewAfter(2, status)).toBe(`! roll   Deployment default/plain   ${ROLLS}   image plain:1 -> plain:2\n${WAITS}`);
  });
});
