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

/** oracle/README.md, "Guardrails", says how the server is asked. */
const { GUARDRAILS } = process.env;

const OF_EACH = 400;
const OTHERS = 300;
const LARGEST = ['containers', 'initContainers', 'sidecars'] as const;

test('of thousands of workloads and budgets, and of Deployments as large as a server takes, the policy says what the admission policy made of it says on a real API server, with the same words', () => {
  const verdicts =
    GUARDRAILS === undefined
      ? new Map((recorded('guardrails') as readonly Recorded[]).map(({ name, refused }) => [name, refused]))
      : undefined;
  const differing = POLICIES.flatMap((given, index) => {
    const policy = parseGuardrails(given);
    const namespace = namespaceOfPolicy(index);
    const objects = [...deploymentsFor(index, OF_EACH), ...othersFor(index, OTHERS), ...LARGEST.map((where) => largestFor(index, where))];
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
