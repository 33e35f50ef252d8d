import { toFieldPath, appendToPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { unknownField } from '../../../core/rules/unknown-field';
import { isFields } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import type { ProblemOf } from '../../../core/values/schema';
import { modelFieldOf } from '../service';
import { findFirstKserveVersion } from '../versions';

/** The consequence of a field that an earlier version drops, the component that drops it, and an alternative to upgrading. */
const CONSEQUENCES = {
  'no-canary': { by: 'the API server', outcome: 'there will be no canary', instead: 'delete it' },
  'plain-name': { by: 'the API server', outcome: 'the Deployment is named without it', instead: 'delete it' },
  'no-defaults': {
    by: 'its parser',
    outcome: 'services without a strategy of their own get 25%/25%',
    instead: 'give each service a deploymentStrategy',
  },
} as const;

interface TooNewFieldData {
  readonly field: string;
  readonly product: string;
  readonly since: string;
  readonly consequence: keyof typeof CONSEQUENCES;
}

interface ReplacedModelData {
  /** `sklearn` */
  readonly framework: string;
}

/** Reports fields that a later KServe added, and a model that its webhook overwrites. */
export const kserveUnknownField = extendRule(unknownField, {
  notYetSupported: defineMessage<TooNewFieldData>({
    text: ({ product, since, field, consequence }) => {
      const { by, outcome } = CONSEQUENCES[consequence];
      return `${product} before ${since} has no ${field}; ${by} drops it: ${outcome}.`;
    },
    help: ({ product, since, consequence }) => `Upgrade to ${product} ${since} or later, or ${CONSEQUENCES[consequence].instead}.`,
    sample: { field: 'spec.canary', product: 'KServe', since: '0.20', consequence: 'no-canary' },
    variants: [
      { field: 'spec.predictor.name', product: 'KServe', since: '0.20', consequence: 'plain-name' },
      { field: 'deploymentRolloutStrategy', product: 'KServe', since: '0.16', consequence: 'no-defaults' },
    ],
  }),
  modelReplaced: defineMessage<ReplacedModelData>({
    text: ({ framework }) => `The webhook replaces model with ${framework} and drops all fields of model.`,
    help: ({ framework }) => `Delete either ${framework} or model.`,
    sample: { framework: 'sklearn' },
  }),
});

/** Reports a model that the webhook overwrites with a framework. Such a service is not refused. */
export function checkReplacedModel({ predictor, path }: { readonly predictor: Fields; readonly path: FieldPath }): Finding[] {
  const framework = modelFieldOf(predictor);
  if (framework === undefined || framework === 'model' || !isFields(predictor.model)) return [];
  return [kserveUnknownField.createFinding('modelReplaced', { path: appendToPath(path, 'model'), data: { framework } })];
}

const CANARY_PATH = toFieldPath`spec.canary`;

/** Reports a field of a service that the planned version does not support yet. */
export function reportTooNewKserveField({ path, since }: ProblemOf<'too-new'>): Finding {
  const consequence = path === CANARY_PATH ? 'no-canary' : 'plain-name';
  return kserveUnknownField.createFinding('notYetSupported', { path, data: { field: path, product: 'KServe', since, consequence } });
}

/**
 * Reports rollout defaults of the ConfigMap that the planned version does not support. `path` is the path of the JSON in its `deploy` key.
 */
export function reportUnreadRollout(path: FieldPath, field: string): Finding {
  const since = findFirstKserveVersion(({ readsRolloutDefaults }) => readsRolloutDefaults);
  const data = { field, product: 'KServe', since, consequence: 'no-defaults' } as const;
  return kserveUnknownField.createFinding('notYetSupported', { path: appendToPath(path, field), data });
}
