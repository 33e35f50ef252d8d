import { beingDeleted } from '../../../src/cluster/rules/being-deleted';
import { testRule } from '../../rule-tester';

const LIVE = ', uid: u, resourceVersion: "7"';
const DELETED = `${LIVE}, deletionTimestamp: "2026-11-29T10:00:00Z", finalizers: [a/b]`;

function manifest(apiVersion: string, kind: string, metadata: string, more = ''): string {
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a${metadata} }\n${more}`;
}

const POD_TEMPLATE = '{ metadata: { labels: { app: a } }, spec: { containers: [{ name: c, image: "x:1" }] } }';
const SPEC = `spec: { selector: { matchLabels: { app: a } }, template: ${POD_TEMPLATE} }\n`;
const OWNER = ', ownerReferences: [{ apiVersion: apps/v1, kind: Deployment, name: a, uid: v, controller: true }]';

const going = (object: string, kind: string) => [{ messageId: 'going', severity: 'warning' as const, data: { object, kind } }];

testRule(beingDeleted, {
  valid: [
    { name: 'a live object', yaml: manifest('v1', 'Node', LIVE) },
    {
      name: 'a manifest, of which the API server drops the timestamp',
      yaml: manifest('v1', 'Node', ', deletionTimestamp: "2026-11-29T10:00:00Z"'),
    },
    { name: 'a Pod', yaml: manifest('v1', 'Pod', DELETED, 'spec: { containers: [{ name: c, image: "x:1" }] }\n') },
    { name: 'a ReplicaSet of a Deployment', yaml: manifest('apps/v1', 'ReplicaSet', DELETED + OWNER, SPEC) },
    {
      name: 'a budget of an operator',
      yaml: manifest('policy/v1', 'PodDisruptionBudget', DELETED + OWNER, 'spec: { maxUnavailable: 1, selector: {} }\n'),
    },
    { name: 'a kind that is not planned', yaml: manifest('x.io/v1', 'Thing', DELETED) },
    {
      name: 'an object of a change',
      yaml: manifest('apps/v1', 'Deployment', DELETED, SPEC),
      old: manifest('apps/v1', 'Deployment', LIVE, SPEC),
    },
  ],
  invalid: [
    { name: 'a Node', yaml: manifest('v1', 'Node', DELETED), findings: going('Node a', 'node') },
    { name: 'a Namespace', yaml: manifest('v1', 'Namespace', DELETED), findings: going('Namespace a', 'namespace') },
    {
      name: 'a GitRepo of Fleet',
      yaml: manifest('fleet.cattle.io/v1alpha1', 'GitRepo', DELETED, 'spec: { repo: https://example.com }\n'),
      findings: going('GitRepo a', 'git-repo'),
    },
    { name: 'a Deployment', yaml: manifest('apps/v1', 'Deployment', DELETED, SPEC), findings: going('Deployment a', 'other') },
    {
      name: 'a budget',
      yaml: manifest('policy/v1', 'PodDisruptionBudget', DELETED, 'spec: { maxUnavailable: 1, selector: {} }\n'),
      findings: going('PodDisruptionBudget a', 'other'),
    },
  ],
});
