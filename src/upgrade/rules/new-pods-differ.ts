import { defineMessage, defineRule } from '../../core/findings/finding';
import { joinTruncatedNames, pluralize } from '../../core/text/text-format';
import type { TruncatedNames } from '../../core/text/text-format';

export interface NewPodsData {
  /** What the new version does. */
  readonly difference: string;
  readonly count: number;
  readonly objects: TruncatedNames;
}

function formatObjects({ count, objects }: NewPodsData): string {
  return `This concerns ${pluralize(count, 'object')}: ${joinTruncatedNames(objects)}.`;
}

/** An upgrade changes pods that are created later. */
export const newPodsDiffer = defineRule({
  code: 'upgrade/new-pods-differ',
  since: '0.1.0',
  severity: 'info',
  fires: 'Pods that are created after the upgrade differ from those that run, and nothing replaces the latter.',
  why:
    'A webhook changes pods when they are created, and KubeRay creates pods without comparing them. ' +
    'A crash, an eviction or a scale-up then brings the new shape, so one workload has pods of both. A problem of the new shape shows days after the upgrade.',
  fix: 'Restart one workload by hand after the upgrade, to see the new shape at once.',
  example: `# rolloutkit upgrade kserve=0.18..0.19 model.yaml
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: { name: iris }
spec:
  predictor:
    minReplicas: 2
    model:
      modelFormat: { name: onnx }
      runtime: kserve-tritonserver
      storageUri: s3://models/iris
`,
  fixedExample: `# rolloutkit upgrade kserve=0.18..0.19 model.yaml
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: { name: iris }
spec:
  predictor:
    minReplicas: 2
    containers: [{ name: kserve-container, image: registry.example.com/iris:1 }]
`,
  messages: {
    'new-pods': defineMessage<NewPodsData>({
      text: (data) => `${data.difference} ${formatObjects(data)}`,
      help: () => 'Restart one of them after the upgrade, to see the new shape before an eviction shows it.',
      sample: {
        difference: "KServe's webhook injects another storage initializer.",
        count: 1,
        objects: { names: ['InferenceService shop/iris'] },
      },
    }),
    'next-write': defineMessage<NewPodsData>({
      text: (data) => `${data.difference} ${formatObjects(data)}`,
      help: () => 'Write the new value before the upgrade, or write the objects one at a time after it.',
      sample: {
        difference: 'KServe 0.17 rewrites an annotation.',
        count: 2,
        objects: { names: ['InferenceService a', 'InferenceService b'] },
      },
    }),
  },
});
