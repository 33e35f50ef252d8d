/** A shop that prints at each synth what applying it would do to the running pods. */
import { App, Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { DeploymentPolicy, RolloutPlan } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });
const ready = kplus.Probe.fromHttpGet('/ready', { port: 8080 });

new kplus.Deployment(chart, 'web', { replicas: 4, containers: [{ image: 'shop/web:2', portNumber: 8080, readiness: ready }] });
new kplus.Deployment(chart, 'search', { replicas: 8, containers: [{ image: 'shop/search:7', portNumber: 8080, readiness: ready }] });
DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 }).applyToAll(chart);

// The last applied state: a folder, live objects from `kubectl get -o yaml`, or a revision such as 'git:HEAD:dist'.
const applied = 'examples/plan-at-synth/applied';
RolloutPlan.of(app).from(applied).print();

app.synth();
