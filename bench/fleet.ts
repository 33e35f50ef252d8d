import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { planManifests } from 'rolloutkit/plan';

import { linear, underMilliseconds } from './figure';
import type { Figure } from './figure';

const PARTITIONS = 8;
const CLUSTERS = 1_000_000;
const MEBIBYTE = 2 ** 20;

/** Returns an inventory for `--clusters`. Its names are in numeric order, so the plan must sort them bytewise. */
function inventory(clusters: number): unknown {
  const entries = Array.from({ length: clusters }, (_, index) => ({
    name: `cluster-${index}`,
    labels: { env: `env-${index % PARTITIONS}`, region: `region-${index % 5}` },
  }));
  return JSON.parse(JSON.stringify({ clusters: entries }));
}

/** Builds a Bundle with one partition per `env` label. */
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

/** Plans a million clusters. The peak memory includes the inventory. */
function planMillionClusters(): MillionClusters {
  const clusters = inventory(CLUSTERS);
  const start = performance.now();
  planManifests([bundle()], { clusters: [clusters] });
  return { milliseconds: performance.now() - start, peakMebibytes: (process.resourceUsage().maxRSS * 1024) / MEBIBYTE };
}

/** Plans a million clusters in a separate process, so that only this plan uses its memory. There is no warm-up. */
function planInSeparateProcess(): MillionClusters {
  const { stdout, stderr, status } = spawnSync(process.execPath, [path.resolve(__dirname, 'fleet.js'), 'million'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as MillionClusters;
}

function planOf(clusters: number): () => unknown {
  const options = { clusters: [inventory(clusters)] };
  return () => planManifests([bundle()], options);
}

/** Measures plans of one Bundle for many clusters in eight partitions. */
export function fleetFigures(): Figure[] {
  const { milliseconds, peakMebibytes } = planInSeparateProcess();
  return [
    underMilliseconds(`plan of a Bundle for ${CLUSTERS.toLocaleString('en')} clusters in ${PARTITIONS} partitions`, 2_000, milliseconds),
    {
      name: 'peak memory of that process',
      measured: `${peakMebibytes.toFixed(0)} MiB`,
      promised: 'at most 1024 MiB',
      holds: peakMebibytes <= 1_024,
    },
    linear('plan of a Bundle by number of clusters', planOf),
  ];
}

if (process.argv[2] === 'million') console.log(JSON.stringify(planMillionClusters()));
