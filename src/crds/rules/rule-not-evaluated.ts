import { ROOT_PATH } from '../../core/field-path';
import { defineMessage, defineRule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import { joinWords } from '../../core/text-format';

/** Why a rule is not evaluated. */
export type UnevaluatedReason =
  /** It compares with the object that was there before. */
  | { readonly why: 'transition' }
  /** It calls what no API server is known to have. */
  | { readonly why: 'functions'; readonly names: readonly string[] }
  /** It calls what came with a later version of Kubernetes than the one that is planned for. */
  | { readonly why: 'newer'; readonly names: readonly string[]; readonly since: string; readonly version: string }
  /** Its syntax is one that is not read: a mistake, or names in backticks. */
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
    transition: () => 'it compares with the object that was there before, which nobody has given',
    functions: ({ names }) => `it calls ${joinWords(names)}, which is not evaluated here`,
    newer: ({ names, since, version }) =>
      `it calls ${joinWords(names)}, which the API server has from Kubernetes ${since}, and ${version} is planned for`,
    syntax: () => 'it is written in a syntax that is not read here',
  };

function formatReason(reason: UnevaluatedReason): string {
  return (REASON_TEXTS[reason.why] as (reason: UnevaluatedReason) => string)(reason);
}

function formatExample(rule_: string): string {
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
              x-kubernetes-validations: [{rule: "${rule_}"}]
# cache.yaml
apiVersion: shop.example/v1
kind: Cache
metadata: {name: front}
spec: {size: 1Gi}
`;
}

/** A CEL rule of a CRD that is passed over, and said. */
export const ruleNotEvaluated = defineRule({
  code: 'crds/rule-not-evaluated',
  since: '0.1.0',
  severity: 'info',
  fires: 'A CEL rule of the CRD of an object is not evaluated; once a rule; with `--crds`.',
  why:
    'Nothing is guessed: that no finding names such a rule says nothing about it. It compares with the object that was there before, which nobody has given, ' +
    'calls what came with a later version of Kubernetes than the one that is planned for, or calls what is known here by name alone.',
  fix: 'Nothing; ask a server with `kubectl apply --dry-run=server` where the rule matters.',
  example: formatExample('self.size == oldSelf.size'),
  fixedExample: formatExample("quantity(self.size).isGreaterThan(quantity('0'))"),
  messages: {
    rule: defineMessage<RuleData>({
      text: ({ crd, apiVersion, rule: ruleText, reason }) =>
        `The rule ${JSON.stringify(ruleText.trim())} of ${crd} (${apiVersion}) is not evaluated: ${formatReason(reason)}.`,
      help: ({ reason }) =>
        reason.why === 'transition'
          ? 'Give what was there before: rolloutkit plan --from OLD NEW evaluates it.'
          : 'Ask a server with "kubectl apply --dry-run=server" where it matters.',
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
      ],
    }),
  },
});

/** Says of a rule that it is not evaluated. */
export function createRuleNotEvaluatedFinding({ rule: ruleText, reason }: UnevaluatedRule, crd: string, apiVersion: string): Finding {
  return ruleNotEvaluated.createFinding('rule', { path: ROOT_PATH, data: { crd, apiVersion, rule: ruleText, reason } });
}
