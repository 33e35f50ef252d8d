import type { PlanDocument } from '../../src/core/document/plan-document';
import { expectValidPlan } from '../plan-schema';
import { placesIn, withValueAt } from '../hostile-values';
import { rolloutkit } from './command-line';
import { WEB, withStrategy } from './manifests';

const RISKIER = withStrategy('{rollingUpdate: {maxSurge: 3, maxUnavailable: 5}}');

/** Returns the plan of some manifests as the command line prints it. */
async function planned(yaml: string): Promise<string> {
  return (await rolloutkit('plan web.yaml --format json', { files: { 'web.yaml': yaml } })).stdout;
}

describe('a plan document as OLD', () => {
  test('is compared by behaviour, and the plan reports that the effect on each object is not known', async () => {
    const files = { 'old.json': await planned(WEB), 'web.yaml': RISKIER };
    const { exitCode, stdout, stderr } = await rolloutkit('plan --from old.json web.yaml --format json', { files });
    const { change, behaviour, findings, rollouts } = expectValidPlan(JSON.parse(stdout) as PlanDocument);

    expect({ exitCode, stderr, change }).toEqual({ exitCode: 0, stderr: '', change: undefined });
    expect(findings.map(({ code, messageId, severity }) => [code, messageId, severity])).toEqual([
      ['change/incomplete-information', 'plan-document', 'info'],
    ]);
    expect(behaviour!.riskier).toBe(true);
    expect(behaviour!.changed.map(({ resource, field, old, new: next, risk }) => [resource.name, field, old, next, risk])).toEqual([
      ['web', 'maxUnavailable', 2, 5, 'neutral'],
      ['web', 'unavailable', 2, 5, 'neutral'],
      ['web', 'minAvailable', 8, 5, 'riskier'],
    ]);
    expect(rollouts).toHaveLength(1);
  });

  test.each(['text', 'markdown'])('is compared in %s', async (format) => {
    const files = { 'old.json': await planned(WEB), 'web.yaml': RISKIER };
    const { stdout } = await rolloutkit(`plan --from old.json web.yaml --format ${format}`, { files });

    expect(stdout).toMatchSnapshot();
  });

  test('may come on standard input', async () => {
    const { stdout } = await rolloutkit('plan --from - web.yaml --format json', {
      files: { 'web.yaml': RISKIER },
      stdin: await planned(WEB),
    });

    expect((JSON.parse(stdout) as PlanDocument).behaviour!.riskier).toBe(true);
  });

  test('has no differences if rollouts behave as before', async () => {
    const { stdout } = await rolloutkit('plan --from old.json web.yaml', { files: { 'old.json': await planned(WEB), 'web.yaml': WEB } });

    expect(stdout.split('\n')[0]).toBe('no rollout behaves differently');
  });
});

/** Returns a plan with another value at a path: `rollouts.0.findings`. */
async function damaged(path: string, value: unknown): Promise<string> {
  const plan = JSON.parse(await planned(WEB)) as Record<string, unknown>;
  const fields = path.split('.');
  const parent = fields.slice(0, -1).reduce((found, field) => found[field] as Record<string, unknown>, plan);
  parent[fields.at(-1)!] = value;
  return JSON.stringify(plan);
}

