/**
 * The scenarios of Fleet's rollout guide, changed so that the controller does what the guide describes.
 *
 * As written in the guide, the strict one never updates any cluster, and the one against image pull storms never pauses.
 */
import { App, Chart } from 'cdk8s';
import { automaticPartitions, canary, FleetBundle, Inventory, partitionsByLabel } from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'fleet', { namespace: 'fleet-default' });

const manifests = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'greeting' }, data: { text: 'hello' } }];

// 200 clusters. For a real manager: kubectl get clusters.fleet.cattle.io,clustergroups.fleet.cattle.io -A -o yaml > clusters.yaml
const inventory = Inventory.fromFile('examples/fleet-guide/clusters.json');

const common = { resources: manifests, targets: [{ clusterSelector: {} }], inventory };

// "200 Clusters (Strict Readiness, Manual partitions)": every cluster of a partition is ready before the next partition begins.
new FleetBundle(chart, 'strict-readiness', {
  ...common,
  rollout: { fullReadiness: true, maxUnavailable: '10%', partitions: partitionsByLabel('stage', ['demoRollout', 'stable']) },
});

// "Preventing image pull storms": at most 40 clusters pull at once, in an install and in an update.
new FleetBundle(chart, 'image-pulls', { ...common, rollout: { maxConcurrentPulls: 40 } });

// "200 Clusters (Multiple Partitions)": ten partitions of 20, which pause because maxUnavailable is set.
new FleetBundle(chart, 'ten-partitions', {
  ...common,
  rollout: { maxUnavailable: '10%', maxUnavailablePartitions: 1, partitions: automaticPartitions({ size: '10%' }) },
});

// Not in the guide: one cluster first, then the others once it is ready.
new FleetBundle(chart, 'canary', {
  ...common,
  rollout: { maxUnavailable: '10%', partitions: canary({ clusters: 1, then: partitionsByLabel('stage', ['demoRollout', 'stable']) }) },
});

app.synth();
