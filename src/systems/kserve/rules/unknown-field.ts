import { toFieldPath, appendToPath } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { defineMessage, extendRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { unknownField } from '../../../core/rules/unknown-field';
import { isFields } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import type { ProblemOf } from '../../../core/schema';
import { modelFieldOf } from '../service';
import { findFirstKserveVersion } from '../versions';

/** What comes of a field that an earlier version drops, who drops it, and what else to do about it. */
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

/** Fields that came with a later KServe, and what its webhook writes over. */
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
    text: ({ framework }) => `The webhook has ${framework} take the place of model, of which nothing is left.`,
    help: ({ framework }) => `Delete one of the two: ${framework}, or model.`,
    sample: { framework: 'sklearn' },
  }),
});

/** A model that the webhook writes over, for want of which nothing is refused. */
export function checkReplacedModel({ predictor, path }: { readonly predictor: Fields; readonly path: FieldPath }): Finding[] {
  const framework = modelFieldOf(predictor);
  if (framework === undefined || framework === 'model' || !isFields(predictor.model)) return [];
  return [kserveUnknownField.createFinding('modelReplaced', { path: appendToPath(path, 'model'), data: { framework } })];
}

const CANARY_PATH = toFieldPath`spec.canary`;

/** A field of a service that the planned version does not know yet. */
export function reportTooNewKserveField({ path, since }: ProblemOf<'too-new'>): Finding {
  const consequence = path === CANARY_PATH ? 'no-canary' : 'plain-name';
  return kserveUnknownField.createFinding('notYetSupported', { path, data: { field: path, product: 'KServe', since, consequence } });
}

/** Rollout defaults of the ConfigMap, for a version that does not know them. `path` is that of the JSON of its `deploy` key. */
export function reportUnreadRollout(path: FieldPath, field: string): Finding {
  const since = findFirstKserveVersion(({ readsRolloutDefaults }) => readsRolloutDefaults);
  const data = { field, product: 'KServe', since, consequence: 'no-defaults' } as const;
  return kserveUnknownField.createFinding('notYetSupported', { path: appendToPath(path, field), data });
}
