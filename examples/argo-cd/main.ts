/**
 * An ApplicationSet of Argo CD whose Applications sync in steps: development, then tests, then half of production at a time.
 */
import { App, Chart } from 'cdk8s';
import { ApplicationSetRollout, Inventory } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'shop', { namespace: 'argocd' });

new ApplicationSetRollout(chart, 'shop', {
  // The clusters with this label; without a selector, the cluster that Argo CD itself runs on would be one of them.
  generators: [{ clusters: { selector: { matchExpressions: [{ key: 'env', operator: 'Exists' }] } } }],
  template: {
    metadata: { name: 'shop-{{name}}', labels: { env: '{{metadata.labels.env}}' } },
    spec: {
      project: 'default',
      source: { repoURL: 'https://example.com/shop.git', path: 'app' },
      destination: { server: '{{server}}', namespace: 'shop' },
    },
  },
  steps: [{ match: { env: 'dev' } }, { match: { env: 'test' } }, { match: { env: 'prod' }, maxUpdate: '50%' }],
  inventory: Inventory.fromFile('examples/argo-cd/clusters.json'),
});

app.synth();
