import * as pulumi from '@pulumi/pulumi';
import { FORMER_TYPE_TOKENS, TYPE_TOKENS, withFormerTypes } from '../../src/pulumi/type-tokens';

test('the type tokens do not change: a changed one replaces every resource of every stack, unless the old one becomes an alias', () => {
  expect(TYPE_TOKENS).toEqual({
    InferenceServiceRollout: 'rolloutkit:kserve:InferenceServiceRollout',
    KServePlatformConfig: 'rolloutkit:kserve:KServePlatformConfig',
    IncrementalRayService: 'rolloutkit:kuberay:IncrementalRayService',
    FleetBundle: 'rolloutkit:fleet:FleetBundle',
    DaemonSetPolicy: 'rolloutkit:kubernetes:DaemonSetPolicy',
    DeploymentPolicy: 'rolloutkit:kubernetes:DeploymentPolicy',
    ApplicationSetRollout: 'rolloutkit:argocd:ApplicationSetRollout',
    DisaggregatedSetRollout: 'rolloutkit:lws:DisaggregatedSetRollout',
    LeaderWorkerSetRollout: 'rolloutkit:lws:LeaderWorkerSetRollout',
    LLMInferenceServiceRollout: 'rolloutkit:kserve:LLMInferenceServiceRollout',
    OperatorRollingUpdate: 'rolloutkit:baw:OperatorRollingUpdate',
  });
});

test('every component has a list of former tokens, ready for its first rename', () => {
  expect(Object.keys(FORMER_TYPE_TOKENS)).toEqual(Object.keys(TYPE_TOKENS));
});

test('former tokens become aliases in addition to those of the user', () => {
  const opts: pulumi.ComponentResourceOptions = { protect: true, aliases: [{ name: 'old' }] };

  expect(withFormerTypes(opts, ['rolloutkit:kserve:Service'])).toEqual({
    protect: true,
    aliases: [{ name: 'old' }, { type: 'rolloutkit:kserve:Service' }],
  });
});
