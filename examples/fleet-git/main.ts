/** A bundle for Git: a fleet.yaml next to its manifests in a folder to commit, and the GitRepo that reads it. Small sites come first. */
import path from 'node:path';
import { App, Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { FleetBundle, Inventory } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'fleet', { namespace: 'fleet-default' });

const manifests = new Chart(new App(), 'shop');
new kplus.Deployment(manifests, 'web', {
  metadata: { name: 'web' },
  replicas: 2,
  containers: [{ image: 'registry.example.com/shop/web:2', readiness: kplus.Probe.fromHttpGet('/ready', { port: 8080 }) }],
});

const shop = new FleetBundle(chart, 'shop', {
  output: 'fleet.yaml',
  resources: manifests,
  targets: [{ clusterSelector: { matchLabels: { shop: 'true' } } }],
  targetCustomizations: [{ name: 'large', clusterGroup: 'large-sites', helm: { values: { replicas: 6 } } }],
  gitRepo: { repo: 'https://git.example.com/shop', branch: 'main', paths: ['shop'] },
  rollout: {
    maxUnavailable: 1,
    partitions: [
      { name: 'small', group: { name: 'small-sites', selector: { matchLabels: { size: 'small' } } } },
      { name: 'large', maxUnavailable: 1, group: { name: 'large-sites', selector: { matchLabels: { size: 'large' } } } },
    ],
    catchAll: false,
  },
  inventory: Inventory.fromFile('examples/fleet-git/clusters.yaml'),
});

shop.writeTo(path.join(app.outdir, 'shop'));
app.synth();
