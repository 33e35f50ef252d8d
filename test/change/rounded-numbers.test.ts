/** A number beyond 2^53 is read as the nearest 64-bit float, so two of them may seem equal. */
import { rolloutkit } from '../cli/command-line';

const quota = (storage: string) => `apiVersion: v1
kind: ResourceQuota
metadata: {name: storage, namespace: shop}
spec: {hard: {requests.storage: ${storage}}}
`;

async function planQuota(old: string, next: string): Promise<string> {
  const { stdout } = await rolloutkit('plan --from old.yaml new.yaml', { files: { 'old.yaml': quota(old), 'new.yaml': quota(next) } });
  return stdout;
}

test('a change of the last digit is not seen, and the plan says so', async () => {
  expect(await planQuota('9007199254740992', '9007199254740993')).toBe(
    `nothing changes: the object is up to date; assumes Kubernetes 1.36

no rollouts on Kubernetes 1.36: 1 info

info  change/incomplete-information
  NEW contains a number beyond 2^53: spec.hard[requests.storage] of ResourceQuota shop/storage. It is rounded, so a change of the last digits is not seen.
  fix: Write a quantity in quotes or with a unit, such as 8Pi. Compare other numbers of this size by hand.

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
`,
  );
});

test('a quantity in quotes is exact', async () => {
  const stdout = await planQuota('"9007199254740992"', '"9007199254740993"');
  expect(stdout).toContain('hard[requests.storage] "9007199254740992" -> "9007199254740993"');
  expect(stdout).not.toContain('rounded');
});
