import { appendFileSync } from 'node:fs';
import { buildAdmissionManifests } from '../../src/guardrails/admission';
import { parseGuardrails } from '../../src/guardrails/policy';
import { findViolations } from '../../src/guardrails/evaluate';
import { formatViolation } from '../../src/guardrails/violation';
import { POLICIES, deploymentsFor, largestFor, namespaceOfPolicy, othersFor } from '../guardrails/random-objects';
import { recorded } from './recording';

interface Recorded {
  readonly name: string;
  readonly refused?: string;
}

/** File that the questions for the API server are written to: see oracle/README.md, "Guardrails". */
const { GUARDRAILS } = process.env;

const DEPLOYMENTS_PER_POLICY = 400;
const OTHERS_PER_POLICY = 300;
const LARGEST = ['containers', 'initContainers', 'sidecars'] as const;

test('for thousands of workloads and budgets, including Deployments of the maximum size, the policy and its admission policy on a real API server give the same verdict and text', () => {
  const verdicts =
    GUARDRAILS === undefined
      ? new Map((recorded('guardrails') as readonly Recorded[]).map(({ name, refused }) => [name, refused]))
      : undefined;
  const differing = POLICIES.flatMap((source, index) => {
    const policy = parseGuardrails(source);
    const namespace = namespaceOfPolicy(index);
    const objects = [
      ...deploymentsFor(index, DEPLOYMENTS_PER_POLICY),
      ...othersFor(index, OTHERS_PER_POLICY),
      ...LARGEST.map((where) => largestFor(index, where)),
    ];
    if (!verdicts) {
      const guarded = { ...policy, match: { ...policy.match, namespaces: [namespace] } };
      appendFileSync(
        GUARDRAILS!,
        `${JSON.stringify({ namespace, manifests: buildAdmissionManifests(guarded, { name: namespace, namespace: 'default' }), objects })}\n`,
      );
      return [];
    }
    return objects.flatMap((object) => {
      const name = object.metadata!.name!;
      const [first] = findViolations(object, policy, { keepsMaxUnavailable: true }).map(formatViolation);
      return verdicts.has(name) && verdicts.get(name) === first ? [] : [{ name, ours: first, server: verdicts.get(name) }];
    });
  });
  expect(differing).toEqual([]);
});
