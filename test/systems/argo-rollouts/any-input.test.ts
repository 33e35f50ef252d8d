import * as fc from 'fast-check';
import { planManifests } from '../../../src/headless';
import { scaleRuns } from '../../setup/scale-runs';

const FIELDS = [
  'canary',
  'blueGreen',
  'steps',
  'setWeight',
  'pause',
  'duration',
  'maxSurge',
  'maxUnavailable',
  'trafficRouting',
  'nginx',
  'plugins',
  'setCanaryScale',
  'replicas',
  'weight',
  'activeService',
  'previewReplicaCount',
  'antiAffinity',
  'pingPong',
  'experiment',
  'templates',
  'managedRoutes',
  'setHeaderRoute',
  'dynamicStableScale',
  'scaleDownDelaySeconds',
  'minPodsPerReplicaSet',
  'workloadRef',
  'strategy',
];

const { anything } = fc.letrec((tie) => ({
  anything: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, 0, 1, -1, 5, 100, 2 ** 31, 0.5, '', '5', '25%', 'x', '1m'),
    fc.array(tie('anything'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...FIELDS), tie('anything'), { maxKeys: 5 }),
  ),
}));

test('any Rollout has a plan, with a reason if it has no simulation', () => {
  fc.assert(
    fc.property(anything, fc.dictionary(fc.constantFrom('canary', 'blueGreen'), anything), (spec, strategy) => {
      const fields = typeof spec === 'object' && !Array.isArray(spec) ? spec : {};
      const object = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', metadata: { name: 'web' }, spec: { ...fields, strategy } };
      const { rollouts } = planManifests([object, { ...object, metadata: { name: 'bare' }, spec }]);
      expect(rollouts).toHaveLength(2);
      expect(rollouts.filter(({ simulation, findings }) => simulation === null && findings.length === 0)).toEqual([]);
    }),
    { numRuns: scaleRuns(300) },
  );
});
