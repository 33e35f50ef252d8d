import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { planManifests } from 'rolloutkit/plan';

import { linear, underMilliseconds } from './figure';
import type { Figure } from './figure';

const PARTITIONS = 8;
const CLUSTERS = 1_000_000;
const MEBIBYTE = 2 ** 20;

/** An inventory as `--clusters` reads it from JSON, in numeric and so not bytewise order of names. */
function inventory(clusters: number): unknown {
  const entries = Array.from({ length: clusters }, (_, index) => ({
    name: `cluster-${index}`,
    labels: { env: `env-${index % PARTITIONS}`, region: `region-${index % 5}` },
  }));
  return JSON.parse(JSON.stringify({ clusters: entries }));
}

/** A Bundle with one partition for each env, by label equality. */
function bundle(): object {
  const partitions = Array.from({ length: PARTITIONS }, (_, index) => ({
    name: `env-${index}`,
    clusterSelector: { matchLabels: { env: `env-${index}` } },
  }));
  return {
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'Bundle',
    metadata: { name: 'shop' },
    spec: { targets: [{ clusterSelector: {} }], rolloutStrategy: { maxUnavailable: '10%', partitions } },
  };
}

interface MillionClusters {
  readonly milliseconds: number;
  readonly peakMebibytes: number;
}

/** The plan of a million clusters, the inventory itself in the memory too. */
function planMillionClusters(): MillionClusters {
  const clusters = inventory(CLUSTERS);
  const start = performance.now();
  planManifests([bundle()], { clusters: [clusters] });
  return { milliseconds: performance.now() - start, peakMebibytes: (process.resourceUsage().maxRSS * 1024) / MEBIBYTE };
}

/** In a process of its own, so that its memory is its own: the first plan that it makes, no warm-up. */
function inFreshProcess(): MillionClusters {
  const { stdout, stderr, status } = spawnSync(process.execPath, [path.resolve(__dirname, 'fleet.js'), 'million'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as MillionClusters;
}

function planOf(clusters: number): () => unknown {
  const options = { clusters: [inventory(clusters)] };
  return () => planManifests([bundle()], options);
}

/** Plans of one Bundle for many clusters in eight partitions. */
export function fleetFigures(): Figure[] {
  const { milliseconds, peakMebibytes } = inFreshProcess();
  return [
    underMilliseconds(`plan of a Bundle for ${CLUSTERS.toLocaleString('en')} clusters in ${PARTITIONS} partitions`, 2_000, milliseconds),
    {
      name: 'memory of that process at its peak',
      measured: `${peakMebibytes.toFixed(0)} MiB`,
      promised: 'at most 1024 MiB',
      holds: peakMebibytes <= 1_024,
    },
    linear('plan of a Bundle by clusters', planOf),
  ];
}

if (process.argv[2] === 'million') console.log(JSON.stringify(planMillionClusters()));