describe('an invalid comparison is refused with a message that says what to write', () => {
  test.each([
    ['plan --from web.yaml plan.json', 'plan.json is a plan document, but only manifests can be applied'],
    ['plan --from plan.json plan.json', 'plan.json is a plan document, but only manifests can be applied'],
    ['diff web.yaml plan.json', 'plan.json is a plan document, but OLD is not'],
    ['plan --from plan.json --from web.yaml web.yaml', 'plan.json is a plan document, but other paths are given as well'],
    ['plan --from web.yaml --from plan.json web.yaml', 'plan.json is a plan document, but other paths are given as well'],
    ['plan --from later.json web.yaml', 'later.json is a plan document of format "2.0", and this rolloutkit reads 1.2'],
    [
      'plan --from torn.json web.yaml',
      'torn.json is not a plan document as plan --format json prints it: rollouts[0].resource has no name',
    ],
    ['plan --from mistyped.json web.yaml', 'rollouts[0].findings is 1, which is not a list'],
    ['diff listed.json web.yaml', 'rollouts[0] is null, which is not a map'],
    [
      'diff plan.json deep.json',
      'deep.json is not a plan document as plan --format json prints it: it contains itself, or is nested more than 2000 levels deep',
    ],
    ['diff bare.json plan.json', 'bare.json is not a plan document as plan --format json prints it: it has no notPlanned'],
    [
      'diff plan.json kindless.json',
      'kindless.json is not a plan document as plan --format json prints it: notPlanned[0] has no apiVersion',
    ],
    [
      'plan --from invalid.json web.yaml',
      'invalid.json is not a plan document as plan --format json prints it: findings[0] has no message',
    ],
    [
      'diff plan.json version.json',
      'assumedVersions.kubernetes is "1.36\\n::error::x", and its pattern is "^[0-9]+\\\\.[0-9]+(\\\\.[0-9]+)?$"',
    ],
  ])('rolloutkit %s', async (command, reason) => {
    const files = {
      'web.yaml': WEB,
      'plan.json': await planned(WEB),
      'later.json': JSON.stringify({ formatVersion: '2.0', rollouts: [] }),
      'torn.json': await damaged('rollouts.0.resource.name', undefined),
      'mistyped.json': await damaged('rollouts.0.findings', 1),
      'listed.json': await damaged('rollouts.0', null),
      'deep.json': `{"formatVersion": "1.2", "rollouts": [], "findings": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      'version.json': await damaged('assumedVersions.kubernetes', '1.36\n::error::x'),
      'bare.json': await damaged('notPlanned', undefined),
      'kindless.json': await damaged('notPlanned', [{}]),
      'invalid.json': await damaged('findings', [{ code: 'input/a', severity: 'error', messageId: 'a', data: {}, path: '' }]),
    };
    const { exitCode, stdout, stderr } = await rolloutkit(command, { files });

    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(reason);
  });
});

describe('a damaged plan document is an error that names its file and the first wrong field', () => {
  /** A map that JavaScript cannot convert to text. */
  const MAP = { toString: 1 };
  const CREATED = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  const STATEFULSET = { kind: 'statefulset', replicas: 1, partition: 0, maxUnavailable: 1, order: [0], batches: [[0]], untouched: [] };

  test.each<readonly [command: string, path: string, value: unknown, reason: string]>([
    ['diff p.json web.yaml', 'services', {}, 'services is {}, which is not a list'],
    ['check --from p.json web.yaml', 'services', [{ resource: [] }], 'services[0] has no selects'],
    ['diff p.json web.yaml', 'rollouts.0.provenance.0.overridden', 1, 'rollouts[0].provenance[0].overridden is 1, which is not a list'],
    ['verify p.json', 'change', {}, 'change has no objects'],
    ['verify p.json', 'change', { objects: [null] }, 'change.objects[0] is null, which is not a map'],
    ['verify p.json', 'cluster', { context: MAP }, 'cluster.context is a map, which is not a string'],
    ['verify p.json', 'versions.kubernetes', [], 'versions.kubernetes is [], which is not a string'],
    ['verify p.json', 'rollouts.0.creates', [{ ...CREATED, kind: MAP }], 'rollouts[0].creates[0].kind is a map, which is not a string'],
    [
      'verify p.json',
      'rollouts.0.creates',
      [{ ...CREATED, namespace: MAP }],
      'rollouts[0].creates[0].namespace is a map, which is not a string',
    ],
    [
      'verify p.json',
      'rollouts.0.duration',
      { startupSeconds: 1, lowerBoundSeconds: 1, expectedSeconds: MAP, abortSeconds: null, blastRadius: null },
      'rollouts[0].duration.expectedSeconds is a map, which is not a number or null',
    ],
    ['verify p.json', 'rollouts.0.simulation.replicas', -1, 'rollouts[0].simulation.replicas is -1, and its minimum is 0'],
    [
      'verify p.json',
      'rollouts.0.simulation.minAvailable',
      MAP,
      'rollouts[0].simulation.minAvailable is a map, which is not a whole number',
    ],
    ['verify p.json', 'rollouts.0.simulation.waves', 'x', 'rollouts[0].simulation.waves is "x", which is not a list'],
    ['verify p.json', 'rollouts.0.simulation.waves', undefined, 'rollouts[0].simulation has no waves'],
    [
      'verify p.json',
      'rollouts.0.simulation.waves.0.newReplicas',
      MAP,
      'rollouts[0].simulation.waves[0].newReplicas is a map, which is not a whole number',
    ],
    [
      'verify p.json',
      'rollouts.0.simulation',
      { ...STATEFULSET, minAvailable: 0, batches: [null] },
      'rollouts[0].simulation.batches[0] is null, which is not a list',
    ],
    ['verify p.json', 'rollouts.0.simulation', STATEFULSET, 'rollouts[0].simulation has no minAvailable'],
    [
      'verify p.json',
      'rollouts.0.simulation',
      { ...STATEFULSET, minAvailable: 0, maxUnavailable: 0 },
      'rollouts[0].simulation.maxUnavailable is 0, and its minimum is 1',
    ],
  ])('rolloutkit %s: %s', async (command, path, value, reason) => {
    const files = { 'web.yaml': WEB, 'p.json': await damaged(path, value) };
    expect(await rolloutkit(command, { files })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `rolloutkit: p.json is not a plan document as plan --format json prints it: ${reason}\n`,
    });
  });

  test.each(['verify --events ev.json p.json', 'diff p.json web.yaml', 'plan --from p.json web.yaml'])(
    'rolloutkit %s fails with an error that names the field, or reads it, if it is a map in place of any value',
    async (command) => {
      const plan = JSON.parse(await planned(WEB)) as object;
      const damagedPlans = placesIn(plan)
        .slice(1)
        .map((place) => JSON.stringify(withValueAt(plan, place, MAP)));
      const files = { 'web.yaml': WEB, 'ev.json': '' };
      const results = await Promise.all(
        damagedPlans.map((damagedPlan) => rolloutkit(command, { files: { ...files, 'p.json': damagedPlan } })),
      );

      expect(results.length).toBeGreaterThan(50);
      expect(results.map(({ stderr }) => stderr).filter((stderr) => stderr !== '' && !stderr.includes('p.json is'))).toEqual([]);
    },
  );

  test.each(['later', 'rollouts.0.simulation.later'])(
    'but not one with a field that only another build of its format writes: %s',
    async (path) => {
      const files = { 'web.yaml': WEB, 'p.json': await damaged(path, [null]) };
      expect(await rolloutkit('diff p.json web.yaml', { files })).toMatchObject({ exitCode: 0 });
    },
  );
});

test('a plan document in a folder is a file like any other', async () => {
  const files = { 'old/plan.json': await planned(WEB), 'old/web.yaml': WEB, 'web.yaml': RISKIER };
  const { stdout } = await rolloutkit('plan --from old web.yaml --format json', { files });
  const { change, findings } = JSON.parse(stdout) as PlanDocument;

  expect(change!.objects.map(({ effect }) => effect)).toEqual(['settings']);
  expect(findings.map(({ messageId }) => messageId)).toEqual([]);
});
