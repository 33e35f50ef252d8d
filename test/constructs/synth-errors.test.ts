import { ApiObject } from 'cdk8s';
import { DeploymentPolicy, FleetBundle, InferenceServiceRollout } from 'rolloutkit';
import { findCallSite } from '../../src/props/call-site';
import { headsOf } from '../facts';
import { synthError } from './synth-error';
import { model } from '../builders/served-model';

/** Returns `[path] [code] prop: … (created at file)` for each line, without line and column, which any edit of this file moves. */
function placesOf(message: string): (string | undefined)[] {
  return message.split('\n').map((line) => /\(created at ([^:]+):\d+:\d+\)$/.exec(line)?.[1]);
}

test('a synth lists every error at once, with the path of the construct, the prop and the line that created it', () => {
  const message = synthError((chart) => {
    // @ts-expect-error a number in quotes
    new InferenceServiceRollout(chart, 'iris', { predictor: { model, rollout: { type: 'RollingUpdate', maxSurge: '1' } } });
    new FleetBundle(chart, 'shop', { targets: [{ clusterSelector: {} }], rollout: { maxUnavailable: 0 } });
    const web = new ApiObject(chart, 'web', { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'web' } });
    DeploymentPolicy.stateless({ update: 'Recreate' }).applyTo(web);
    DeploymentPolicy.stateless({ update: 'Recreate' }).applyToAll(chart, { matchLabels: { tier: 'front' } });
  });

  expect(headsOf(message)).toEqual([
    'Validation failed with the following errors:',
    expect.stringContaining('[shop] applyToAll of a Deployment policy found no Deployment or StatefulSet with tier=front in this scope'),
    '[shop/iris] [kubernetes/quoted-integer] predictor.rollout.maxSurge:',
    '[shop/shop] [fleet/zero-max-unavailable] rollout.maxUnavailable:',
    '[shop/web] [kubernetes/invalid-strategy] kind:',
  ]);
  const file = 'test/constructs/synth-errors.test.ts';
  expect(placesOf(message)).toEqual([undefined, file, file, file, file]);
});

test('an error that the API server would report has the line of the policy', () => {
  const message = synthError((chart) => {
    const web = new ApiObject(chart, 'web', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { replicas: -1 },
    });
    DeploymentPolicy.stateless({ update: 'Recreate' }).applyTo(web);
  });

  expect(new Set(placesOf(message).slice(1))).toEqual(new Set(['test/constructs/synth-errors.test.ts']));
});

describe('the location in a stack', () => {
  const own = `${__dirname.replace('/test/', '/src/')}/policy.ts`;

  test.each([
    ['a function', [`at new Web (${process.cwd()}/app/web.ts:12:3)`], 'app/web.ts:12:3'],
    ['the top of a file', [`at ${process.cwd()}/main.js:1:2`], 'main.js:1:2'],
    ['a module', [`at file://${process.cwd()}/main.mjs:1:2`], 'main.mjs:1:2'],
    ['a folder with parentheses', [`at f (${process.cwd()}/a (copy)/main.js:1:2)`], 'a (copy)/main.js:1:2'],
    [
      'the first that is not in a package',
      ['at node:internal/main:1:2', `at f (${own}:1:2)`, 'at g (/x/node_modules/cdk8s/lib/app.js:3:4)', `at ${process.cwd()}/main.js:5:6`],
      'main.js:5:6',
    ],
    ['only packages', ['at g (/x/node_modules/cdk8s/lib/app.js:3:4)'], undefined],
    ['no place', ['at <anonymous>', 'at f (native)'], undefined],
  ])('%s', (_, frames, expected) => {
    const trace = new Error();
    trace.stack = ['Error: (x:1:2)', ...frames.map((frame) => `    ${frame}`)].join('\n');

    expect(findCallSite(trace)).toBe(expected);
  });
});
