import { isNextRolloutFinding } from '../../src/core/findings/finding';
import type { Finding } from '../../src/core/findings/finding';
import type { FindingCounts, PlanDocument } from '../../src/core/document/plan-document';
import type { ResourceRef } from '../../src/core/document/rollout';
import { expectValidCheck } from '../plan-schema';
import { rolloutkit } from './command-line';
import { WEB, withStrategy } from './manifests';

const API = WEB.replaceAll('web', 'api');
const OUTAGE = '{rollingUpdate: {maxSurge: 0, maxUnavailable: "100%"}}';
const SERVICE =
  '---\napiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n';
const QUOTA = (pods: number) => `---
apiVersion: v1
kind: ResourceQuota
metadata: {name: pods, namespace: shop}
spec: {hard: {pods: "${pods}"}}
`;

interface CheckDocument extends Pick<PlanDocument, 'summary'> {
  readonly findings: readonly (Finding & { readonly resource?: ResourceRef })[];
  readonly untouched: FindingCounts;
}

/** Checks the change from one file to another. Returns the exit code, the counts, and each finding with its object. */
async function checked(old: string, next: string, args = '') {
  const result = await rolloutkit(`check --from old.yaml new.yaml --format json ${args}`, { files: { 'old.yaml': old, 'new.yaml': next } });
  const { findings, untouched, summary } = expectValidCheck(JSON.parse(result.stdout) as CheckDocument);
  return {
    exitCode: result.exitCode,
    found: findings.map(({ code, severity, resource, data }) =>
      [severity, code, ...(resource ? [resource.name] : []), ...(isNextRolloutFinding({ data }) ? ['next-rollout'] : [])].join(' '),
    ),
    untouched,
    summary,
  };
}

const NOTHING = { errors: 0, warnings: 0, infos: 0, suppressed: 0 };

