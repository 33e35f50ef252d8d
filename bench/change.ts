import { planChange } from 'rolloutkit/plan';
import { parseAllDocuments } from 'yaml';

import { atMostRatio, minRatioOf } from './figure';
import type { Figure } from './figure';

/** Returns the YAML of a Deployment. */
function deployment(index: number, image: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-${index}
  namespace: shop-${index % 20}
  labels:
    app: web-${index}
spec:
  replicas: 4
  selector:
    matchLabels:
      app: web-${index}
  template:
    metadata:
      labels:
        app: web-${index}
    spec:
      containers:
        - name: web
          image: ${image}
          ports:
            - containerPort: 8080
          resources:
            requests:
              cpu: 500m
              memory: 1Gi
`;
}

const COUNT = 10_000;

/** Returns the YAML of all Deployments, some with a new image. */
function deployments(isNew: (index: number) => boolean): string {
  return Array.from({ length: COUNT }, (_, index) => deployment(index, isNew(index) ? 'web:2' : 'web:1')).join('---\n');
}

/** Parses YAML with the `yaml` package: without locations, and without the rules of rolloutkit. */
function parse(text: string): unknown[] {
  return parseAllDocuments(text).map((document) => document.toJS() as unknown);
}

/** Measures the plan of a change, including the comparison, relative to parsing both sides. */
export function changeFigures(): Figure[] {
  const old = deployments(() => false);
  const before = parse(old);
  const measure = (name: string, bound: number, next: string) => {
    const after = parse(next);
    const ratio = minRatioOf(
      () => planChange(before, after),
      () => [parse(old), parse(next)],
      3,
    );
    return atMostRatio(`plan of a change of ${name}, relative to parsing both sides`, bound, ratio);
  };
  return [
    measure(
      'all 10,000 objects',
      1,
      deployments(() => true),
    ),
    measure(
      'one of 10,000 objects',
      2,
      deployments((index) => index === COUNT / 2),
    ),
  ];
}
