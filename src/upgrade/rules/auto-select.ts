import { defineMessage, defineRule } from '../../core/findings/finding';

export interface AutoSelectData {
  readonly to: string;
  /** Model format, with its version if the model names one: `xgboost 1`. */
  readonly format: string;
  readonly old: string;
  /** Runtime that is selected afterwards. @default - none */
  readonly new?: string;
}

/** An upgrade selects another serving runtime for a model that names none. */
export const autoSelect = defineRule({
  code: 'upgrade/auto-select',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A model names no runtime, and the runtimes of the new chart lead to another selection.',
  why:
    'KServe selects a runtime for such a model again at every reconcile, from the runtimes that exist then. ' +
    'The chart of 0.17 moves kserve-xgbserver from xgboost 1 to 2 and kserve-lgbserver from lightgbm 3 to 4. A model of the old version then gets another server, or none, and stays as it is with an error.',
  fix: 'Set model.runtime to the runtime that the model was tested with.',
  example: `# rolloutkit upgrade kserve=0.16..0.17 model.yaml
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: { name: trees }
spec:
  predictor:
    model:
      modelFormat: { name: xgboost, version: "1" }
      storageUri: s3://models/trees
`,
  fixedExample: `# rolloutkit upgrade kserve=0.16..0.17 model.yaml
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: { name: trees }
spec:
  predictor:
    model:
      modelFormat: { name: xgboost, version: "2" }
      runtime: kserve-mlserver
      protocolVersion: v2
      storageUri: s3://models/trees
`,
  messages: {
    selected: defineMessage<AutoSelectData>({
      text: ({ format, old, new: next, to }) =>
        next === undefined
          ? `The model names no runtime. The runtimes of KServe ${to} no longer support ${format}, which ${old} serves now, so the service stays as it is with an error.`
          : `The model names no runtime. KServe ${to} selects ${next} for ${format} instead of ${old}.`,
      help: ({ old }) => `Set model.runtime to ${old} and keep that runtime as it is, or test the model with the new one first.`,
      sample: { to: '0.17', format: 'xgboost 1', old: 'kserve-xgbserver' },
      variants: [{ to: '0.17', format: 'lightgbm', old: 'a', new: 'b' }],
    }),
  },
});
