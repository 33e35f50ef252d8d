// Runs programs of our components with Pulumi's engine, its Kubernetes provider and a real API server, and compares the registered objects
// with the plan of the preview. Usage: KUBECONFIG=… node run.mjs
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
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
  const kubeconfig = process.env.KUBECONFIG ?? '';
  return [
    ...(succeeds('pulumi', ['version'])
      ? []
      : ['the command pulumi: go install github.com/pulumi/pulumi/pkg/v3/cmd/pulumi@v3.274.1, with $(go env GOPATH)/bin in PATH']),
    ...(/^kubernetes\s+resource/m.test(plugins)
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
const pulumi = require('@pulumi/pulumi');
const { DeploymentPolicy } = require('../../lib/pulumi/index.js');

/** Returns a program with one Deployment of an image. */
function programOf(image) {
  return async () => {
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } };
    const spec = { replicas: 4, selector: { matchLabels: { app: 'web' } }, template };
    const policy = new DeploymentPolicy('shop', {
      stateless: { update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 },
      workloads: [{ metadata: { name: 'web', namespace: 'default', annotations: { 'pulumi.com/skipAwait': 'true' } }, spec }],
    });
    return { plan: policy.plan, registered: pulumi.output(policy.workloads[0].spec) };
  };
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'rolloutkit-pulumi-'));
const envVars = { PULUMI_BACKEND_URL: `file://${folder}`, PULUMI_CONFIG_PASSPHRASE: '', KUBECONFIG: process.env.KUBECONFIG };
const stack = await LocalWorkspace.createOrSelectStack({ stackName: 'dev', projectName: 'shop', program: programOf('web:1') }, { envVars });
let differences = 0;
for (const image of ['web:1', 'web:2']) {
  stack.workspace.program = programOf(image);
  await stack.preview();
  const { outputs, summary } = await stack.up();
  const { strategy } = outputs.plan.value.rollouts[0];
  const registered = outputs.registered.value.strategy;
  const isSame = JSON.stringify(strategy) === JSON.stringify(registered);
  if (!isSame) differences++;
  console.log(`${image}: ${summary.result}, the strategy ${isSame ? 'is that of the plan' : 'differs from the plan'}`);
}
await stack.destroy();
console.log(`${differences} differences`);
process.exit(differences === 0 ? 0 : 1);
