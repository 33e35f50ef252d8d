import { planChange } from 'rolloutkit/plan';
import { parseAllDocuments } from 'yaml';

import { atMostRatio, leastRatioOf } from './figure';
import type { Figure } from './figure';

/** A Deployment as it is written. */
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

/** As many Deployments, some with a new image. */
function deployments(isNew: (index: number) => boolean): string {
  return Array.from({ length: COUNT }, (_, index) => deployment(index, isNew(index) ? 'web:2' : 'web:1')).join('---\n');
}

/** What a plain parse gives, without places and without our rules. */
function parsed(text: string): unknown[] {
  return parseAllDocuments(text).map((document) => document.toJS() as unknown);
}

/** The plan of a change, comparison and all, against a plain parse of both sides. */
export function changeFigures(): Figure[] {
  const old = deployments(() => false);
  const before = parsed(old);
  const against = (name: string, bound: number, next: string) => {
    const after = parsed(next);
    const ratio = leastRatioOf(
      () => planChange(before, after),
      () => [parsed(old), parsed(next)],
      3,
    );
    return atMostRatio(`plan of a change of ${name} against parsing both sides`, bound, ratio);
  };
  return [
    against(
      'all of 10,000 objects',
      1,
      deployments(() => true),
    ),
    against(
      'one object in 10,000',
      2,
      deployments((index) => index === COUNT / 2),
    ),
  ];
}
