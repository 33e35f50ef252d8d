import type { PlanDocument } from '../../src/core/document/plan-document';
import { rolloutkit } from '../cli/command-line';
import { expectValidPlan } from '../plan-schema';

function deployment(name: string, more = ''): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: 4
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: main, image: "main:1", readinessProbe: {httpGet: {path: /, port: 80}}, resources: {requests: {cpu: 1}}}]}
${more}`;
}

const WEB = deployment('web');
/** A budget that blocks every eviction of the pods of web. */
const BUDGET =
  'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\nspec: {minAvailable: 4, selector: {matchLabels: {app: web}}}\n';
const QUOTA = 'apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: cpus}\nspec: {hard: {requests.cpu: 4}}\n';
const KUSTOMIZATION = 'resources: [web.yaml]\n';

async function planOf(paths: string, files: Readonly<Record<string, string>>): Promise<PlanDocument> {
  const { stdout, stderr } = await rolloutkit(`plan ${paths} --format json`, { files });
  expect(stderr).toBe('');
  return expectValidPlan(JSON.parse(stdout) as PlanDocument);
}

function codesOf({ findings }: Pick<PlanDocument, 'findings'>): string[] {
  return findings.map(({ code }) => code);
}

function units({ rollouts }: PlanDocument): (string | undefined)[] {
  return rollouts.map(({ unit }) => unit);
}

describe('one object in two places', () => {
  test('is a duplicate within one file', async () => {
    expect(codesOf(await planOf('.', { 'a.yaml': `${WEB}---\n${WEB}` }))).toEqual(['input/duplicate-resource']);
  });

  test('is no duplicate in two files of a plain folder, and the plan names the files', async () => {
    const plan = await planOf('.', { 'a.yaml': WEB, 'b.yaml': WEB });
    expect([codesOf(plan), units(plan)]).toEqual([[], ['./a.yaml', './b.yaml']]);
  });

  test('is no duplicate in two units, and the plan names them', async () => {
    const plan = await planOf('app', {
      'app/base/web.yaml': WEB,
      'app/base/kustomization.yaml': KUSTOMIZATION,
      'app/overlays/prod/web.yaml': WEB,
      'app/overlays/prod/kustomization.yaml': KUSTOMIZATION,
    });
    expect([codesOf(plan), units(plan)]).toEqual([[], ['app/base', 'app/overlays/prod']]);
    const { stdout } = await rolloutkit('plan app', {
      files: { 'app/a/web.yaml': WEB, 'app/a/fleet.yml': 'name: a\n', 'app/b/web.yaml': WEB, 'app/b/Chart.yaml': 'name: b\n' },
    });
    expect(stdout).toContain('Deployment web (kubernetes, app/a)');
  });

  test('is listed without a unit if its name is unique', async () => {
    expect(units(await planOf('.', { 'a.yaml': WEB, 'b.yaml': deployment('api') }))).toEqual([undefined, undefined]);
  });
});

describe('the context of a rollout', () => {
  const BLOCKED = ['kubernetes/pdb-blocks-eviction'];

  async function saidOfWeb(paths: string, files: Readonly<Record<string, string>>): Promise<string[]> {
    const { rollouts } = await planOf(paths, files);
    return codesOf(rollouts.find(({ resource }) => resource.name === 'web')!).filter((code) => code.startsWith('kubernetes/pdb'));
  }

  test('is found in its own unit', async () => {
    const files = { 'a/web.yaml': WEB, 'a/budget.yaml': BUDGET, 'a/kustomization.yaml': KUSTOMIZATION };
    expect(await saidOfWeb('.', files)).toEqual(BLOCKED);
  });

  test('is found in the units above it', async () => {
    const files = { 'budget.yaml': BUDGET, 'a/web.yaml': WEB, 'a/kustomization.yaml': KUSTOMIZATION };
    expect(await saidOfWeb('.', files)).toEqual(BLOCKED);
  });

  test('is found in other input that is given by name', async () => {
    const files = { 'b/budget.yaml': BUDGET, 'a/web.yaml': WEB, 'a/kustomization.yaml': KUSTOMIZATION };
    expect([await saidOfWeb('a b/budget.yaml', files), await saidOfWeb('a', files)]).toEqual([BLOCKED, []]);
  });

  test('is not found in a sibling folder, nor in one below', async () => {
    const files = { 'b/budget.yaml': BUDGET, 'b/kustomization.yaml': 'resources: [budget.yaml]\n' };
    expect(await saidOfWeb('.', { ...files, 'a/web.yaml': WEB, 'a/kustomization.yaml': KUSTOMIZATION })).toEqual([]);
    expect(await saidOfWeb('.', { ...files, 'web.yaml': WEB })).toEqual([]);
  });

  test('is its own rather than another of the same name', async () => {
    const mild = BUDGET.replace('minAvailable: 4', 'maxUnavailable: 1');
    const files = { 'budget.yaml': BUDGET, 'a/web.yaml': WEB, 'a/budget.yaml': mild, 'a/kustomization.yaml': KUSTOMIZATION };
    expect(await saidOfWeb('.', files)).toEqual([]);
  });

  test('counts once if it is found twice', async () => {
    expect(await saidOfWeb('.', { 'a.yaml': WEB, 'b.yaml': BUDGET, 'c.yaml': BUDGET })).toEqual(BLOCKED);
  });

  test('counts once if its file contains it twice', async () => {
    const node = 'apiVersion: v1\nkind: Node\nmetadata: {name: a}\n';
    const daemonSet = WEB.replace('kind: Deployment', 'kind: DaemonSet').replace('  replicas: 4\n', '');
    const { rollouts } = await planOf('all.yaml', { 'all.yaml': [daemonSet, node, node].join('---\n') });
    expect(rollouts.map(({ simulation }) => simulation)).toEqual([expect.objectContaining({ kind: 'daemonset', nodes: 1 })]);
  });

  test('is shared by inputs that are given together, and not by two units', async () => {
    const together = await planOf('web.yaml api.yaml quota.yaml', { 'web.yaml': WEB, 'api.yaml': deployment('api'), 'quota.yaml': QUOTA });
    expect(together.capacity?.limits).toMatchObject([{ limit: 'ResourceQuota "cpus"', steady: '8' }]);
    const apart = await planOf('.', {
      'quota.yaml': QUOTA,
      'a/web.yaml': WEB,
      'a/kustomization.yaml': KUSTOMIZATION,
      'b/web.yaml': WEB,
      'b/kustomization.yaml': KUSTOMIZATION,
    });
    expect(apart.capacity).toBeUndefined();
  });

  describe('in a plain folder', () => {
    test('is the rest of that folder, next to it and below', async () => {
      expect(await saidOfWeb('.', { 'apps/web.yaml': WEB, 'policies/more/budget.yaml': BUDGET })).toEqual(BLOCKED);
    });

    test('is nothing of another folder with an object of the same name, since the two are not applied together', async () => {
      const files = { 'clusters/a/web.yaml': WEB, 'clusters/b/web.yaml': WEB, 'clusters/b/policies/budget.yaml': BUDGET };
      const { rollouts } = await planOf('.', files);
      expect(rollouts.map((rollout) => [rollout.unit, codesOf(rollout).filter((code) => code.startsWith('kubernetes/pdb'))])).toEqual([
        ['./clusters/a/web.yaml', []],
        ['./clusters/b/web.yaml', BLOCKED],
      ]);
    });

    test.each(['.', 'a.yaml b.yaml quotas.yaml'])('is nothing of another file with the same rollout: %s', async (paths) => {
      const files = { 'a.yaml': `${WEB}---\n${BUDGET}`, 'b.yaml': WEB, 'quotas.yaml': QUOTA };
      const { rollouts, capacity } = await planOf(paths, files);
      expect(rollouts.map((rollout) => codesOf(rollout).filter((code) => code.startsWith('kubernetes/pdb')))).toEqual([BLOCKED, []]);
      expect([rollouts.map((rollout) => rollout.capacity?.verdict !== undefined), capacity]).toEqual([[true, true], undefined]);
    });

    test('is what is around independent folders, and next to them if it conflicts with neither', async () => {
      const files = { 'a/web.yaml': WEB, 'b/web.yaml': WEB };
      expect(await saidOfWeb('.', { ...files, 'budget.yaml': BUDGET })).toEqual(BLOCKED);
      expect(await saidOfWeb('.', { ...files, 'policies/budget.yaml': BUDGET })).toEqual(BLOCKED);
      const overlay = {
        'a/web.yaml': WEB,
        'a/app/kustomization.yaml': KUSTOMIZATION,
        'a/app/web.yaml': WEB,
        'b/api.yaml': deployment('api'),
      };
      const apart = { ...overlay, 'a/api.yaml': deployment('api') };
      const ofOverlay = async (more: Readonly<Record<string, string>>) => {
        const { rollouts } = await planOf('.', { ...apart, ...more });
        return codesOf(rollouts.find(({ unit }) => unit === './a/app')!).filter((code) => code.startsWith('kubernetes/pdb'));
      };
      expect(await ofOverlay({ 'a/budget.yaml': BUDGET })).toEqual(BLOCKED);
      expect(await ofOverlay({ 'b/budget.yaml': BUDGET })).toEqual([]);
    });

    test('is nothing of a folder of tests, in which each folder is independent', async () => {
      expect(await saidOfWeb('.', { 'web.yaml': WEB, 'testdata/budget.yaml': BUDGET })).toEqual([]);
      expect(await saidOfWeb('.', { 'a/web.yaml': WEB, 'a/kustomization.yaml': KUSTOMIZATION, 'test/budget.yaml': BUDGET })).toEqual([]);
      expect(await saidOfWeb('.', { 'e2e/a/web.yaml': WEB, 'e2e/b/budget.yaml': BUDGET })).toEqual([]);
      expect(await saidOfWeb('.', { 'e2e/web.yaml': WEB, 'e2e/budget.yaml': BUDGET })).toEqual(BLOCKED);
      expect(await saidOfWeb('e2e', { 'e2e/web.yaml': WEB, 'e2e/b/budget.yaml': BUDGET })).toEqual(BLOCKED);
    });
  });

  test('is compared with the pods of each unit, since a sibling may be applied to another cluster', async () => {
    const budget = BUDGET.replace('minAvailable: 4', 'minAvailable: 6').replace('{matchLabels: {app: web}}', '{}');
    const files = {
      'budget.yaml': budget,
      'a/web.yaml': WEB,
      'a/kustomization.yaml': KUSTOMIZATION,
      'b/web.yaml': deployment('api'),
      'b/kustomization.yaml': KUSTOMIZATION,
    };
    const judged = async (paths: string, more: Readonly<Record<string, string>>) => {
      const { rollouts } = await planOf(paths, more);
      return rollouts.map(({ budgets }) => budgets?.map(({ pods, desiredHealthy }) => ({ pods, desiredHealthy })));
    };
    const alone = [{ pods: 4, desiredHealthy: 6 }];
    expect(await judged('.', files)).toEqual([alone, alone]);

    const { rollouts } = await planOf('.', files);
    expect(rollouts.map(({ findings }) => findings.map(({ severity, code, data }) => ({ severity, code, data })))).toEqual(
      [4, 4].map((podsInOtherUnits) => [
        {
          severity: 'info',
          code: 'kubernetes/pdb-blocks-eviction',
          data: {
            budget: 'web',
            field: 'minAvailable',
            value: 6,
            pods: 4,
            maxUnavailable: 1,
            minAvailable: 3,
            podsInOtherUnits,
          },
        },
      ]),
    );
    // All pods are required, with eight pods or with four.
    const allOfThem = { ...files, 'budget.yaml': budget.replace('minAvailable: 6', 'minAvailable: 8') };
    expect((await planOf('.', allOfThem)).summary).toMatchObject({ warnings: 2, infos: 0 });

    const together = [{ pods: 8, desiredHealthy: 6 }];
    expect(await judged('.', { 'budget.yaml': budget, 'web.yaml': WEB, 'api.yaml': deployment('api') })).toEqual([together, together]);
  });

  test('is certainly broken by a rollout only if that is so with the pods of other units too', async () => {
    const files = (minAvailable: string) => ({
      'budget.yaml': BUDGET.replace('minAvailable: 4', `minAvailable: ${minAvailable}`).replace('{matchLabels: {app: web}}', '{}'),
      'a/web.yaml': deployment('web', '  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 2}}\n'),
      'a/kustomization.yaml': KUSTOMIZATION,
      'b/web.yaml': deployment('api', '  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}\n'),
      'b/kustomization.yaml': KUSTOMIZATION,
    });
    const findingsWith = async (minAvailable: string) => {
      const { rollouts } = await planOf('.', files(minAvailable));
      return rollouts[0]!.findings.map(({ severity, code, data }) => [severity, code, data.podsInOtherUnits]);
    };
    // 75% is three of four pods, and two remain; or six of eight, and six remain. 80% is all four, or seven of eight.
    expect(await findingsWith('75%')).toEqual([['info', 'kubernetes/pdb-broken-by-rollout', 4]]);
    expect(await findingsWith('80%')).toEqual([
      ['info', 'kubernetes/pdb-blocks-eviction', 4],
      ['warning', 'kubernetes/pdb-broken-by-rollout', undefined],
    ]);
    expect(await findingsWith('50%')).toEqual([]);
  });

  test('certainly refuses evictions only if it does so with the pods of other units too', async () => {
    const rollout = (name: string, restartAt = '') => `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: ${name}}
