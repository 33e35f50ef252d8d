import { ApiObject, App, Chart } from 'cdk8s';
import { InferenceServiceRollout, Rollout } from 'rolloutkit';

import { atMostRatio, linear, ratioOf } from './figure';
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

function plainObjects(manifests: readonly { apiVersion: string; kind: string }[]): Chart {
  const chart = new Chart(new App(), 'models', { namespace: 'models' });
  manifests.forEach((manifest, index) => new ApiObject(chart, `model-${index}`, manifest));
  return chart;
}

/** Construct and synthesize to YAML text, the whole of what `cdk8s synth` makes an app do. */
function synthesize(chart: Chart): string {
  return App.of(chart).synthYaml();
}

export function synthFigures(): Figure[] {
  const manifests = rollouts(1_000).toJson() as { apiVersion: string; kind: string }[];
  return [
    atMostRatio(
      'synth of 1,000 InferenceServiceRollouts against the same objects as plain ApiObjects',
      1.5,
      ratioOf(
        () => synthesize(rollouts(1_000)),
        () => synthesize(plainObjects(manifests)),
        5,
      ),
    ),
    linear('synth by number of InferenceServiceRollouts', (count) => () => synthesize(rollouts(count))),
  ];
}
