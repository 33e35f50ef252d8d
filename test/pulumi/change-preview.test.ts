import * as pulumi from '@pulumi/pulumi';
import { changePreview } from 'rolloutkit/pulumi';
import { renderChangePreview, requireSdkVersion } from '../../src/pulumi/change-preview';
import { valueOf } from './program';

interface Web {
  readonly image?: string;
  readonly replicas?: number;
  readonly env?: readonly object[];
}

/** Returns the object of a program. */
function inputs({ image = 'web:1', replicas = 4, env = [] }: Web = {}): Record<string, unknown> {
  const containers = [{ name: 'web', image, env, readinessProbe: { tcpSocket: { port: 80 } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { labels: { app: 'web' } },
    spec: { replicas, selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: { containers } } },
  };
}

/** Returns the last state in Pulumi: a live object with a generated name and internal fields of the provider. */
function outputs(web: Web = {}): Record<string, unknown> {
  const { metadata, ...object } = inputs(web);
  const drawn = { name: 'web-3f2a', namespace: 'shop', uid: '5b5b1a3e-0000-4000-8000-000000000001', resourceVersion: '7' };
  return {
    ...object,
    __inputs: inputs(web),
    __initialApiVersion: 'apps/v1',
    metadata: { ...(metadata as object), ...drawn },
    status: {
      replicas: web.replicas ?? 4,
      readyReplicas: web.replicas ?? 4,
      availableReplicas: web.replicas ?? 4,
      updatedReplicas: web.replicas ?? 4,
    },
  };
}

/** What follows each line of a workload whose pods change. */
const WAITS = '\n  Pulumi waits until its pods are updated and ready, at most 10 minutes (or customTimeouts)';

const text = async (old: Web, next: Web) =>
  (await renderChangePreview({ oldOutputs: outputs(old), newInputs: inputs(next) })).replace(WAITS, '');

describe('the effect of an update on the pods of one object', () => {
  test('is a line of the plan of the change, with the name that Pulumi generated', async () => {
    expect(await text({}, { image: 'web:2' })).toBe(
      '! roll   Deployment shop/web-3f2a   3 of 4 available at the worst moment   image web:1 -> web:2',
    );
    expect(await text({}, { replicas: 8 })).toBe('~ scale   Deployment shop/web-3f2a   4 -> 8 pods, nothing is replaced');
  });

  test('is empty if nothing differs, and for other resources', async () => {
    expect(await text({}, {})).toBe('');
    expect(await renderChangePreview({ oldOutputs: { urn: 'x' }, newInputs: inputs() })).toBe('');
    expect(await renderChangePreview({ oldOutputs: outputs(), newInputs: undefined })).toBe('');
  });

  test('treats an unknown string as different, and names any other unknown value, which it treats as unchanged', async () => {
    expect(await text({}, { image: pulumi.unknown as string })).toContain('image web:1 -> output<string>');
    expect(await text({}, { replicas: pulumi.unknown as number })).toBe(
      'Without the effect of what is not known at preview: spec.replicas',
    );
    expect(await text({}, { image: 'web:2', env: [pulumi.unknown] })).toBe(
      '! roll   Deployment shop/web-3f2a   3 of 4 available at the worst moment   image web:1 -> web:2\n' +
        '  Without the effect of what is not known at preview: spec.template.spec.containers[0].env[0]',
    );
  });

  test('does not say that the API server refuses an object for lack of a value that is only unknown', async () => {
    const { spec, ...object } = inputs();
    const { template, ...others } = spec as { template: { metadata: object; spec: { containers: object[] } } };
    const containers = [{ ...template.spec.containers[0], ports: [{ containerPort: pulumi.unknown }] }];
    const newInputs = { ...object, spec: { ...others, template: { ...template, spec: { containers } } } };

    expect(await renderChangePreview({ oldOutputs: outputs(), newInputs })).toBe(
      'Without the effect of what is not known at preview: spec.template.spec.containers[0].ports[0].containerPort',
    );
  });

  test('shows that a secret differs, but never its value', async () => {
    const env = (value: unknown) => [{ name: 'GREETING', value }];
    const said = await text({ env: env(pulumi.secret('hunter2')) }, { env: env(pulumi.secret('swordfish')) });

    expect(said).toBe('! roll   Deployment shop/web-3f2a   3 of 4 available at the worst moment   env[GREETING] differs');
    expect(await text({ env: env(pulumi.secret('hunter2')) }, { env: env(pulumi.secret('hunter2')) })).toBe('');
  });
});

test('a refusal does not show a secret either, also if it quotes it within a longer text', async () => {
  const rollout = (version: unknown) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      strategy: { canary: {} },
      template: { metadata: { labels: { app: version } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
    },
  });
  const oldOutputs = { ...rollout('web'), metadata: { ...rollout('web').metadata, uid: '1', resourceVersion: '7' } };

  expect(await renderChangePreview({ oldOutputs, newInputs: rollout(pulumi.secret('hunter2\n"x"')) })).toBe(
    '✗ refused   Rollout shop/web   spec.template.metadata.labels: The labels of the pod template, "app=(secret)", do not match spec.selector, "app=web": the API server refuses the object.',
  );
});