describe('check --from', () => {
  test('fails for an object that the API server refuses to change', async () => {
    const { exitCode, found } = await checked(WEB, WEB.replaceAll('app: web', 'app: shop'));
    expect(exitCode).toBe(1);
    expect(found).toContain('error change/refused web');
  });

  test.each([
    ['a change that only stores settings, at the next rollout', withStrategy(OUTAGE), ['error kubernetes/outage web next-rollout']],
    ['a change that replaces pods too', withStrategy(OUTAGE).replace('web:1', 'web:2'), ['error kubernetes/outage web']],
  ])('fails if rollouts take all pods down only since %s', async (_, next, problems) => {
    const { exitCode, found } = await checked(WEB, next);
    expect({ exitCode, found }).toEqual({ exitCode: 1, found: problems });
  });

  test.each([
    ['the rollouts of OLD do so too', withStrategy(OUTAGE), withStrategy(OUTAGE).replace('web:1', 'web:2'), ''],
    [
      'those of OLD do so with other settings',
      withStrategy('{type: Recreate}'),
      withStrategy(`{type: RollingUpdate, ${OUTAGE.slice(1)}`),
      ' next-rollout',
    ],
    ['OLD has no pods', withStrategy(OUTAGE).replace('replicas: 10', 'replicas: 0'), withStrategy(OUTAGE), ' next-rollout'],
    ['OLD lacks the workload', QUOTA(90), `${withStrategy(OUTAGE)}${QUOTA(90)}`, ' next-rollout'],
  ])('warns of an outage that the change does not bring: %s', async (_, old, next, moment) => {
    const { exitCode, found } = await checked(old, next);
    expect({ exitCode, found }).toEqual({ exitCode: 0, found: [`warning kubernetes/outage web${moment}`] });
  });

  test('fails for a Service that a scale to 0 leaves without endpoints', async () => {
    const { exitCode, found } = await checked(`${WEB}${SERVICE}`, `${WEB.replace('replicas: 10', 'replicas: 0')}${SERVICE}`);
    expect({ exitCode, found }).toEqual({ exitCode: 1, found: ['error change/service-without-endpoints'] });
  });

  test('fails for a Service without ready endpoints until new pods have the label that it asks for, which a plan reports as a warning', async () => {
    const withVersion = (version: string) =>
      `${WEB.replace('labels: {app: web}', `labels: {app: web, version: ${version}}`)}${SERVICE.replace('{app: web}', `{app: web, version: ${version}}`)}`;
    const code = 'change/service-without-endpoints';
    const { exitCode, found } = await checked(withVersion('v1'), withVersion('v2'));
    expect({ exitCode, found }).toEqual({ exitCode: 1, found: [`error ${code}`] });
    const files = {
      'old.yaml': withVersion('v1'),
      'new.yaml': withVersion('v2'),
      'rolloutkit.yaml': `rules: {${code}: warning}\n`,
    };
    const plan = await rolloutkit('plan --from old.yaml new.yaml --format json --no-config', { files });
    expect((JSON.parse(plan.stdout) as PlanDocument).findings.map((finding) => `${finding.severity} ${finding.code}`)).toEqual([
      `warning ${code}`,
    ]);
    // The configuration has the last word.
    expect((await rolloutkit('check --from old.yaml new.yaml', { files })).exitCode).toBe(0);
  });

  test('passes a change of the image of a workload without findings', async () => {
    const { exitCode, found, untouched } = await checked(WEB, WEB.replace('web:1', 'web:2'), '--fail-on warning');
    expect({ exitCode, untouched }).toEqual({ exitCode: 0, untouched: NOTHING });
    expect(found.filter((line) => !line.startsWith('info'))).toEqual([]);
  });

  test('counts the findings of objects that do not change, and does not fail because of them', async () => {
    const noProbe = API.replace(/ +readinessProbe.*\n/, '          ports: [{containerPort: 80}]\n');
    const [old, next] = [WEB, WEB.replace('web:1', 'web:2')].map((web) => `${web}---\n${noProbe}`);
    const { exitCode, found, untouched } = await checked(old!, next!, '--fail-on warning');
    expect(exitCode).toBe(0);
    expect(found.filter((line) => line.includes(' api'))).toEqual([]);
    expect(untouched).toEqual({ ...NOTHING, warnings: 1 });
    const text = await rolloutkit('check --from old.yaml new.yaml', { files: { 'old.yaml': old!, 'new.yaml': next! } });
    expect(text.stdout).toContain('\nnot listed, because the change does not touch their objects: 1 warning\n');
  });

  test('reports a workload that does not change if a lower quota makes its next rollout deadlock', async () => {
    const strategy = withStrategy('{rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}');
    const { exitCode, found } = await checked(`${strategy}${QUOTA(11)}`, `${strategy}${QUOTA(10)}`);
    expect(exitCode).toBe(1);
    expect(found).toContain('error kubernetes/surge-needs-headroom web next-rollout');
  });

  test('a problem about no rollout is new if OLD has the same one of another object', async () => {
    const [web, api] = [WEB, API].map((text) => text.replace('kind: Deployment', 'kind: deployment'));
    const { exitCode, found } = await checked(`${web!}---\n${API}`, `${WEB}---\n${api!}`);
    expect(exitCode).toBe(1);
    expect(found).toContain('error kubernetes/unknown-kind');
    expect((await checked(`${web!}---\n${API}`, `${web!}---\n${API}`)).found).toEqual([]);
  });

  test('a finding that the workload had before is not a consequence of a change that replaces no pods', async () => {
    const before = withStrategy(OUTAGE);
    const { found } = await checked(before, before.replace('  namespace: shop', '  namespace: shop\n  labels: {team: web}'));
    expect(found.filter((line) => line.includes('outage'))).toEqual([]);
  });

  test('applies a baseline and annotations, and --min-severity shows less without judging less', async () => {
    const trap = withStrategy(OUTAGE);
    const reason = 'kubernetes/outage: one consumer only, by design';
    const suppressed = trap.replace('  namespace: shop', `  namespace: shop\n  annotations: {rolloutkit/ignore: "${reason}"}`);
    expect((await checked(WEB, suppressed, '--fail-on warning')).exitCode).toBe(0);
    const scaledDown = WEB.replace('replicas: 10', 'replicas: 4');
    const { exitCode, found } = await checked(WEB, scaledDown, '--fail-on warning --min-severity error');
    expect({ exitCode, found }).toEqual({ exitCode: 1, found: [] });
  });

  test.each(['github', 'gitlab', 'junit', 'sarif', 'text'])(
    'the format %s says that a finding is about the next rollout',
    async (format) => {
      const files = { 'old.yaml': WEB, 'new.yaml': withStrategy(OUTAGE) };
      const { stdout } = await rolloutkit(`check --from old.yaml new.yaml --format ${format}`, { files });
      expect(stdout).toContain('At the next rollout: ');
    },
  );

  test('refuses --apply without --from', async () => {
    const { exitCode, stderr } = await rolloutkit('check --apply helm web.yaml', { files: { 'web.yaml': WEB } });
    expect([exitCode, stderr]).toEqual([2, 'rolloutkit: --apply applies only to a change; name the current manifests with --from\n']);
  });

  test.each([
    ['a typing error in the selector', { service: 'wbe' }, '', 'error: it selects app=wbe, which neither running nor new pods have.'],
    [
      'another name of the workload',
      { workload: 'shop' },
      '--prune',
      'error: Deployment UNIT/web is deleted before the pods that take its place are ready.',
    ],
  ])('each of two overlays has one finding about its Service: %s', async (_, changed, options, expected) => {
    const manifests = (namespace: string, { workload = 'web', service = 'web' } = {}) =>
      `${WEB.replace('name: web\n', `name: ${workload}\n`).replace('namespace: shop', `namespace: ${namespace}`)}---\n` +
      `apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: ${namespace}}\nspec: {selector: {app: ${service}}, ports: [{port: 80}]}\n`;
    const files = Object.fromEntries(
      ['staging', 'prod'].flatMap((unit) => [
        [`old/${unit}/kustomization.yaml`, 'resources: [web.yaml]\n'],
        [`old/${unit}/web.yaml`, manifests(unit)],
        [`new/${unit}/kustomization.yaml`, 'resources: [web.yaml]\n'],
        [`new/${unit}/web.yaml`, manifests(unit, changed)],
      ]),
    );
    const args = `check --from old/staging --from old/prod new/staging new/prod --format json ${options}`;
    const { findings } = JSON.parse((await rolloutkit(args, { files })).stdout) as CheckDocument;
    const found = findings
      .filter(({ path }) => path === 'spec.selector')
      .map(({ severity, message }) => `${severity}: ${message.split(': ')[1]!.split('. ')[0]}.`);
    expect(found).toEqual(['staging', 'prod'].map((unit) => expected.replace('UNIT', unit)));
  });
});

