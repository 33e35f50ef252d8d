/**
 * Deployment policies from gopaddle's guide: the three scenarios of a stateless service, and a stateful one.
 *
 * A policy can be applied to a cdk8s-plus workload, to a plain object, or to every workload with a label.
 */
import { ApiObject, App, Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { DeploymentPolicy } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });

const ready = kplus.Probe.fromHttpGet('/ready', { port: 8080 });

// Scenario 1: one extra pod at a time, always at least 4 available. Four iterations.
const web = new kplus.Deployment(chart, 'web', {
  replicas: 4,
  containers: [{ image: 'shop/web:2', portNumber: 8080, readiness: ready }],
});
DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0, revisionHistory: 5 }).applyTo(web);

// Scenario 2: two extra and two unavailable at a time. The guide counts one iteration: all new pods are created at once.
const search = new kplus.Deployment(chart, 'search', {
  replicas: 4,
  containers: [{ image: 'shop/search:7', portNumber: 8080, readiness: ready }],
});
DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 2, maxUnavailable: 2 }).applyTo(search);

// Scenario 3: at most 4 pods, two of them unavailable at a time. Two iterations. The workload is a plain object.
const mail = new ApiObject(chart, 'mail', {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'mail' },
  spec: {
    replicas: 4,
    selector: { matchLabels: { app: 'mail' } },
    template: {
      metadata: { labels: { app: 'mail' } },
      spec: { containers: [{ name: 'mail', image: 'shop/mail:3', readinessProbe: { tcpSocket: { port: 25 } } }] },
    },
  },
});
DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 0, maxUnavailable: 2 }).applyTo(mail);

// Two versions of the nightly worker must not run side by side.
const nightly = new kplus.Deployment(chart, 'nightly', {
  replicas: 1,
  containers: [{ image: 'shop/nightly:4', portNumber: 8080, readiness: ready }],
});
DeploymentPolicy.stateless({ update: 'Recreate' }).applyTo(nightly);

// Every database: five replicas. Ordinals 4, 3 and 2 get the new version, 1 and 0 keep the old one.
for (const name of ['orders', 'customers']) {
  new kplus.StatefulSet(chart, name, {
    metadata: { labels: { tier: 'db' } },
    containers: [{ image: 'postgres:17', portNumber: 5432, readiness: kplus.Probe.fromTcpSocket({ port: 5432 }) }],
  });
}
DeploymentPolicy.stateful({ update: 'RollingUpdate', partition: 2, replicas: 5 }).applyToAll(chart, { matchLabels: { tier: 'db' } });

app.synth();
