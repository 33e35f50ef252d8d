import { parse } from 'yaml';
import { toStoredForm } from '../../../src/change/apiserver/stored-form';
import { validateValues } from '../../../src/change/apiserver/value-validation';
import type { Manifest } from '../../../src/core/manifest/manifest';
import { resolveVersions } from '../../../src/core/values/versions';

/** Returns why the API server refuses an object; `accepted` if it does not. */
function refusalOf(text: string): string {
  const versions = resolveVersions();
  const refusal = validateValues(toStoredForm(parse(text) as Manifest, versions), versions);
  return refusal ? `${refusal.path}: ${refusal.message}` : 'accepted';
}

describe('the API server refuses a NetworkPolicy', () => {
  const policy = (spec: string) =>
    `{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: p, namespace: shop}, spec: {podSelector: {}, ${spec}}}`;
  const block = '{ipBlock: {cidr: 10.0.0.0/8}}';

  test.each([
    ['block and pods', '{podSelector: {}, ipBlock: {cidr: 10.0.0.0/8}}', ': Forbidden: may not specify both ipBlock and another peer'],
    [
      'block and namespaces',
      '{ipBlock: {cidr: "::/0"}, namespaceSelector: {}}',
      ': Forbidden: may not specify both ipBlock and another peer',
    ],
    ['no peer', '{}', ': Required value: must specify a peer'],
    ['no addresses', '{ipBlock: {}}', '.ipBlock.cidr: Required value'],
    [
      'one address',
      '{ipBlock: {cidr: 10.0.0.1}}',
      '.ipBlock.cidr: Invalid value: "10.0.0.1": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
    [
      'a space',
      '{ipBlock: {cidr: " 10.0.0.0/8"}}',
      '.ipBlock.cidr: Invalid value: " 10.0.0.0/8": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
    [
      'an exception that is no block',
      '{ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16, x]}}',
      '.ipBlock.except[1]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
  ])('with a peer that has %s', (_, peer, message) => {
    expect(refusalOf(policy(`ingress: [{from: [${block}, ${peer}]}]`))).toBe(`spec.ingress[0].from[1]${message}`);
    expect(refusalOf(policy(`egress: [{}, {to: [${peer}]}]`))).toBe(`spec.egress[1].to[0]${message}`);
  });

  test.each([
    ['{protocol: ICMP}', 'protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"'],
    ['{port: 0}', 'port: Invalid value: 0: must be between 1 and 65535, inclusive'],
    ['{endPort: 80}', 'endPort: Invalid value: 80: may not be specified when `port` is not specified'],
    ['{port: http, endPort: 80}', 'endPort: Invalid value: 80: may not be specified when `port` is non-numeric'],
    ['{port: 90, endPort: 80}', 'endPort: Invalid value: 80: must be greater than or equal to `port`'],
    ['{port: 90, endPort: 65536}', 'endPort: Invalid value: 65536: must be between 1 and 65535, inclusive'],
  ])('with the port %s', (port, message) => {
    expect(refusalOf(policy(`ingress: [{ports: [${port}]}]`))).toBe(`spec.ingress[0].ports[0].${message}`);
  });

  test.each([
    ['[Both]', 'spec.policyTypes[0]: Unsupported value: "Both": supported values: "Ingress", "Egress"'],
    [
      '[Ingress, Egress, Ingress]',
      'spec.policyTypes: Invalid value: ["Ingress","Egress","Ingress"]: may not specify more than two policyTypes',
    ],
  ])('with the types %s', (types, message) => {
    expect(refusalOf(policy(`policyTypes: ${types}`))).toBe(message);
  });

  test('but not one with selectors together, with a block alone, or with ports by name and in a range', () => {
    const peers = `{podSelector: {}, namespaceSelector: {matchLabels: {a: b}}}, {ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16]}}`;
    const ports = '{port: http}, {port: 80, endPort: 80, protocol: UDP}, {protocol: SCTP}';
    expect(refusalOf(policy(`policyTypes: [Ingress, Egress], ingress: [{}, {from: [${peers}], ports: [${ports}]}], egress: []`))).toBe(
      'accepted',
    );
  });
});

test.each([
  ['{name: system-top}, value: 1', 'system-top is not a known system priority class'],
  ['{name: system-node-critical}, value: 2000000000', 'value of system-node-critical PriorityClass must be 2000001000'],
  [
    '{name: system-cluster-critical}, value: 2000000000, globalDefault: true',
    'globalDefault of system-cluster-critical PriorityClass must be false',
  ],
])('the API server refuses a PriorityClass that is not one of its own with the prefix of those: %s', (fields, why) => {
  expect(refusalOf(`{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: ${fields}}`)).toBe(
    `metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: ${why}`,
  );
});

test.each([
  ['{name: system-node-critical}, value: 2000001000', 'accepted'],
  ['{name: systems}, value: 1000000000, preemptionPolicy: Never', 'accepted'],
  [
    '{name: top}, value: 1, preemptionPolicy: Always',
    'preemptionPolicy: Unsupported value: "Always": supported values: "PreemptLowerPriority", "Never"',
  ],
])('a PriorityClass %s', (fields, expected) => {
  expect(refusalOf(`{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: ${fields}}`)).toBe(expected);
});
