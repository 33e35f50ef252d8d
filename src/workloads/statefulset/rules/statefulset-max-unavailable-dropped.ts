import { suggestAutomaticFix, removeField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { supportsStatefulSetMaxUnavailable, findPatchDroppingMaxUnavailable } from '../strategy';

interface DroppedData {
  readonly maxUnavailable: DisplayValue;
  readonly version: string;
}

interface PatchData extends DroppedData {
  /** The first patch release that drops the field. */
  readonly patch: string;
}

/** Reports a maxUnavailable that the Kubernetes version drops. */
export const statefulSetMaxUnavailableDropped = defineRule({
  code: 'kubernetes/statefulset-max-unavailable-dropped',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'A StatefulSet sets maxUnavailable, and this Kubernetes version drops the field, or a later patch release drops it and no patch release is given.',
  why:
    'The feature gate MaxUnavailableStatefulSet is off up to 1.34, from 1.35.4 on and in 1.36. It is on in 1.35.0 to 1.35.3 and from 1.37 on. ' +
    'If the gate is off, the API server silently drops the field and the controller replaces one pod at a time.',
  fix: 'Delete the field, or turn the gate on and plan for a version that keeps it: `--versions kubernetes=1.37`.',
  example: `# rolloutkit plan --versions kubernetes=1.34 db.yaml
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  replicas: 5
  updateStrategy:
    rollingUpdate:
      maxUnavailable: 2
  selector:
    matchLabels:
      app: db
  template:
    metadata:
      labels:
        app: db
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  fixedExample: `# rolloutkit plan --versions kubernetes=1.37 db.yaml
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  replicas: 5
  updateStrategy:
    rollingUpdate:
      maxUnavailable: 2
  selector:
    matchLabels:
      app: db
  template:
    metadata:
      labels:
        app: db
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`,
  messages: {
    dropped: defineMessage<DroppedData>({
      text: ({ maxUnavailable, version }) =>
        `maxUnavailable is ${formatDisplayValue(maxUnavailable)}, but Kubernetes ${version} drops the field ` +
        '(its feature gate MaxUnavailableStatefulSet is off): pods are replaced one at a time.',
      help: () => 'Delete the field, or plan for a version that keeps it: --versions kubernetes=1.37.',
      suggestedFix: (_data, path) => suggestAutomaticFix(removeField(path)),
      sample: { maxUnavailable: 2, version: '1.34' },
    }),
    laterPatch: defineMessage<PatchData>({
      text: ({ maxUnavailable, version, patch }) =>
        `maxUnavailable is ${formatDisplayValue(maxUnavailable)}, and the plan assumes Kubernetes ${version}.0, which keeps the field. ` +
        `From ${patch} on, ${version} drops it (its feature gate MaxUnavailableStatefulSet is off), and pods are replaced one at a time.`,
      help: ({ patch }) => `Pass the patch release that you run: --versions kubernetes=${patch}.`,
      sample: { maxUnavailable: 2, version: '1.35', patch: '1.35.4' },
    }),
  },
});

/** Warns about a maxUnavailable that the version drops, or that one of its patch releases drops. */
export function checkStatefulSetMaxUnavailableDropped(maxUnavailable: unknown, version: string): Finding[] {
  if (maxUnavailable === undefined || maxUnavailable === null) return [];
  const path = toFieldPath`spec.updateStrategy.rollingUpdate.maxUnavailable`;
  const data = { maxUnavailable: toDisplayValue(maxUnavailable), version };
  if (!supportsStatefulSetMaxUnavailable(version)) return [statefulSetMaxUnavailableDropped.createFinding('dropped', { path, data })];
  // Without the field, pods are replaced one at a time anyway.
  const patch = maxUnavailable === 1 ? undefined : findPatchDroppingMaxUnavailable(version);
  return patch === undefined ? [] : [statefulSetMaxUnavailableDropped.createFinding('laterPatch', { path, data: { ...data, patch } })];
}
