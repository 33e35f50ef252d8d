/* oxlint-disable no-new -- A resource of Pulumi registers itself. */
// Runs programs of our components with Pulumi's engine, its Kubernetes provider and a real API server, and compares the registered objects
// with the plan of the preview. Usage: KUBECONFIG=… node run.mjs
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const require = createRequire(import.meta.url);

/** Returns what is missing on this machine, each with the way to get it. */
function listMissing() {
  const succeeds = (program, args) => {
    try {
      execFileSync(program, args, { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  const plugins = succeeds('pulumi', ['version']) ? execFileSync('pulumi', ['plugin', 'ls'], { encoding: 'utf8' }) : '';
  // The engine also runs a provider that is in PATH, which `plugin ls` does not list.
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const hasProvider =
    /^kubernetes\s+resource/m.test(plugins) || folders.some((each) => existsSync(path.join(each, 'pulumi-resource-kubernetes')));
  const kubeconfig = process.env.KUBECONFIG ?? '';
  return [
    ...(succeeds('pulumi', ['version'])
      ? []
      : ['the command pulumi: go install github.com/pulumi/pulumi/pkg/v3/cmd/pulumi@v3.274.1, with $(go env GOPATH)/bin in PATH']),
    ...(hasProvider
      ? []
      : ['the provider: build provider/cmd/pulumi-resource-kubernetes of github.com/pulumi/pulumi-kubernetes, and put the program into PATH']),
    ...(existsSync(kubeconfig) ? [] : ['an API server: start the one of oracle/cluster (TestServe) and set KUBECONFIG to its file']),
    ...(existsSync(new URL('../../lib/pulumi/index.js', import.meta.url)) ? [] : ['the build of this project: npm run build']),
  ];
}

const missing = listMissing();
if (missing.length > 0) {
  console.error(`Nothing was run. Missing:\n${missing.map((each) => `- ${each}`).join('\n')}`);
  process.exit(2);
}

const { LocalWorkspace } = require('@pulumi/pulumi/automation');
const k8s = require('@pulumi/kubernetes');
const pulumi = require('@pulumi/pulumi');
const { changePreview, DeploymentPolicy, KServePlatformConfig } = require('../../lib/pulumi/index.js');

/** Metadata of an object that the server can delete without a garbage collector, which `oracle/cluster` lacks. */
const metadataOf = (name) => ({ name, namespace: 'default', annotations: { 'pulumi.com/deletionPropagationPolicy': 'background' } });

const labelled = (app, container) => ({
  selector: { matchLabels: { app } },
  template: { metadata: { labels: { app } }, spec: { containers: [{ name: app, ...container }] } },
});

/** What KServe's installation has, in a stack of its own. */
async function installation() {
  // `oracle/cluster` has no controller that finishes the deletion of a namespace.
  const namespace = new k8s.core.v1.Namespace('kserve', { metadata: { name: 'kserve' } }, { retainOnDelete: true });
  const data = { deploy: '{"defaultDeploymentMode":"Standard"}', storageInitializer: '{}' };
  const metadata = { ...metadataOf('inferenceservice-config'), namespace: 'kserve' };
  new k8s.core.v1.ConfigMap('config', { metadata, data }, { dependsOn: namespace, ignoreChanges: ['data'] });
}

/** Returns a program with a Deployment, a partitioned StatefulSet, a workload of a transform, and KServe's platform level. */
function programOf({ image, secret, limit }) {
  return async () => {
    pulumi.runtime.registerResourceTransform(changePreview());
    const env = secret ? [{ name: 'TOKEN', value: pulumi.secret('hunter-two') }] : [];
    const spec = { replicas: 4, ...labelled('web', { image, env, readinessProbe: { tcpSocket: { port: 80 } } }) };
    const policy = new DeploymentPolicy('shop', {
      stateless: { update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 },
      workloads: [{ metadata: metadataOf('web'), spec }],
    });
    new DeploymentPolicy('data', {
      stateful: { update: 'RollingUpdate', partition: 2, replicas: 3 },
      workloads: [{ metadata: metadataOf('db'), spec: { serviceName: 'db', ...labelled('db', { image }) } }],
    });
    const plain = { replicas: 2, ...labelled('plain', { image, env }) };
    const transform = DeploymentPolicy.transform({ stateless: { update: 'RollingUpdate', maxSurge: 2, maxUnavailable: 0 } });
    new k8s.apps.v1.Deployment('plain', { metadata: metadataOf('plain'), spec: plain }, { transforms: [transform] });
    new KServePlatformConfig('platform', {
      emit: 'patch',
      defaultRollout: { mode: 'Availability', maxSurge: limit, maxUnavailable: '25%' },
    });
    return { plan: policy.plan, registered: pulumi.output(policy.workloads[0].spec) };
  };
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'rolloutkit-pulumi-'));
const envVars = {
  PULUMI_BACKEND_URL: `file://${folder}`,
  PULUMI_CONFIG_PASSPHRASE: '',
  PULUMI_SKIP_UPDATE_CHECK: 'true',
  // A CLI that was built as a Go module has no version.
  PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: 'true',
  KUBECONFIG: process.env.KUBECONFIG,
};
Object.assign(process.env, envVars);
const stackOf = (projectName, program) => LocalWorkspace.createOrSelectStack({ stackName: 'dev', projectName, program }, { envVars });

let differences = 0;
function expect(isTrue, text) {
  if (!isTrue) differences++;
  console.log(`  ${isTrue ? 'yes' : 'NO'}  ${text}`);
}

const installed = await stackOf('kserve', installation);
await installed.up();

const STEPS = [
  ['created', { image: 'web:1', limit: '25%' }],
  ['the first update, with a secret', { image: 'web:2', secret: true, limit: '30%' }],
  ['the second update', { image: 'web:3', secret: true, limit: '30%' }],
];
const stack = await stackOf('shop', programOf(STEPS[0][1]));
for (const [name, args] of STEPS) {
  console.log(name);
  stack.workspace.program = programOf(args);
  let shown = '';
  await stack.preview({ color: 'never', onOutput: (text) => (shown += text) });
  const start = Date.now();
  const { outputs, summary } = await stack.up();
  const [planned, registered] = [outputs.plan.value.rollouts[0].strategy, outputs.registered.value.strategy];
  expect(summary.result === 'succeeded', `up succeeds, after ${Math.round((Date.now() - start) / 1000)} s`);
  expect(!readFileSync(path.join(folder, '.pulumi/stacks/shop/dev.json'), 'utf8').includes('hunter-two'), 'the state has no secret in plain text');
  expect(JSON.stringify(planned) === JSON.stringify(registered), 'the strategy is that of the plan');
  expect(!/refused|conflict/.test(shown), 'the preview refuses nothing');
  expect(!shown.includes('hunter-two'), 'the preview shows no secret');
  expect(args.image === 'web:1' || /roll\s+Deployment default\/web/.test(shown), 'the preview says which pods roll');
}
const { deployment } = await stack.exportStack();
const { spec } = deployment.resources.find(({ urn }) => urn.endsWith('::plain')).inputs;
expect(spec.strategy?.rollingUpdate?.maxSurge === 2, 'a transform leaves the spec plain, next to its secret');
const { summary } = await stack.destroy();
expect(summary.result === 'succeeded', 'destroy succeeds');
const { changeSummary } = await installed.preview({ refresh: true });
expect(!changeSummary.create && !changeSummary.delete && !changeSummary.replace, 'the ConfigMap of KServe is still there');
await installed.destroy();
console.log(`${differences} differences`);
process.exit(differences === 0 ? 0 : 1);
