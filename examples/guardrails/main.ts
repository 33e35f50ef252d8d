/**
 * Guardrails of a platform team: checked for the entire app at synth, and enforced by the cluster with the same messages.
 */
import { App, Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { DeploymentPolicy, RolloutGuardrails } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'guardrails', { disableResourceNameHashes: true });

new RolloutGuardrails(chart, 'rollout-guardrails', {
  neverBelow: { available: '75%' },
  atMost: { extraPods: '25%', extraGpus: 1 },
  requireReadinessProbe: true,
  exceptions: [{ namespaces: ['batch'], reason: 'jobs only' }],
  enforce: 'ValidatingAdmissionPolicy',
  namespace: 'platform',
});

const shop = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });
const web = new kplus.Deployment(shop, 'web', {
  replicas: 4,
  containers: [{ image: 'web:2', portNumber: 8080, readiness: kplus.Probe.fromHttpGet('/ready') }],
});
DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 }).applyTo(web);

app.synth();
