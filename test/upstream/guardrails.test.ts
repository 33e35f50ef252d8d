import { appendFileSync } from 'node:fs';
import { admissionManifests } from '../../src/guardrails/admission';
import { parseGuardrails } from '../../src/guardrails/policy';
import { violationText, violationsOf } from '../../src/guardrails/verdict';
import { POLICIES, deploymentsFor, namespaceOfPolicy } from '../guardrails/random-deployments';
import { recorded } from './recording';

interface Recorded {
  readonly name: string;
  readonly refused?: string;
}

/** oracle/README.md, "Guardrails", says how the server is asked. */
const { GUARDRAILS } = process.env;

const OF_EACH = 400;

test('of thousands of Deployments the policy says what the admission policy made of it says on a real API server, with the same words', () => {
  const verdicts =
    GUARDRAILS === undefined
      ? new Map((recorded('guardrails') as readonly Recorded[]).map(({ name, refused }) => [name, refused]))
      : undefined;
  const differing = POLICIES.flatMap((given, index) => {
    const policy = parseGuardrails(given);
    const namespace = namespaceOfPolicy(index);
    const objects = deploymentsFor(index, OF_EACH);
    if (!verdicts) {
      const guarded = { ...policy, match: { ...policy.match, namespaces: [namespace] } };
      appendFileSync(
        GUARDRAILS!,
        `${JSON.stringify({ namespace, manifests: admissionManifests(guarded, { name: namespace, namespace: 'default' }), objects })}\n`,
      );
      return [];
    }
    return objects.flatMap((object) => {
      const name = object.metadata!.name!;
      const [first] = violationsOf(object, policy).map(violationText);
      return verdicts.has(name) && verdicts.get(name) === first ? [] : [{ name, ours: first, server: verdicts.get(name) }];
    });
  });
  expect(differing).toEqual([]);
});
