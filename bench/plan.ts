import { planManifests } from 'rolloutkit/plan';
import { parseAllDocuments } from 'yaml';

import { atMostRatio, linear, ratioOf } from './figure';
import type { Figure } from './figure';

/** Returns the YAML of InferenceServices, Deployments and autoscalers, as in a repository of a platform. */
function manifestsYaml(count: number): string {
  const documents: string[] = [];
  for (let index = 0; index < count; index++) {
    documents.push(
      index % 3 === 0
        ? `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata:
  name: model-${index}
  namespace: models
spec:
  predictor:
    minReplicas: 4
    model:
      modelFormat:
        name: sklearn
      storageUri: s3://bucket/model-${index}
`
        : index % 3 === 1
          ? `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-${index}
  namespace: shop
spec:
  strategy:
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 25%
  template:
    spec:
      containers:
        - name: web
          image: web:2
`
          : `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web-${index - 1}
  namespace: shop
spec:
  minReplicas: 3
  maxReplicas: 9
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web-${index - 1}
`,
    );
  }
  return documents.join('---\n');
}

function parse(text: string): unknown[] {
  return parseAllDocuments(text).map((document) => document.toJS() as unknown);
}

export function planFigures(): Figure[] {
  const text = manifestsYaml(1_000);
  const objects = parse(text);
  return [
    atMostRatio(
      'plan of 1,000 manifests, relative to parsing their YAML',
      1,
      ratioOf(
        () => planManifests(objects),
        () => parse(text),
      ),
    ),
    linear('plan by number of manifests', (count) => {
      const manifests = parse(manifestsYaml(count));
      return () => planManifests(manifests);
    }),
  ];
}