describe('the first update of a custom resource that Pulumi created', () => {
  /** Returns the program's route. A real engine passed it and its state: Pulumi 3.274.1, provider near 4.32, API server 1.34.4. */
  const route = (...backendRefs: readonly object[]) => ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { annotations: { 'pulumi.com/skipAwait': 'true' }, name: 'llm', namespace: 'default' },
    spec: {
      parentRefs: [{ name: 'llm', namespace: 'default' }],
      rules: [{ backendRefs, matches: [{ path: { type: 'PathPrefix', value: '/' } }] }],
    },
  });
  const backend = (name: string, weight: number) => ({ name, namespace: 'default', port: 8000, weight });
  const old = route(backend('llm-next-serve-svc', 100));
  const created = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    fieldsType: 'FieldsV1',
    fieldsV1: {
      'f:metadata': { 'f:annotations': { '.': {}, 'f:pulumi.com/skipAwait': {} } },
      'f:spec': { '.': {}, 'f:parentRefs': {}, 'f:rules': {} },
    },
    manager: 'pulumi-kubernetes',
    operation: 'Update',
    time: '2026-11-29T03:23:48Z',
  };
  const state = {
    __fieldManager: 'pulumi-kubernetes-9d9af047',
    __initialApiVersion: 'gateway.networking.k8s.io/v1',
    __inputs: old,
    ...old,
    metadata: { ...old.metadata, generation: 1, managedFields: [created], resourceVersion: '257' },
  };
  const previewRoute = (newInputs: ReturnType<typeof route>, spec: object = newInputs.spec) =>
    renderChangePreview({
      type: 'kubernetes:gateway.networking.k8s.io/v1:HTTPRoute',
      name: 'llm-httproute-llm',
      newInputs: { ...newInputs, spec },
      oldOutputs: state,
    });

  test('does not remove the spec, whose schema only the API server has', async () => {
    expect(await previewRoute(route(backend('llm-current-serve-svc', 100), backend('llm-next-serve-svc', 0)))).toBe(
      '~ settings   HTTPRoute default/llm   backendRefs [{"name":"llm-next-serve-svc","namespace":"default","port":… -> [{"name":"llm-current-serve-svc","namespace":"default","por…',
    );
    expect(await previewRoute(old)).toBe('');
  });

  test('removes a field that the program no longer has', async () => {
    const { rules } = old.spec;
    expect(await previewRoute(old, { rules })).toBe('~ settings   HTTPRoute default/llm   parentRefs removed');
  });
});

describe('the effect of creating one object', () => {
  const made = (object: Record<string, unknown>) =>
    renderChangePreview({ newInputs: { ...object, metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } } } });

  test('is its number of pods', async () => {
    expect(await made(inputs())).toBe(`+ create   Deployment shop/web   4 pods${WAITS}`);
  });

  test('is the reason why the API server refuses it', async () => {
    expect(await made(inputs({ replicas: -1 }))).toBe(
      '✗ refused   Deployment shop/web   spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    );
  });

  test('is that of the known values, if others are unknown', async () => {
    expect(await made(inputs({ image: pulumi.unknown as string, replicas: 3 }))).toBe(`+ create   Deployment shop/web   3 pods${WAITS}`);
    expect(await made(inputs({ replicas: pulumi.unknown as number }))).toBe(
      `+ create   Deployment shop/web   1 pod${WAITS}\n  Without the effect of what is not known at preview: spec.replicas`,
    );
  });

  test('needs no name: Pulumi generates one', async () => {
    expect(await renderChangePreview({ name: 'web', type: 'kubernetes:apps/v1:Deployment', newInputs: inputs() })).toBe(
      `+ create   Deployment web   4 pods${WAITS}`,
    );
  });

  test('is empty without pods', async () => {
    expect(await made({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } })).toBe('');
    expect(await made(inputs({ replicas: 0 }))).toBe('');
  });
});

