/** Checks by the compiler for Outputs. `npm test` type-checks this file. */
import * as pulumi from '@pulumi/pulumi';
import type { DaemonSetPolicyArgs, IncrementalRayServiceArgs, InferenceServiceRolloutArgs } from 'rolloutkit/pulumi';

const text = pulumi.output('text');
const count = pulumi.output(4);

test('a leaf string may be an Output', () => {
  const args: InferenceServiceRolloutArgs = {
    predictor: {
      model: { modelFormat: { name: 'sklearn' }, storageUri: text, env: [{ name: 'A', value: text }] },
      podSpec: { serviceAccountName: text },
    },
    transformer: { containers: [{ name: 'kserve-container', image: text }] },
  };
  expect(args.predictor.model!.storageUri).toBe(text);
});

test('an Output in a structural prop does not compile', () => {
  const model = { modelFormat: { name: 'sklearn' } };
  // @ts-expect-error replicas decide about the rollout
  const replicas: InferenceServiceRolloutArgs = { predictor: { model, minReplicas: count } };
  // @ts-expect-error so does a limit
  const limit: InferenceServiceRolloutArgs = { predictor: { model, rollout: { type: 'RollingUpdate', maxSurge: count } } };
  // @ts-expect-error and the name of the object
  const name: InferenceServiceRolloutArgs = { metadata: { name: text }, predictor: { model } };
  // @ts-expect-error and the pace of an upgrade
  const pace: Partial<IncrementalRayServiceArgs> = { upgrade: { gatewayClassName: 'istio', maxSurgePercent: count, stepSizePercent: 5 } };
  // @ts-expect-error an image is a text
  const image: InferenceServiceRolloutArgs = { predictor: { model: { ...model, image: count } } };
  // @ts-expect-error the limit of a policy
  const policy: Partial<DaemonSetPolicyArgs> = { policy: { maxUnavailable: count } };
  // @ts-expect-error of which a DaemonSet has one
  const both: Partial<DaemonSetPolicyArgs> = { policy: { maxSurge: 1, maxUnavailable: 1 } };
  expect([replicas, limit, name, pace, image, policy, both]).toHaveLength(7);
});
