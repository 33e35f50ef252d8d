import { message, rule } from '../../core/finding';
import { show } from '../../core/seen';
import type { Seen } from '../../core/seen';

interface TargetData {
  readonly autoscaler: string;
  /** Absent where the target names none. */
  readonly apiVersion?: Seen;
  readonly kind: string;
}

/** An autoscaler whose target does not exist. */
export const hpaWithoutTarget = rule({
  code: 'kubernetes/hpa-without-target',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A HorizontalPodAutoscaler names a Deployment or StatefulSet without apiVersion, or in a group that has none.',
  why:
    'The API server takes a `scaleTargetRef` without apiVersion. The controller then looks for the kind in the core group, finds none ' +
    '(FailedGetScale) and never scales anything; nor does it find one in `extensions`, which Deployments left with Kubernetes 1.16. ' +
    'Such an autoscaler does not count as the owner of the replicas.',
  fix: 'Write `apiVersion: apps/v1` into the scaleTargetRef.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template: {}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef: { kind: Deployment, name: web }
  maxReplicas: 9
`,
  fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template: {}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  maxReplicas: 9
`,
  messages: {
    noSuchKind: message<TargetData>({
      text: ({ autoscaler, apiVersion, kind }) =>
        `The scaleTargetRef of HorizontalPodAutoscaler "${autoscaler}" ${apiVersion === undefined ? 'names no apiVersion' : `names apiVersion ${show(apiVersion)}`} ` +
        `for its ${kind}: there is no such kind in that group, so the autoscaler never scales anything (FailedGetScale).`,
      help: () => 'Write apiVersion: apps/v1.',
      sample: { autoscaler: 'web', kind: 'Deployment' },
      variants: [{ autoscaler: 'web', kind: 'StatefulSet', apiVersion: 'extensions/v1beta1' }],
    }),
  },
});