describe('the finding of one object is not that of another one of its name, such as for another cluster', () => {
  const BUDGET = (maxUnavailable: number) =>
    `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\nspec: {maxUnavailable: ${maxUnavailable}, selector: {matchLabels: {app: web}}}\n`;
  const POD = WEB.replace(/ *namespace: shop\n/, '');
  const folder = (side: string, name: string, budget: string) => ({
    [`${side}/${name}/kustomization.yaml`]: `resources: [web.yaml${budget && ', pdb.yaml'}]\nnamespace: ${name}\n`,
    [`${side}/${name}/web.yaml`]: POD,
    ...(budget && { [`${side}/${name}/pdb.yaml`]: budget }),
  });
  const violations = async (policy: string, sides: readonly (readonly [string, string])[]) => {
    const files = Object.assign(
      { 'policy.yaml': policy },
      ...['old', 'new'].map((side, index) => ({
        ...folder(side, 'a', sides[index]![0]),
        ...folder(side, 'b', sides[index]![1]),
      })),
    ) as Record<string, string>;
    const { stdout } = await rolloutkit('check --from old new --policy policy.yaml --format json', { files });
    const { findings } = JSON.parse(stdout) as CheckDocument;
    return findings.flatMap(({ code, source }) => (code.startsWith('guardrails/') ? [`${code} ${source?.file}`] : []));
  };

  test('a violation of a workload that loses its budget', async () => {
    expect(
      await violations('requireBudget: true\n', [
        ['', BUDGET(1)],
        ['', ''],
      ]),
    ).toEqual(['guardrails/refused new/b/web.yaml']);
    expect(
      await violations('requireBudget: true\n', [
        ['', BUDGET(1)],
        [BUDGET(1), ''],
      ]),
    ).toEqual(['guardrails/refused new/b/web.yaml']);
    expect(
      await violations('requireBudget: true\n', [
        ['', BUDGET(1)],
        ['', BUDGET(1)],
      ]),
    ).toEqual([]);
  });

  test('a violation of a budget that the change brings, while another one is mended', async () => {
    expect(
      await violations('requireEviction: true\n', [
        [BUDGET(0), BUDGET(1)],
        [BUDGET(1), BUDGET(0)],
      ]),
    ).toEqual(['guardrails/refused new/b/pdb.yaml']);
    expect(
      await violations('requireEviction: true\n', [
        [BUDGET(0), BUDGET(1)],
        [BUDGET(0), BUDGET(1)],
      ]),
    ).toEqual([]);
  });
});
