import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { nameOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { findScaledObjectRefusal } from '../autoscaling/scaled-object-admission';
import type { ScaledObjectRefusal } from '../autoscaling/scaled-object-admission';

interface RefusedData {
  readonly name: string;
  /** The error of the webhook. */
  readonly message: string;
}

function renderScaledObject(trigger: string): string {
  return `apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: web
spec:
  scaleTargetRef: { name: web }
  minReplicaCount: 2
  fallback: { failureThreshold: 3, replicas: 6 }
  triggers:
    - ${trigger}
`;
}

function defineRefusal(message: string, help: string) {
  return defineMessage<RefusedData>({
    text: (data) => `KEDA refuses ScaledObject "${data.name}": ${data.message}.`,
    help: () => help,
    sample: { name: 'web', message },
  });
}

/** A ScaledObject that the admission webhook of KEDA refuses. */
export const scaledObjectRefused = defineRule({
  code: 'kubernetes/scaled-object-refused',
  since: '0.1.0',
  severity: 'error',
  fires:
    'The replicas or the fallback of a ScaledObject cannot work: negative numbers, a minimum above the maximum, idle replicas that are not below the minimum, ' +
    'or a fallback or a minimum of 0 with cpu and memory triggers alone.',
  why:
    'The admission webhook of KEDA denies the request, so nothing of the object is stored, and a new one does not exist. Source: KEDA 2.20, ' +
    'apis/keda/v1alpha1/scaledobject_webhook.go.',
  fix: 'Correct the field. A fallback, and a minimum of 0, need a trigger other than cpu and memory.',
  example: renderScaledObject('{ type: cpu, metricType: Utilization, metadata: { value: "70" } }'),
  fixedExample: renderScaledObject('{ type: kafka, metadata: { lagThreshold: "50" } }'),
  messages: {
    'fallback-number': defineRefusal(
      'FailureThreshold=-1 & Replicas=6 must both be greater than or equal to 0',
      'Write failureThreshold and replicas of at least 0.',
    ),
    'fallback-trigger': defineRefusal(
      'at least one trigger (that is not cpu or memory) has to have the `AverageValue` type for the fallback to be enabled',
      'Delete fallback, or add a trigger other than cpu and memory: the autoscaler itself keeps the pods while cpu or memory is not known.',
    ),
    'fallback-formula': defineRefusal(
      'scalingModifiers fallback behavior requires scalingModifiers.formula to be defined',
      'Write advanced.scalingModifiers.formula, or another behavior.',
    ),
    range: defineRefusal('MinReplicaCount=5 must be less than MaxReplicaCount=3', 'Write a maxReplicaCount of at least minReplicaCount.'),
    idle: defineRefusal(
      'IdleReplicaCount=2 must be less than MinReplicaCount=2',
      'Write idleReplicaCount: 0, and a minReplicaCount above it.',
    ),
    zero: defineRefusal(
      "scaledobject has only cpu/memory triggers AND minReplica is 0 (scale to zero doesn't work in this case)",
      'Write minReplicaCount: 1 or more, or add a trigger other than cpu and memory.',
    ),
  } satisfies Record<ScaledObjectRefusal['messageId'], unknown>,
});

/** Reports what KEDA's webhook refuses in a ScaledObject. */
export function checkScaledObject(object: Manifest): Finding[] {
  const refusal = findScaledObjectRefusal(object);
  if (!refusal) return [];
  const { messageId, path, message } = refusal;
  return [scaledObjectRefused.createFinding(messageId, { path, data: { name: nameOf(object), message } })];
}
