import { rolloutkit } from './command-line';

/** Planning this RayService fails, since its text is nested too deeply to be read. */
const UNREADABLE = `apiVersion: ray.io/v1
kind: RayService
metadata: { name: llm, namespace: shop }
spec: { serveConfigV2: "a: ${'['.repeat(1_001)}" }
`;
const QUOTA = `---
apiVersion: v1
kind: ResourceQuota
metadata: { name: pods, namespace: shop }
spec: { hard: { pods: 3 } }
`;
const hook = (phase: string) => `---
apiVersion: batch/v1
kind: Job
metadata: { name: migrate, namespace: shop, annotations: { helm.sh/hook: ${phase} } }
spec: { template: { spec: { restartPolicy: Never, containers: [{ name: migrate, image: "migrate:1" }] } } }
`;
const web = (tag: number) => `---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: "web:${tag}" }] } }
`;

async function check(old: string, next: string, options = '') {
  const { exitCode, stdout } = await rolloutkit(`check --no-config --require-planned --from old.yaml new.yaml ${options}`, {
    files: { 'old.yaml': old, 'new.yaml': next },
  });
  return { exitCode, errors: stdout.match(/serveConfigV2 cannot be read here/g)?.length };
}

test.each(['pre-upgrade', 'post-upgrade'])(
  'an object that cannot be planned is an error, and no failure of the run, next to a quota and a hook of the phase %s',
  async (phase) => {
    expect(await check(QUOTA + web(1), UNREADABLE + QUOTA + hook(phase) + web(2))).toEqual({ exitCode: 1, errors: 1 });
    expect(await check(UNREADABLE + QUOTA + web(1), UNREADABLE + QUOTA + hook(phase) + web(2))).toEqual({ exitCode: 1, errors: 1 });
  },
);

test('nor if the change deletes it', async () => {
  expect(await check(UNREADABLE + web(1), web(2), '--prune')).toEqual({ exitCode: 1, errors: 1 });
});
