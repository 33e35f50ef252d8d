import { ApiObject, App, Chart } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-28';
import { InferenceServiceRollout, Rollout } from 'rolloutkit';

import { atMostRatio, minRatioOf, linear, millisecondsOf } from './figure';
import type { Figure } from './figure';

function rollouts(count: number): Chart {
  const chart = new Chart(new App(), 'models', { namespace: 'models' });
  for (let index = 0; index < count; index++) {
    new InferenceServiceRollout(chart, `model-${index}`, {
      predictor: {
        minReplicas: 4,
        maxReplicas: 8,
        model: { modelFormat: { name: 'sklearn' }, storageUri: `s3://bucket/model-${index}` },
        rollout: Rollout.availability('25%'),
      },
    });
  }
  return chart;
}

/** Builds the same objects without constructs. */
function plainObjects(count: number): Chart {
  const chart = new Chart(new App(), 'models', { namespace: 'models' });
  for (let index = 0; index < count; index++) {
    const name = `model-${index}`;
    new ApiObject(chart, name, {
      apiVersion: 'serving.kserve.io/v1beta1',
      kind: 'InferenceService',
      metadata: { name, annotations: { 'serving.kserve.io/deploymentMode': 'Standard' } },
      spec: {
        predictor: {
          minReplicas: 4,
          maxReplicas: 8,
          model: { modelFormat: { name: 'sklearn' }, storageUri: `s3://bucket/model-${index}` },
          deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } },
        },
      },
    });
  }
  return chart;
}

/** Synthesizes a chart to YAML text, like `cdk8s synth`. */
function synthesize(chart: Chart): string {
  return App.of(chart).synthYaml();
}

export function synthFigures(): Figure[] {
  if (synthesize(plainObjects(10)) !== synthesize(rollouts(10)))
    throw new Error('the plain objects differ from the objects of the constructs');
  return [
    atMostRatio(
      'synth of 1,000 InferenceServiceRollouts, relative to the same objects as plain ApiObjects',
      1.15,
      minRatioOf(
        () => synthesize(rollouts(1_000)),
        () => synthesize(plainObjects(1_000)),
        50,
      ),
    ),
    linear('synth by number of InferenceServiceRollouts', (count) => () => synthesize(rollouts(count))),
  ];
}

function plusDeployments(count: number): Chart {
  const chart = new Chart(new App(), 'shop', { namespace: 'shop' });
  for (let index = 0; index < count; index++) {
    new Deployment(chart, `web-${index}`, { replicas: 4, containers: [{ image: `shop/web:1.${index}.0`, portNumber: 8080 }] });
  }
  return chart;
}

/** Time of synthesis, by number of objects. */
interface SynthCost {
  readonly name: string;
  /** Milliseconds for each count, in the order of the counts. */
  readonly milliseconds: readonly number[];
}

const CHARTS = [
  { name: 'InferenceServiceRollout', chartOf: rollouts },
  { name: 'the same objects as plain ApiObjects', chartOf: plainObjects },
  { name: 'Deployment of cdk8s-plus', chartOf: plusDeployments },
];
/** Number of rounds, including one warm-up round. */
const ROUNDS = 4;

/**
 * Measures synthesis with rolloutkit, plain cdk8s and cdk8s-plus. They run alternately, because the speed of a machine can change by half
 * from one minute to the next.
 */
export function measureSynthCosts(counts: readonly number[]): SynthCost[] {
  const roundsOf = counts.map((count) =>
    Array.from({ length: ROUNDS }, () => CHARTS.map(({ chartOf }) => millisecondsOf(() => synthesize(chartOf(count))))),
  );
  return CHARTS.map(({ name }, index) => ({
    name,
    milliseconds: roundsOf.map((rounds) => Math.min(...rounds.slice(1).map((round) => round[index]!))),
  }));
}