test('an SDK whose transforms can’t set hooks is refused, because nothing would be reported', () => {
  expect(() => requireSdkVersion('3.183.0')).toThrow(
    "changePreview needs @pulumi/pulumi 3.184.0 or later, but this is 3.183.0, whose transforms can't set resource hooks: upgrade it",
  );
  for (const sdk of ['3.184.0', '3.248.0', '4.0.0']) expect(() => requireSdkVersion(sdk)).not.toThrow();
});

describe('the transform', () => {
  const hooked: pulumi.ResourceHook[] = [];
  beforeEach(() => {
    jest.spyOn(pulumi.runtime, 'isDryRun').mockReturnValue(true);
    jest.spyOn(pulumi, 'ResourceHook').mockImplementation(function hook(
      this: unknown,
      ...given: ConstructorParameters<typeof pulumi.ResourceHook>
    ) {
      const [name, callback, opts] = given;
      const made = { name, callback, opts } as pulumi.ResourceHook;
      hooked.push(made);
      return made;
    });
  });
  const args = (type: string, opts: pulumi.CustomResourceOptions = {}): pulumi.ResourceTransformArgs => ({
    custom: true,
    type,
    name: 'web',
    props: inputs(),
    opts,
  });

  test('adds one hook, which runs at preview, to every Kubernetes object and keeps other hooks', async () => {
    const transform = changePreview();
    const own = () => undefined;

    const result = await transform(args('kubernetes:apps/v1:Deployment', { protect: true, hooks: { beforeUpdate: [own] } }));

    expect(hooked).toHaveLength(1);
    expect(hooked[0]!.opts).toEqual({ onDryRun: true, ignoreErrors: true });
    expect(result).toEqual({
      props: inputs(),
      opts: { protect: true, hooks: { beforeCreate: [hooked[0]], beforeUpdate: [own, hooked[0]] } },
    });
    for (const other of [
      'random:index/randomPet:RandomPet',
      'kubernetes:helm.sh/v3:Release',
      'kubernetes:yaml:ConfigFile',
      'kubernetes:yaml/v2:ConfigGroup',
    ]) {
      expect(await transform(args(other))).toBeUndefined();
    }
  });

  test('logs the line on the resource', async () => {
    changePreview();
    const URN = 'urn:pulumi:dev::shop::kubernetes:apps/v1:Deployment::web';
    const said: string[] = [];
    const info = jest.spyOn(pulumi.log, 'info').mockImplementation(async (message, resource) => {
      said.push(`${await valueOf(resource!.urn)}: ${message}`);
    });
    await hooked
      .at(-1)!
      .callback({ urn: URN, oldOutputs: outputs(), newInputs: inputs({ image: 'web:2' }) } as unknown as pulumi.ResourceHookArgs);
    await new Promise(setImmediate);
    info.mockRestore();

    expect(said).toEqual([`${URN}: ${await text({}, { image: 'web:2' })}${WAITS}`]);
  });

  test('does not wait for the log, in which an earlier message may wait for the URN of the same resource', async () => {
    changePreview();
    const info = jest.spyOn(pulumi.log, 'info').mockReturnValue(new Promise(() => {}));
    const given = { urn: 'urn:pulumi:web', oldOutputs: outputs(), newInputs: inputs({ image: 'web:2' }) };
    await hooked.at(-1)!.callback(given as unknown as pulumi.ResourceHookArgs);

    expect(info).toHaveBeenCalledTimes(1);
    info.mockRestore();
  });

  test.each<[unknown, string]>([
    [null, 'the options are null: write a map, or leave them out'],
    [5n, 'the options are 5: write a map, or leave them out'],
    ['x', 'the options are "x": write a map, or leave them out'],
    [{ versions: { kubernetes: 'new' } }, '"new" is not a version of Kubernetes: write it as 1.36 or 1.36.2'],
    [{ version: {} }, 'there is no option "version": write versions'],
    [{ apply: 'push' }, 'apply is "push"'],
  ])('refuses options that cannot be used before any hook is bound: %p', (options, said) => {
    const before = hooked.length;
    expect(() => changePreview(options as never)).toThrow(said);
    expect(hooked).toHaveLength(before);
  });

  test('binds no hooks in an update, so that they do not get into the state of the stack', async () => {
    const before = hooked.length;
    jest.mocked(pulumi.runtime.isDryRun).mockReturnValueOnce(false);
    const transform = changePreview();

    expect(await transform(args('kubernetes:apps/v1:Deployment'))).toBeUndefined();
    expect(hooked).toHaveLength(before);
  });
});
