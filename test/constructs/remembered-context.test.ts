import { mkdtempSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import { ValidationContext } from 'cdk8s-cli/plugins';
import {
  DeploymentPolicy,
  FleetBundle,
  InferenceServiceRollout,
  Inventory,
  KServePlatformConfig,
  Rollout,
  RolloutGuardrails,
  RolloutPlan,
} from 'rolloutkit';
import type { PlanDocument } from 'rolloutkit';
import { readKnowledgeFile } from '../../src/constructs/app-memory';
import { RolloutValidation } from '../../src/constructs/validation-plugin';
import { folderWith } from '../folder';

const platform = KServePlatformConfig.of({
  defaultDeploymentMode: 'Standard',
  defaultRollout: { mode: 'Availability', maxSurge: '25%', maxUnavailable: '25%' },
});
const model = { modelFormat: { name: 'sklearn' }, storageUri: 's3://models/iris' };
const inventory = Inventory.of({
  clusters: [
    { name: 'a', namespace: 'fleet-default', labels: { env: 'staging' } },
    { name: 'b', namespace: 'fleet-default', labels: { env: 'prod' } },
  ],
});

/** Creates an app with a service on a platform and a bundle over an inventory. */
function buildApp(outdir?: string): App {
  const app = new App({ outdir });
  const chart = new Chart(app, 'models', { namespace: 'models' });
  new InferenceServiceRollout(chart, 'iris', {
    platform,
    kserve: '0.18',
    predictor: { minReplicas: 4, model },
  });
  new InferenceServiceRollout(chart, 'own', {
    platform,
    kserve: '0.18',
    predictor: { minReplicas: 4, model, rollout: Rollout.resourceAware('25%') },
  });
  new FleetBundle(new Chart(app, 'fleet', { namespace: 'fleet-default' }), 'shop', {
    targets: [{ clusterSelector: {} }],
    rollout: { partitions: [{ name: 'staging', clusterSelector: { matchLabels: { env: 'staging' } } }] },
    inventory,
  });
  return app;
}

/** Returns what the plan knows about each rollout. */
function knowledgeIn({ rollouts, versions }: PlanDocument) {
  return {
    kserve: versions.kserve,
    rollouts: rollouts.map(({ resource, provenance, simulation, findings }) => ({
      name: resource.name,
      layers: [...new Set(provenance.map(({ layer }) => layer))],
      isSimulated: simulation !== null,
      codes: findings.map(({ code }) => code),
    })),
  };
}

test('the plan of an app knows what its constructs were given', () => {
  const app = buildApp();
  const { document } = RolloutPlan.of(app);

  expect(knowledgeIn(document)).toMatchInlineSnapshot(`
{
  "kserve": "0.18",
  "rollouts": [
    {
      "codes": [],
      "isSimulated": true,
      "layers": [
        "kserve-default",
        "platform-config",
      ],
      "name": "iris",
    },
    {
      "codes": [],
      "isSimulated": true,
      "layers": [
        "user",
      ],
      "name": "own",
    },
    {
      "codes": [
        "fleet/never-pauses",
      ],
      "isSimulated": true,
      "layers": [
        "fleet-default",
      ],
      "name": "shop",
    },
  ],
}
`);
  expect(
    RolloutPlan.of(app)
      .from([])
      .document.rollouts.map(({ provenance }) => provenance),
  ).toEqual(document.rollouts.map(({ provenance }) => provenance));
  expect(JSON.stringify(document)).not.toContain('not in view');
});

test('the versions of policies with a goal and of guardrails are known too', () => {
  const versionOf = (build: (chart: Chart) => unknown) => {
    const app = new App();
    build(new Chart(app, 'shop', { namespace: 'shop' }));
    return RolloutPlan.of(app).document.versions.kubernetes;
  };
  const pods = {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  };
  const applyGoal = (chart: Chart) =>
    DeploymentPolicy.stateless({ rollout: Rollout.goal({ available: 1 }), kubernetes: '1.33' }).applyTo(
      new ApiObject(chart, 'web', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: pods }),
    );

  expect(versionOf(applyGoal)).toBe('1.33');
  expect(versionOf((chart) => new RolloutGuardrails(chart, 'guard', { requireBudget: true, versions: { kubernetes: '1.34' } }))).toBe(
    '1.34',
  );
});

test('an option that the user gives wins', () => {
  expect(RolloutPlan.of(buildApp(), { versions: { kserve: '0.17' } }).document.versions.kserve).toBe('0.17');
});

test('a value is not an option if constructs were given different ones, for different clusters', () => {
  const app = buildApp();
  const chart = new Chart(app, 'other');
  new InferenceServiceRollout(chart, 'later', { kserve: '0.19', predictor: { minReplicas: 1, model } });

  expect(RolloutPlan.of(app).document.versions.kserve).toBe('0.17');
});

test('the validation plugin, which runs in another process, knows it too', async () => {
  const outdir = mkdtempSync(path.join(tmpdir(), 'rolloutkit-memory-'));
  // The cdk8s CLI sets the variable if there is a plugin.
  process.env.CDK8S_RECORD_CONSTRUCT_METADATA = 'true';
  try {
    buildApp(outdir).synth();
  } finally {
    delete process.env.CDK8S_RECORD_CONSTRUCT_METADATA;
  }
  const manifests = readdirSync(outdir)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => path.join(outdir, file));
  let printed = '';
  const context = new ValidationContext(manifests, 'rolloutkit', '0.1.0');
  await new RolloutValidation({ print: true, failOn: 'never' }).validate({
    manifests: context.manifests,
    report: context.report,
    logger: { log: (text) => void (printed += text) },
  });

  expect(printed).toContain('KServe 0.18');
  expect(printed).toContain('maxSurge 25% (platform-config)');
  expect(printed).toContain('update: 1 wave, up to 2 clusters');
});

test('what the plugin reads is written completely or not at all, and not through a link that a checkout contains', () => {
  const outdir = mkdtempSync(path.join(tmpdir(), 'rolloutkit-memory-'));
  const other = path.join(mkdtempSync(path.join(tmpdir(), 'rolloutkit-memory-')), 'other');
  writeFileSync(other, 'theirs');
  symlinkSync(other, path.join(outdir, '.rolloutkit'));
  process.env.CDK8S_RECORD_CONSTRUCT_METADATA = 'true';
  try {
    buildApp(outdir).synth();
  } finally {
    delete process.env.CDK8S_RECORD_CONSTRUCT_METADATA;
  }
  expect(readFileSync(other, 'utf8')).toBe('theirs');
  expect(JSON.parse(readFileSync(path.join(outdir, '.rolloutkit'), 'utf8'))).toHaveProperty('services');
  expect(readdirSync(outdir).filter((name) => name.startsWith('.'))).toEqual(['.rolloutkit']);
});

test('a synth without a plugin writes only manifests', () => {
  const outdir = mkdtempSync(path.join(tmpdir(), 'rolloutkit-memory-'));
  buildApp(outdir).synth();

  expect(readdirSync(outdir)).toEqual(['fleet.k8s.yaml', 'models.k8s.yaml']);
});

test.each(['null', '{}', '{"options":null}', '[', 'x'.repeat(10)])('a damaged file of an app is like none: %s', (text) => {
  const folder = folderWith({ 'dist/web.k8s.yaml': '', '.rolloutkit': text });
  expect(readKnowledgeFile([path.join(folder.path, 'dist/web.k8s.yaml')])).toEqual({ options: {}, services: [], goals: [], findings: [] });
  folder.remove();
});
