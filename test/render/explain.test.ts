import type { RolloutExplanation } from '../../src/core/document/explanation';
import type { Finding } from '../../src/core/findings/finding';
import type { Provenance } from '../../src/core/document/provenance';
import { renderExplanation } from '../../src/render/text/explain';

const WEB: RolloutExplanation = {
  system: 'kubernetes',
  resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
  strategy: { type: 'RollingUpdate' },
  provenance: [],
};

function textOf(...rollouts: readonly RolloutExplanation[]): string {
  return renderExplanation({ formatVersion: '1.2', rollouts });
}

function explained(provenance: Provenance): string {
  return textOf({ ...WEB, provenance: [provenance] });
}

test('the level that decides comes first with its reason, then the overridden levels in the order of the provenance', () => {
  expect(
    explained({
      field: 'maxSurge',
      value: '25%',
      layer: 'kserve-default',
      reason: 'no level above it decides.',
      overridden: [
        { layer: 'platform-config', value: '10%', reason: 'does not apply: the default deployment mode is Knative, not Standard' },
        { layer: 'kubernetes-default', value: '25%', reason: 'a lower level' },
      ],
    }),
  ).toMatchInlineSnapshot(`
"Deployment shop/web (kubernetes)

maxSurge
   LEVEL               VALUE  RESULT
>  kserve-default      25%    decides: no level above it decides.
   platform-config     10%    does not apply: the default deployment mode is Knative, not Standard
   kubernetes-default  25%    a lower level
"
`);
});

test('levels may have any name, such as that of a partition', () => {
  expect(
    explained({
      field: 'maxUnavailable',
      value: 1,
      layer: 'partition eu',
      reason: 'the partition has its own.',
      overridden: [{ layer: 'rollout-strategy', value: '10%', reason: 'holds for the bundle as a whole' }],
    }),
  ).toMatchInlineSnapshot(`
"Deployment shop/web (kubernetes)

maxUnavailable
   LEVEL             VALUE  RESULT
>  partition eu      1      decides: the partition has its own.
   rollout-strategy  10%    holds for the bundle as a whole
"
`);
});

test('a rollout without a strategy has the findings that say why, and one with a strategy has none', () => {
  const refusal: Finding = {
    code: 'kubernetes/quoted-integer',
    severity: 'error',
    messageId: 'quoted',
    data: {},
    path: 'spec.strategy',
    message: 'It is quoted.',
  };
  expect(textOf({ ...WEB, strategy: null, noStrategy: { because: 'findings', findings: [refusal] } }, WEB)).toMatchInlineSnapshot(`
"Deployment shop/web (kubernetes)

No level decides: there is no strategy.

error  kubernetes/quoted-integer  spec.strategy
  It is quoted.

Deployment shop/web (kubernetes)
"
`);
});
