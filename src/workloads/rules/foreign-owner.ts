import { findControllingOwner } from '../../cluster/kinds/ownership';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Manifest } from '../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../core/text/display-value';
import type { DisplayValue } from '../../core/text/display-value';
import { toSafeText } from '../../core/text/value-text';

interface OwnerData {
  readonly kind: string;
  readonly ownerKind: string;
  readonly ownerName: DisplayValue;
}

/** Reports a strategy in an object that another controller writes. */
export const foreignOwner = defineRule({
  code: 'kubernetes/foreign-owner',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A strategy is set in a workload that another controller owns.',
  why:
    'The owner (an ownerReference with `controller: true`) overwrites the object from its own spec at its next reconcile, ' +
    'so the strategy is undone, or both writers keep overwriting each other.',
  fix: 'Set the strategy on the owner, if its API has a field for it.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: iris-predictor
  ownerReferences:
    - { apiVersion: serving.kserve.io/v1beta1, kind: InferenceService, name: iris, uid: 8d1f, controller: true }
spec:
  replicas: 4
  strategy:
    rollingUpdate:
      maxSurge: 1
  selector:
    matchLabels:
      app: iris-predictor
  template:
    metadata:
      labels:
        app: iris-predictor
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  fixedExample: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: iris-predictor
  ownerReferences:
    - { apiVersion: serving.kserve.io/v1beta1, kind: InferenceService, name: iris, uid: 8d1f, controller: true }
spec:
  replicas: 4
  selector:
    matchLabels:
      app: iris-predictor
  template:
    metadata:
      labels:
        app: iris-predictor
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  messages: {
    owned: defineMessage<OwnerData>({
      text: ({ kind, ownerKind, ownerName }) =>
        `This ${kind} is owned by the ${ownerKind} ${formatDisplayValue(ownerName)}, and the controller of the owner overwrites it: a strategy set here is undone at the next reconcile.`,
      help: ({ ownerKind }) => `Set the strategy on the ${ownerKind}, or leave it to the controller.`,
      sample: { kind: 'Deployment', ownerKind: 'InferenceService', ownerName: 'iris' },
    }),
  },
});

/** Warns about a strategy in an object that another controller writes. */
export function checkForeignOwner(object: Manifest | undefined, strategyPath: FieldPath): Finding[] {
  const owner = object && findControllingOwner(object);
  if (!owner) return [];
  const data = { kind: object.kind, ownerKind: toSafeText(owner.kind), ownerName: toDisplayValue(owner.name) };
  return [foreignOwner.createFinding('owned', { path: strategyPath, data })];
}