spec:
  replicas: 4${restartAt}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: main, image: "web:1", readinessProbe: {tcpSocket: {port: 80}}}]}
  strategy: {canary: {maxUnavailable: 2}}
`;
    const findingsWith = async (minAvailable: string) => {
      const side = (folder: string, restartAt?: string) => ({
        [`${folder}/budget.yaml`]: BUDGET.replace('minAvailable: 4', `minAvailable: ${minAvailable}`).replace(
          '{matchLabels: {app: web}}',
          '{}',
        ),
        [`${folder}/a/web.yaml`]: rollout('web', restartAt),
        [`${folder}/a/kustomization.yaml`]: KUSTOMIZATION,
        [`${folder}/b/web.yaml`]: rollout('api'),
        [`${folder}/b/kustomization.yaml`]: KUSTOMIZATION,
      });
      const files = { ...side('old'), ...side('new', '\n  restartAt: 2026-01-01T00:00:00Z') };
      const { rollouts } = await planOf('--from old new', files);
      const found = rollouts.flatMap(({ findings }) => findings).filter(({ code }) => code === 'kubernetes/pdb-refuses-eviction');
      return found.map(({ severity, messageId, data }) => [severity, messageId, data.podsInOtherUnits]);
    };
    // No pod of four may be evicted, but all four of this unit may if the other unit has four more.
    expect(await findingsWith('4')).toEqual([['info', 'never', 4]]);
    expect(await findingsWith('8')).toEqual([['error', 'never', undefined]]);
    expect(await findingsWith('3')).toEqual([['info', 'slower', 4]]);
  });

  test('is validated once, however many units contain it', async () => {
    const { findings } = await planOf('.', {
      'budget.yaml': BUDGET.replace('minAvailable: 4', 'minAvailable: "4"'),
      'a/web.yaml': WEB,
      'a/kustomization.yaml': KUSTOMIZATION,
      'b/web.yaml': WEB,
      'b/kustomization.yaml': KUSTOMIZATION,
    });
    expect(codesOf({ findings })).toEqual(['kubernetes/quoted-integer']);
  });
});

describe('KServe in several units', () => {
  const SERVICE =
    'apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\nmetadata: {name: iris}\n' +
    'spec: {predictor: {model: {modelFormat: {name: sklearn}, storageUri: "s3://m"}}}\n';
  const CONFIG =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: inferenceservice-config, namespace: kserve}\n' +
    'data: {deploy: \'{"defaultDeploymentMode": "Standard"}\'}\n';
  const files = {
    'a/isvc.yaml': SERVICE,
    'b/isvc.yaml': SERVICE,
    'c/isvc.yaml': SERVICE,
    'c/kustomization.yaml': 'resources: [isvc.yaml]\n',
  };
  const assumed = ({ findings }: PlanDocument) => findings.map(({ code, severity, data }) => [code, severity, data.services]);

  test('is assumed to have its default configuration, with one warning per run', async () => {
    expect(assumed(await planOf('.', files))).toEqual([['kserve/no-platform-config', 'warning', 3]]);
    expect(assumed(await planOf('.', { ...files, 'b/config.yaml': CONFIG }))).toEqual([['kserve/no-platform-config', 'warning', 2]]);
    expect(assumed(await planOf('.', { ...files, 'config.yaml': CONFIG }))).toEqual([]);
  });

  test('is not read from a template that Helm must render', async () => {
    const part = CONFIG.replace('"Standard"', '"{{ .Values.mode }}"');
    expect(assumed(await planOf('.', { ...files, 'parts/config.yaml': part }))).toEqual([['kserve/no-platform-config', 'warning', 3]]);
  });
});

describe('a unit above the PATH', () => {
  const FILES = { 'a/.git/config': '', 'a/Chart.yaml': 'name: a\n', 'a/sub/web.yaml': WEB, 'a/sub/budget.yaml': BUDGET };

  test('contains the files of its folder that are given by name', async () => {
    const { rollouts } = await planOf('a/sub/web.yaml a/sub/budget.yaml', FILES);
    expect(codesOf(rollouts[0]!)).toContain('kubernetes/pdb-blocks-eviction');
  });
});

describe('a kustomize patch is not a rollout', () => {
  const PATCH = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}\n';

  async function planned(files: Readonly<Record<string, string>>): Promise<number> {
    return (await planOf('.', files)).summary.rollouts;
  }

  test.each([
    ['patches', 'patches: [{path: more.yaml}]\n'],
    ['patchesStrategicMerge', 'patchesStrategicMerge: [more.yaml]\n'],
    ['patchesJson6902', 'patchesJson6902: [{path: more.yaml}]\n'],
  ])('if a kustomization names it in %s', async (_, kustomization) => {
    expect(await planned({ 'kustomization.yaml': kustomization, 'more.yaml': PATCH })).toBe(0);
  });

  test('if a kustomization of another folder names it', async () => {
    expect(await planned({ 'a/Kustomization': 'patches: [{path: ../b/more.yaml}]\n', 'b/more.yaml': WEB })).toBe(0);
  });

  test('if it contains a directive next to a kustomization, since kubectl does not know the directive', async () => {
    const directive = { 'more.yaml': PATCH.replace('replicas: 2', '$patch: replace') };
    expect(await planned({ ...directive, 'kustomization.yaml': 'resources: [web.yaml]\n' })).toBe(0);
    expect(await planned(directive)).toBe(1);
  });

  test('if it lacks a selector or containers and a kustomization around it includes resources from elsewhere', async () => {
    const files = { 'a/b/more.yaml': PATCH, 'a/b/web.yaml': WEB };
    expect(await planned({ ...files, 'a/kustomization.yaml': 'resources: [../base]\n' })).toBe(1);
    expect(await planned({ ...files, 'a/kustomization.yaml': 'components: [logging]\n' })).toBe(1);
    expect(await planned({ ...files, 'a/kustomization.yaml': 'resources: [web.yaml]\n' })).toBe(2);
    expect(await planned({ ...files, 'c/kustomization.yaml': 'resources: [../base]\n' })).toBe(2);
  });
});
