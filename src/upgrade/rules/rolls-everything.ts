import { defineMessage, defineRule } from '../../core/findings/finding';
import { joinTruncatedNames, joinWords, pluralize } from '../../core/text/text-format';
import type { TruncatedNames } from '../../core/text/text-format';
import { getProduct } from '../../core/values/versions';
import type { Product } from '../../core/values/versions';

export interface RollsEverythingData {
  readonly product: Product;
  readonly from: string;
  readonly to: string;
  /** Number of objects whose pods are replaced. */
  readonly count: number;
  readonly objects: TruncatedNames;
  /** Fields that are written differently. */
  readonly fields: TruncatedNames;
  /** Pods that the rollouts add together at their peaks. */
  readonly extraPods: number;
  /** GPUs that these pods request. */
  readonly extraGpus: number;
  /** Number of objects whose pods are not planned. @default 0 */
  readonly uncounted?: number;
  /** Objects whose rollouts do not fit. @default - none is known */
  readonly deadlocks?: TruncatedNames;
  readonly saferOrder: readonly string[];
}

function formatExtra({ count, extraPods, extraGpus, uncounted = 0 }: RollsEverythingData): string {
  const rest = uncounted === 0 ? '' : `The pods of ${pluralize(uncounted, 'object')} are not counted.`;
  if (uncounted === count) return rest;
  const extra = extraPods === 0 ? 'no extra pods' : `up to ${pluralize(extraPods, 'extra pod')}`;
  const gpus = extraPods === 0 || extraGpus === 0 ? '' : ` with ${pluralize(extraGpus, 'GPU')}`;
  return `Together they need ${extra}${gpus}.${rest === '' ? '' : ` ${rest}`}`;
}

function formatDeadlocks({ deadlocks }: RollsEverythingData): string {
  if (!deadlocks) return '';
  const isOne = deadlocks.names.length === 1 && deadlocks.omitted === undefined;
  return ` ${joinTruncatedNames(deadlocks)} ${isOne ? 'does' : 'do'} not fit.`;
}

function formatFields({ fields }: RollsEverythingData): string {
  const isOne = fields.names.length === 1 && fields.omitted === undefined;
  return `${joinTruncatedNames(fields)} ${isOne ? 'is' : 'are'} written differently`;
}

/** An upgrade replaces the pods of objects that do not change, of all of them at once. */
export const rollsEverything = defineRule({
  code: 'upgrade/rolls-everything',
  since: '0.1.0',
  severity: 'warning',
  fires: 'The new version of an operator writes another pod template for an object that does not change.',
  why:
    'The operator compares what it would write with what it wrote before, for every object, as soon as its new version runs. ' +
    'Each difference in a pod template rolls, in all objects at once. Only the strategy of each object limits its own rollout, and PodDisruptionBudgets do not apply. ' +
    'The capacity for the surge of all of them together is needed, not that of the largest one. ' +
    'KServe, Knative and LeaderWorkerSet 0.8 do this; KubeRay and Fleet do not replace pods.',
  fix: 'Hold the objects back, upgrade, and release one after another, or upgrade to a version that writes the same template.',
  example: `# rolloutkit upgrade kserve=0.16..0.17 model.yaml
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: { name: iris }
spec:
  predictor:
    minReplicas: 2
    containers: [{ name: kserve-container, image: registry.example.com/iris:1 }]
`,
  fixedExample: `# rolloutkit upgrade kserve=0.16..0.17 model.yaml
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata:
  name: iris
  annotations: { serving.kserve.io/disable-auto-update: "true" }
spec:
  predictor:
    minReplicas: 2
    containers: [{ name: kserve-container, image: registry.example.com/iris:1 }]
`,
  messages: {
    rolls: defineMessage<RollsEverythingData>({
      text: (data) =>
        `Upgrading ${getProduct(data.product).name} from ${data.from} to ${data.to} replaces the pods of ${
          data.count === 1 ? joinWords(data.objects.names) : `${data.count} objects at once, ${joinTruncatedNames(data.objects)}`
        }: ${formatFields(data)}. ${formatExtra(data)}${formatDeadlocks(data)}`,
      help: ({ saferOrder }) => (saferOrder.length === 0 ? undefined : saferOrder.join(' ')),
      sample: {
        product: 'kserve',
        from: '0.16',
        to: '0.17',
        count: 5,
        objects: { names: ['InferenceService shop/a', 'InferenceService shop/b', 'InferenceService shop/c'], omitted: 2 },
        fields: { names: ['spec.template.spec.containers[kserve-container].env[INFERENCE_SERVICE_NAME]'] },
        extraPods: 5,
        extraGpus: 4,
        deadlocks: { names: ['InferenceService shop/a'] },
        saferOrder: ['Upgrade one service at a time.'],
      },
      variants: [
        {
          product: 'kserve',
          from: '0.18',
          to: '0.19',
          count: 1,
          objects: { names: ['InferenceGraph shop/graph'] },
          fields: { names: ['spec.template.spec.containers[graph].image'] },
          extraPods: 0,
          extraGpus: 0,
          uncounted: 1,
          saferOrder: [],
        },
        {
          product: 'lws',
          from: '0.7',
          to: '0.8',
          count: 1,
          objects: { names: ['LeaderWorkerSet shop/llm'] },
          fields: { names: ['spec.a', 'spec.b'] },
          extraPods: 0,
          extraGpus: 0,
          deadlocks: { names: ['LeaderWorkerSet shop/llm', 'LeaderWorkerSet shop/other'] },
          saferOrder: [],
        },
      ],
    }),
  },
});
