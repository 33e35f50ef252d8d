import type { PolicyResource, StackValidationArgs } from '@pulumi/policy';
import { ApiObject, App, Chart } from 'cdk8s';
import { guardrailPolicy } from 'rolloutkit/pulumi-policy';
import { stringify } from 'yaml';
import { RolloutGuardrails } from '../../src';
import type { Manifest } from '../../src/core/manifest/manifest';
import type { GuardrailPolicy } from '../../src/guardrails/policy';
import { rolloutkit } from '../cli/command-line';
import { POLICIES, deploymentsFor, othersFor } from './random-objects';

/** Refusals as `NAME FIELD: MESSAGE`, sorted. */
type Refusals = readonly string[];

const IN_A_FINDING = /The guardrails refuse this \w+: (.*?)\.(?: |$)/;

async function refusalsByCheck(policy: GuardrailPolicy, objects: readonly Manifest[]): Promise<Refusals> {
  const files = { 'policy.yaml': stringify(policy), 'all.yaml': objects.map((object) => stringify(object)).join('---\n') };
  const { stdout } = await rolloutkit('check all.yaml --policy policy.yaml --format json', { files });
  const { findings } = JSON.parse(stdout) as {
    readonly findings: readonly {
      readonly code: string;
      readonly path: string;
      readonly message: string;
      readonly resource?: { readonly name: string };
      readonly source: { readonly line: number };
    }[];
  };
  const lines = files['all.yaml'].split('\n');
  const nameAbove = (line: number) =>
    lines
      .slice(0, line)
      .findLast((text) => text.startsWith('  name: '))!
      .slice('  name: '.length);
  return findings
    .filter(({ code }) => code === 'guardrails/refused')
    .map(({ path, message, resource, source }) => `${resource?.name ?? nameAbove(source.line)} ${path}: ${IN_A_FINDING.exec(message)![1]}`)
    .toSorted();
}

function refusalsByConstruct(policy: GuardrailPolicy, objects: readonly Manifest[]): Refusals {
  const app = new App();
  new RolloutGuardrails(new Chart(app, 'platform'), 'guard', policy);
  const chart = new Chart(app, 'shop');
  for (const object of objects) new ApiObject(chart, object.metadata!.name!, object);
  return app.node
    .findAll()
    .flatMap((construct) => construct.node.validate())
    .map((line) => line.replace(/^shop\/(\S+):/, '$1'))
    .toSorted();
}

function refusalsByPolicyPack(policy: GuardrailPolicy, objects: readonly Manifest[]): Refusals {
  const resources = objects.map((object) => {
    const type = `kubernetes:${object.apiVersion}:${object.kind}`;
    const { name } = object.metadata!;
    return { type, name, urn: name, props: object } as unknown as PolicyResource;
  });
  const refusals: string[] = [];
  void guardrailPolicy(policy).validateStack({ resources } as unknown as StackValidationArgs, (message, urn) => {
    for (const [, path, text] of message.matchAll(/\[guardrails\/refused\] (\S+): The guardrails refuse this \w+: (.*?)\.(?: |$)/gm)) {
      refusals.push(`${urn} ${path}: ${text}`);
    }
  });
  return refusals.toSorted();
}

test('a policy refuses the same objects in check, as a construct at synth and in the policy pack of Pulumi', async () => {
  let refusalCount = 0;
  for (const [index, policy] of POLICIES.entries()) {
    const objects = [...deploymentsFor(index, 30), ...othersFor(index, 30)];
    const checked = await refusalsByCheck(policy, objects);
    expect(refusalsByConstruct(policy, objects)).toEqual(checked);
    expect(refusalsByPolicyPack(policy, objects)).toEqual(checked);
    refusalCount += checked.length;
  }
  expect(refusalCount).toBeGreaterThan(200);
}, 60_000);
