import type { AsyncLocalStorage } from 'node:async_hooks';
import * as pulumi from '@pulumi/pulumi';
import type { ResourceTransform, ResourceTransformArgs } from '@pulumi/pulumi';
import { changePreview, DeploymentPolicy } from '../../src/pulumi';
import { memoizePerProgram } from '../../src/pulumi/program-context';

// The SDK keeps the state of an inline program of the Automation API here. Outside of it, the SDK writes secrets in plain text.
const sdk = globalThis as unknown as { readonly asyncLocalStorage: AsyncLocalStorage<unknown>; readonly globalStore: object };
const storage = sdk.asyncLocalStorage;

const web = {
  type: 'kubernetes:apps/v1:Deployment',
  name: 'web',
  custom: true,
  props: { metadata: { name: 'web' }, spec: { replicas: 2 } },
  opts: {},
} as ResourceTransformArgs;

/** Starts a program in this process, with an engine of its own. */
async function startProgram(): Promise<void> {
  const mocks = {
    call: ({ inputs }: pulumi.runtime.MockCallArgs) => inputs,
    newResource: ({ inputs }: pulumi.runtime.MockResourceArgs) => ({ id: '', state: inputs }),
  };
  await pulumi.runtime.setMocks(mocks, 'shop', 'dev', true);
}

/** Returns the state of the program in which the SDK continues after a transform. */
async function stateAfter(transform: ResourceTransform): Promise<unknown> {
  await transform(web);
  return storage.getStore();
}

describe('a transform of an inline program continues in the state of the program, so that secrets of props stay secrets', () => {
  const policy = () => DeploymentPolicy.transform({ stateless: { update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 } });

  test.each([
    ['DeploymentPolicy.transform', policy],
    ['changePreview', () => changePreview()],
  ])('%s', async (_, create) => {
    await startProgram();
    // There is no engine to register a hook with.
    jest.spyOn(pulumi, 'ResourceHook').mockImplementation((name) => ({ name }) as pulumi.ResourceHook);
    const program = { ...sdk.globalStore };
    const transform = storage.run(program, create);

    expect(await storage.run(undefined, () => stateAfter(transform))).toBe(program);
  });

  test('a program that is not inline has no state of its own', async () => {
    const transform = policy();

    expect(await storage.run(undefined, () => stateAfter(transform))).toBeUndefined();
  });
});

test('what one program of a process was given is not known to the next', async () => {
  const versions = memoizePerProgram((): string[] => []);
  await startProgram();
  versions().push('0.17');
  expect(versions()).toEqual(['0.17']);

  await startProgram();
  expect(versions()).toEqual([]);
});
