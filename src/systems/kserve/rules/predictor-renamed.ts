import { toFieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { pluralize } from '../../../core/text/text-format';
import { STANDARD_MODE_ANNOTATION, renderInferenceService } from './examples';

interface RenameData {
  /** Deployment that KServe deletes. */
  readonly from: string;
  /** Deployment that takes its place. */
  readonly to: string;
  /** Component of the canary whose Deployment it is: `canary/v2`. @default - it is new */
  readonly canary?: string;
  /** Pods of the canary. @default - it is new */
  readonly pods?: number;
}

const named = (name: string, storageUri: string) =>
  renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION], storageUri, predictor: [`name: ${name}`] });

function buildExample(before: string, after: string): string {
  return `# rolloutkit plan --versions kserve=0.20 --from old.yaml new.yaml
# old.yaml
${before}# new.yaml
${after}`;
}

/** Reports a predictor whose name changes, so that its pods go before those that take their place are ready. */
export const predictorRenamed = defineRule({
  code: 'kserve/predictor-renamed',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A change sets another spec.predictor.name of a service in mode Standard (since KServe 0.20).',
  why:
    'The name is part of the name of the Deployment. KServe deletes Deployments of predictors that it no longer expects, and their Services, before it updates the predictor: ' +
    'all old pods terminate at once. If the new name is that of a canary, its pods are all that serves until the others are ready. ' +
    'Source: KServe v0.20.0, components/predictor.go, `reconcileCanaryDeployments`.',
  fix: 'Start a canary with the new name and `minReplicas` of the predictor first, and rename the predictor once its pods are ready.',
  example: buildExample(named('v1', 's3://models/1'), named('v2', 's3://models/2')),
  fixedExample: buildExample(named('v1', 's3://models/1'), named('v1', 's3://models/2')),
  messages: {
    renamed: defineMessage<RenameData>({
      text: ({ from, to, canary, pods = 0 }) =>
        canary === undefined
          ? `KServe deletes Deployment ${from} before the pods of ${to} are ready: no pod serves until then.`
          : `KServe deletes Deployment ${from} at once: only ${pluralize(pods, 'pod')} of ${canary} ${pods === 1 ? 'serves' : 'serve'} until the other pods of ${to} are ready.`,
      help: () => 'Start a canary with the new name and the minReplicas of the predictor first, and rename once its pods are ready.',
      sample: { from: 'iris-v1-predictor', to: 'iris-v2-predictor' },
      variants: [{ from: 'iris-v1-predictor', to: 'iris-v2-predictor', canary: 'canary/v2', pods: 1 }],
    }),
  },
});

/** Reports a predictor whose name changes. */
export function reportPredictorRenamed(data: RenameData): Finding {
  return predictorRenamed.createFinding('renamed', { path: toFieldPath`spec.predictor.name`, data });
}
