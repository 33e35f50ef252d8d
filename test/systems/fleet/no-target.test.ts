import { planInput } from '../../../src/plan/plan';
import { planManifests } from '../../../src/headless';
import type { PlanOptions } from '../../../src/headless';
import { readFiles } from '../../../src/input/read';
import { PLAN_READING } from '../../../src/plan/registry';
import { renderPlanText } from '../../../src/render/text/plan';
import { factsOf } from '../../facts';
import { bundle, clusters, inventory, lines, rolloutOf } from './plan';

const FLEET = [...clusters(2, 'prod', { env: 'prod' }), ...clusters(1, 'staging', { env: 'staging' })];
const QA = [{ clusterSelector: { matchLabels: { env: 'qa' } } }];

function helmOp(spec: object = {}): object {
  return {
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'HelmOp',
    metadata: { name: 'chart' },
    spec: { helm: { chart: 'nginx' }, ...spec },
  };
}

function planFiles(files: Record<string, string>, options: PlanOptions = inventory(FLEET)) {
  const given = Object.entries(files).map(([file, content]) => ({ file, content }));
  const { objects, findings, locations, files: names } = readFiles(given, PLAN_READING);
  return planInput({ objects, findings, locate: locations.locate, files: names }, options);
}

const GIT_REPO = 'apiVersion: fleet.cattle.io/v1alpha1\nkind: GitRepo\nmetadata:\n  name: repo\nspec:\n  repo: https://example.com/repo\n';

describe('fleet/no-target', () => {
  test('reports a Bundle without targets as an error, with or without an inventory', () => {
    expect(factsOf(rolloutOf(bundle({}, { targets: undefined }, { name: 'shop', namespace: 'fleet-default' })).findings)).toEqual([
      { code: 'fleet/no-target', severity: 'error', messageId: 'noTargets', path: 'spec.targets', data: { namespace: 'fleet-default' } },
    ]);
    expect(lines(bundle({}, { targets: [] }), inventory(FLEET))).toEqual(['error fleet/no-target spec.targets']);
    expect(planManifests([bundle({}, { targets: [] })]).findings).toEqual([]);
  });

  test('reports targets that match no cluster as a warning', () => {
    expect(factsOf(rolloutOf(bundle({}, { targets: QA }), inventory(FLEET)).findings)).toEqual([
      {
        code: 'fleet/no-target',
        severity: 'warning',
        messageId: 'noneMatches',
        path: 'spec.targets',
        data: { visible: 3, clusters: 3, groups: [] },
      },
    ]);
  });

  test('a Bundle sees only the clusters in its own namespace', () => {
    const elsewhere = FLEET.map((cluster) => ({ ...cluster, namespace: 'fleet-default' }));
    const local = bundle({}, {}, { name: 'shop', namespace: 'fleet-local' });
    expect(rolloutOf(local, inventory(elsewhere)).findings).toMatchObject([
      { messageId: 'noneMatches', data: { namespace: 'fleet-local', visible: 0, clusters: 3 } },
    ]);
  });

  test('is not reported if a target matches, including one with doNotDeploy, or if there are no clusters', () => {
    expect(lines(bundle({}), inventory(FLEET))).toEqual([]);
    expect(lines(bundle({}, { targets: [{ clusterSelector: {}, doNotDeploy: true }] }), inventory(FLEET))).toEqual([]);
    expect(lines(bundle({}, { targets: QA }))).toEqual([]);
    expect(lines(bundle({}, { targets: QA }), inventory([]))).toEqual([]);
  });

  test('a HelmOp without targets reaches the cluster group default', () => {
    const group = { name: 'default', selector: { matchLabels: { env: 'prod' } } };
    expect(rolloutOf(helmOp(), inventory(FLEET, [group]))).toMatchObject({
      simulation: { partitions: [{ clusters: ['prod-001', 'prod-002'] }] },
      findings: [],
    });
    expect(rolloutOf(helmOp(), inventory(FLEET, [{ ...group, name: 'prod' }])).findings).toMatchObject([
      { code: 'fleet/no-target', severity: 'warning', messageId: 'noneMatches', data: { group: 'default', groups: ['prod'] } },
    ]);
  });

  test('names only groups in the namespace', () => {
    const groups = [{ name: 'prod' }, { name: 'here', namespace: 'fleet-default' }, { name: 'there', namespace: 'fleet-local' }];
    const placed = bundle({}, { targets: QA }, { name: 'shop', namespace: 'fleet-default' });
    const elsewhere = FLEET.map((cluster) => ({ ...cluster, namespace: 'fleet-default' }));
    expect(rolloutOf(placed, inventory(elsewhere, groups)).findings).toMatchObject([{ data: { groups: ['here', 'prod'] } }]);
    expect(rolloutOf(bundle({}, { targets: QA }), inventory(FLEET, groups)).findings).toMatchObject([
      { data: { groups: ['here', 'prod', 'there'] } },
    ]);
  });

  test('is reported at the targets of the GitRepo', () => {
    const [rollout] = planFiles({
      'repo.yaml': `${GIT_REPO}  targets:\n    - clusterName: qa\n`,
      'shop/fleet.yaml': 'name: shop\n',
    }).rollouts;
    expect(rollout!.findings).toMatchObject([
      { code: 'fleet/no-target', severity: 'warning', path: 'spec.targets', source: { file: 'repo.yaml', line: 7 } },
    ]);
  });
});

describe('a fleet.yaml without a GitRepo', () => {
  const assumed = (files: Record<string, string>) =>
    planFiles(files)
      .rollouts[0]!.provenance.filter(({ layer }) => layer === 'assumed')
      .map(({ field, value }) => [field, value]);

  test('is planned for every cluster, and the plan marks this as assumed', () => {
    expect(assumed({ 'shop/fleet.yaml': 'name: shop\n' })).toEqual([['targets', 'every cluster in the inventory']]);
    expect(renderPlanText(planFiles({ 'shop/fleet.yaml': 'name: shop\n' }))).toContain('targets every cluster in the inventory (assumed)');
  });

  test('has no assumed targets with its GitRepo or with overrideTargets', () => {
    expect(assumed({ 'shop/fleet.yaml': 'name: shop\n', 'repo.yaml': `${GIT_REPO}  targets:\n    - clusterSelector: {}\n` })).toEqual([]);
    expect(assumed({ 'shop/fleet.yaml': 'overrideTargets:\n  - clusterName: prod-001\n' })).toEqual([]);
  });
});

describe('dependsOn', () => {
  const dependsOn = [{ name: 'database' }, { selector: { matchLabels: { tier: 'base' } }, acceptedStates: ['Ready', 'Modified'] }];

  test("is in the plan, with Fleet's default for the accepted states", () => {
    expect(rolloutOf(bundle({}, { dependsOn }), inventory(FLEET)).dependsOn).toEqual([
      { name: 'database', acceptedStates: ['Ready'] },
      { selector: { matchLabels: { tier: 'base' } }, acceptedStates: ['Ready', 'Modified'] },
    ]);
    expect(rolloutOf(bundle({}), inventory(FLEET))).not.toHaveProperty('dependsOn');
  });

  test('is in the text of the plan', () => {
    expect(renderPlanText(planManifests([bundle({}, { dependsOn })], inventory(FLEET)))).toContain(
      'waits on each cluster for bundle database (Ready) and bundles that {"matchLabels":{"tier":"base"}} selects (Ready or Modified)',
    );
  });
});
