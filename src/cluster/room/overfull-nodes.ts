import type { Memory } from '../../core/memory';
import type { PodSet } from '../workload';
import { alikePools } from './alike-nodes';
import type { AlikePools } from './alike-nodes';
import { fill, firstLack, halved, poolHalf, putBack, takeOut, wouldTake } from './halved-nodes';
import type { Half } from './halved-nodes';
import { runsOn } from './node-affinity';
import { nodeMakes } from './node-makes';
import type { NodeMake } from './node-makes';
import type { NodePool } from './node-pools';
import { needsOf } from './pod-needs';
import type { Amounts } from './pod-requests';
import { beside, hasRoom } from './room-left';

/** Nodes that are to have a pod of a DaemonSet and do not take it beside those of the DaemonSets before it. */
export interface Refusing {
  readonly nodes: number;
  /** The first resource by name of which one of them has too little. */
  readonly resource: string;
  /** The most of it that is left of one with too little. */
  readonly most: bigint;
  /** Would one of them take the pod if there were nothing on it? */
  readonly isShared: boolean;
}

/** Nodes that daemons fill one after another. Those of a make are halved by what they have, so that a daemon is placed without a look at each of them. */
export class OverfullNodes {
  private readonly byMake: ReadonlyMap<NodeMake, Half>;
  private readonly byPlace: readonly Half[];

  /** @param pools those of which not all daemons find room together */
  constructor(
    private readonly pools: readonly NodePool[],
    private readonly memory: Memory,
  ) {
    this.byPlace = pools.map((pool) => poolHalf(pool));
    this.byMake = new Map(nodeMakes(pools, memory).all.map((make) => [make, halved(make.places.map((place) => this.byPlace[place]!))]));
  }

  /** Puts a pod of a DaemonSet on each of its nodes that has room; which of them are to have one and have none. */
  add(daemon: PodSet): Refusing | undefined {
    const { footprint } = needsOf(daemon, this.memory);
    const near = alikePools(daemon, this.pools, this.memory);
    const runs = new Set(near.filter(({ pool }) => runsOn(daemon, pool, 'old', this.memory)));
    const refuses = ({ pool }: AlikePools) => runsOn(daemon, pool, 'new', this.memory);
    const out = near.filter(({ make }) => !make).map((alike) => ({ alike, left: takeOut(this.byPlace[alike.place]!) }));
    const refusing: Half[] = [];
    for (const alike of near) {
      const refused = alike.make && runs.has(alike) ? fill(this.byMake.get(alike.make)!, footprint) : [];
      if (refuses(alike)) for (const half of refused) refusing.push(half);
    }
    const back = out.map(({ alike, left }) => {
      const takes = runs.has(alike) && hasRoom(left.most, footprint);
      if (runs.has(alike) && !takes && refuses(alike)) refusing.push({ ...poolHalf(alike.pool), left });
      return { alike, left: takes ? beside(left.most, footprint) : left.most };
    });
    const refused = refusingOf(refusing, footprint);
    for (const { alike, left } of back) putBack(this.byPlace[alike.place]!, alike.count, { least: left, most: left });
    return refused;
  }
}

function refusingOf(halves: readonly Half[], footprint: Amounts): Refusing | undefined {
  const lack = firstLack(halves, footprint);
  if (!lack) return undefined;
  const nodes = halves.reduce((sum, half) => sum + half.nodes, 0);
  return { ...lack, nodes, isShared: halves.some((half) => wouldTake(half, footprint)) };
}
