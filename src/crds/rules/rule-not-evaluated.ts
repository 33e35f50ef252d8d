import type { ApplyRejection } from '../../core/document/change';
import { ROOT_PATH, parseFieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { formatRaiseBudgetHint } from '../../core/findings/input-problem';
import { describeObject, getValueAt, nameOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { joinWords, pluralize } from '../../core/text/text-format';

/** Why a rule is not evaluated. */
export type UnevaluatedReason =
  /** It compares with the old object. */
  | { readonly why: 'transition' }
  /** It calls functions that no API server is known to have. */
  | { readonly why: 'functions'; readonly names: readonly string[] }
  /** It calls functions of a later version of Kubernetes than the plan is for. */
  | { readonly why: 'newer'; readonly names: readonly string[]; readonly since: string; readonly version: string }
  /** It is longer or deeper than rolloutkit evaluates. The API server has limits too. */
  | { readonly why: 'size' }
  /** The API server refuses the CRD because of it: the estimated cost for the largest object exceeds its limit. */
  | { readonly why: 'estimate'; readonly limit: number }
  /** It creates a text or list that is too large. */
  | { readonly why: 'too-large' }
  /** It searches a long text for a long pattern. */
  | { readonly why: 'pattern' }
  /** It formats a number with more decimal places than rolloutkit writes. */
  | { readonly why: 'precision' }
  /** Its syntax is not supported: a mistake, or names in backticks. */
  | { readonly why: 'syntax' };

/** A rule that is not evaluated. */
export interface UnevaluatedRule {
  readonly rule: string;
  readonly reason: UnevaluatedReason;
}

interface RuleData extends UnevaluatedRule {
  readonly crd: string;
  /** `shop.example/v1`. */
  readonly apiVersion: string;
}

const REASON_TEXTS: { readonly [Why in UnevaluatedReason['why']]: (reason: Extract<UnevaluatedReason, { readonly why: Why }>) => string } =
  {
    transition: () => 'it compares with the old object, which is not in the input',
    functions: ({ names }) => `it calls ${joinWords(names)}, which rolloutkit does not evaluate`,
    newer: ({ names, since, version }) =>
      `it calls ${joinWords(names)}, which the API server has since Kubernetes ${since}, but the plan is for ${version}`,
    size: () => 'it is longer than 100,000 characters, or has 250 levels of brackets and conditions or more than 500 of operators',
    estimate: ({ limit }) =>
      `the API server refuses the CRD because of it: on the largest object that the schema allows it costs more than ${limit.toLocaleString('en-US')}`,
    'too-large': () => 'for one of the objects it creates a text or list of more than 16 million characters or items',
    pattern: () => 'for one of the objects it searches a long text for a long pattern',
    precision: () => 'for one of the objects it formats a number with more than 20 decimal places, which rolloutkit does not do',
    syntax: () => 'its syntax is not supported by rolloutkit',
  };

function formatReason(reason: UnevaluatedReason): string {
  return (REASON_TEXTS[reason.why] as (reason: UnevaluatedReason) => string)(reason);
}

function formatExample(expression: string): string {
  return `# rolloutkit plan --crds crd.yaml cache.yaml
# crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: caches.shop.example}
spec:
  group: shop.example
  scope: Namespaced
  names: {plural: caches, singular: cache, kind: Cache, listKind: CacheList}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: {size: {type: string}}
              x-kubernetes-validations: [{rule: "${expression}"}]
# cache.yaml
apiVersion: shop.example/v1
kind: Cache
metadata: {name: front}
spec: {size: 1Gi}
`;
}

/** Why an object is not validated against its CRD. */
type NotValidatedReason = 'seconds' | 'pattern' | 'defaults';

interface ObjectData {
  /** `Cache shop/front`. */
  readonly resource: string;
  readonly reason: NotValidatedReason;
  /** Number of seconds of the budget; present only for `seconds`. */
  readonly limit?: number;
}

const NOT_VALIDATED_TEXTS: { readonly [Reason in NotValidatedReason]: (data: ObjectData) => string } = {
  seconds: ({ limit = 0 }) => `validating takes more than ${pluralize(limit, 'second')}, and the objects after it are not validated either`,
  pattern: () => 'it has a long text, which a long pattern of the CRD would be searched in',
  defaults: () => 'the CRD adds more than 500,000 defaults to it',
};

/** A CEL rule of a CRD that is skipped and reported. */
export const ruleNotEvaluated = defineRule({
  code: 'crds/rule-not-evaluated',
  since: '0.1.0',
  severity: ['info', 'error'],
  fires:
    'With `--crds`, or if the input contains the CRD, a CEL rule of the CRD of an object is not evaluated (reported once per rule; an error if the API server refuses a CRD of `--crds` because of the rule). ' +
    'It is also an error if an object is not validated at all, because that takes too long.',
  why:
    'Such a rule may still refuse the object, even if no finding names it. It compares with the old object, which is not in the input, ' +
    'calls a function of a later version of Kubernetes than the plan is for, calls a function that rolloutkit knows only by name, or exceeds a limit.',
  fix: 'Nothing. If the rule matters, ask a server with `kubectl apply --dry-run=server`.',
  example: formatExample('self.size == oldSelf.size'),
  fixedExample: formatExample("quantity(self.size).isGreaterThan(quantity('0'))"),
  messages: {
    rule: defineMessage<RuleData>({
      text: ({ crd, apiVersion, rule: ruleText, reason }) =>
        `The rule ${JSON.stringify(ruleText.trim())} of ${crd} (${apiVersion}) is not evaluated: ${formatReason(reason)}.`,
      help: ({ reason }) => {
        if (reason.why === 'transition') return 'Provide the old object: rolloutkit plan --from OLD NEW evaluates the rule.';
        if (reason.why === 'estimate') return 'Write maxItems, maxProperties and maxLength into the schema.';
        return 'If the rule matters, ask a server with "kubectl apply --dry-run=server".';
      },
      sample: {
        crd: 'caches.shop.example',
        apiVersion: 'shop.example/v1',
        rule: 'format.uri().validate(self.size).value() == []',
        reason: { why: 'functions', names: ['format.uri'] },
      },
      variants: [
        { crd: 'caches.shop.example', apiVersion: 'shop.example/v1', rule: 'self == oldSelf', reason: { why: 'transition' } },
        {
          crd: 'caches.shop.example',
          apiVersion: 'shop.example/v1',
          rule: 'isIP(self.address)',
          reason: { why: 'newer', names: ['isIP'], since: '1.30', version: '1.29' },
        },
        { crd: 'caches.shop.example', apiVersion: 'shop.example/v1', rule: "self.`a.b` != ''", reason: { why: 'syntax' } },
        { crd: 'caches.shop.example', apiVersion: 'shop.example/v1', rule: '1 + 1 > 1', reason: { why: 'size' } },
        {
          crd: 'caches.shop.example',
          apiVersion: 'shop.example/v1',
          rule: "self.a.replace('', self.a) != ''",
          reason: { why: 'too-large' },
        },
        {
          crd: 'caches.shop.example',
          apiVersion: 'shop.example/v1',
          rule: 'self.sizes.all(s, self.sizes.all(t, s == t))',
          reason: { why: 'estimate', limit: 10_000_000 },
        },
      ],
    }),
    object: defineMessage<ObjectData>({
      text: (data) => `${data.resource} is not validated against its CRD: ${NOT_VALIDATED_TEXTS[data.reason](data)}.`,
      help: ({ reason, limit = 0 }) =>
        reason === 'seconds'
          ? formatRaiseBudgetHint('seconds', limit)
          : 'Make the object smaller, or ask a server with "kubectl apply --dry-run=server".',
      sample: { resource: 'Cache shop/front', reason: 'seconds', limit: 300 },
      variants: [
        { resource: 'Cache shop/front', reason: 'pattern' },
        { resource: 'Cache shop/front', reason: 'defaults' },
      ],
    }),
  },
});

/** Maximum length of a rule in a message. */
const MAX_RULE_LENGTH = 500;

function truncateText(text: string): string {
  return text.length > MAX_RULE_LENGTH ? `${text.slice(0, MAX_RULE_LENGTH)}…` : text;
}

/** Creates the finding for a rule that is not evaluated. It is an error if no API server has the CRD. */
export function createRuleNotEvaluatedFinding({ rule: ruleText, reason }: UnevaluatedRule, crd: string, apiVersion: string): Finding {
  return ruleNotEvaluated.createFinding('rule', {
    path: ROOT_PATH,
    data: { crd, apiVersion, rule: truncateText(ruleText.trim()), reason },
    severity: reason.why === 'estimate' ? 'error' : 'info',
  });
}

/** Reports whether a finding says that the API server refuses a CRD because of the cost of the rule at a path. */
export function isCostReported(crd: Manifest, { path }: ApplyRejection, findings: readonly Finding[]): boolean {
  const text = getValueAt(crd, ...parseFieldPath(path));
  if (typeof text !== 'string') return false;
  const rule = truncateText(text.trim());
  return findings.some((finding) => {
    const { data, severity } = finding;
    return ruleNotEvaluated.matches(finding, 'rule') && severity === 'error' && data.crd === nameOf(crd) && data.rule === rule;
  });
}

/** Creates the finding for an object that is not validated. Nothing is known about it, so it is an error. */
export function createObjectNotValidatedFinding(object: Manifest, reason: NotValidatedReason, seconds: number): Finding {
  const data = { resource: describeObject(object), reason, ...(reason === 'seconds' && { limit: seconds }) };
  return ruleNotEvaluated.createFinding('object', { path: ROOT_PATH, data, severity: 'error' });
}
