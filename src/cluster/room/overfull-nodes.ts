import type { Memory } from '../../core/memory';
import type { PodSet } from '../workload';
import { alikePools } from './alike-nodes';
import type { AlikePools } from './alike-nodes';
import { runsOn } from './node-affinity';
import { nodeMakes } from './node-makes';
import type { NodeMake } from './node-makes';
import type { NodePool } from './node-pools';
import { hasRoom } from './room-left';
import { needsOf } from './pod-needs';
import type { Amounts } from './pod-requests';

/** Pools of one make of whose nodes equally much is left. */
interface Level {
  left: Amounts;
  readonly places: Set<number>;
  nodes: number;
}

/** Nodes that do not take a pod of a DaemonSet, and what the DaemonSets before it leave of each. */
export interface Refusing {
  readonly allocatable: Amounts;
  readonly nodes: number;
  readonly left: Amounts;
}

function levelKey(left: Amounts): string {
  return JSON.stringify(Array.from(left, ([resource, amount]) => `${resource}=${amount}`));
}

/** What is left beside one more pod; no resource is added, so that the order of the names stays. */
function beside(left: Amounts, footprint: Amounts): Amounts {
  return new Map(Array.from(left, ([resource, amount]) => [resource, amount - (footprint.get(resource) ?? 0n)]));
}

/** Nodes that daemons fill one after another. Those of which equally much is left are one, so that a daemon that runs on all but a few is placed at once. */
export class OverfullNodes {
  private readonly levels = new Map<NodeMake, Map<string, Level>>();
  private readonly levelAt: Level[] = [];
  private readonly makeAt: readonly NodeMake[];

  /** @param pools those of which not all daemons find room together */
  constructor(
    private readonly pools: readonly NodePool[],
    private readonly memory: Memory,
  ) {
    const { all, ofPlace } = nodeMakes(pools, memory, { byRoom: true });
    this.makeAt = ofPlace;
    for (const make of all) {
      const level = { left: pools[make.places[0]!]!.allocatable, places: new Set(make.places), nodes: make.nodes };
      this.levels.set(make, new Map([[levelKey(level.left), level]]));
      for (const place of make.places) this.levelAt[place] = level;
    }
  }

  /** Puts a pod of a DaemonSet on each of its nodes that has room, and names those that are to have one and have none. */
  add(daemon: PodSet): Refusing[] {
    const { footprint } = needsOf(daemon, this.memory);
    const near = alikePools(daemon, this.pools, this.memory, { byRoom: true });
    const runs = new Set(near.filter(({ pool }) => runsOn(daemon, pool, 'old', this.memory)));
    const refuses = (alike: AlikePools) => runsOn(daemon, alike.pool, 'new', this.memory);
    const singles = near.filter(({ make }) => !make).map((alike) => ({ alike, left: this.takeOut(alike) }));
    const refusing: Refusing[] = [];
    for (const alike of near) {
      const refused = alike.make && runs.has(alike) ? this.fill(alike.make, footprint) : [];
      if (!refuses(alike)) continue;
      for (const { left, nodes } of refused) refusing.push({ allocatable: alike.pool.allocatable, left, nodes });
    }
    for (const { alike, left } of singles) {
      const { pool, place, count } = alike;
      const takes = runs.has(alike) && hasRoom(left, footprint);
      this.putIn(place, takes ? beside(left, footprint) : left, count);
      if (runs.has(alike) && !takes && refuses(alike)) refusing.push({ allocatable: pool.allocatable, left, nodes: count });
    }
    return refusing;
  }

  private takeOut({ place, count }: AlikePools): Amounts {
    const level = this.levelAt[place]!;
    level.places.delete(place);
    level.nodes -= count;
    return level.left;
  }

  private putIn(place: number, left: Amounts, nodes: number): void {
    const levels = this.levels.get(this.makeAt[place]!)!;
    const key = levelKey(left);
    const level = levels.get(key) ?? { left, places: new Set(), nodes: 0 };
    levels.set(key, level);
    level.places.add(place);
    level.nodes += nodes;
    this.levelAt[place] = level;
  }

  /** Puts a pod on each node of a make that has room, and names those that have none. */
  private fill(make: NodeMake, footprint: Amounts): Level[] {
    const refused: Level[] = [];
    const after = new Map<string, Level>();
    for (const level of this.levels.get(make)!.values()) {
      if (level.places.size === 0) continue;
      const takes = hasRoom(level.left, footprint);
      if (!takes) refused.push({ ...level });
      if (takes) level.left = beside(level.left, footprint);
      this.join(after, level);
    }
    this.levels.set(make, after);
    return refused;
  }

  /** Adds a level to others, of which the smaller one is moved where as much is left of both. */
  private join(levels: Map<string, Level>, level: Level): void {
    const key = levelKey(level.left);
    const known = levels.get(key) ?? level;
    const [small, large] = known.places.size < level.places.size ? [known, level] : [level, known];
    levels.set(key, large);
    if (small === large) return;
    large.nodes += small.nodes;
    for (const place of small.places) {
      large.places.add(place);
      this.levelAt[place] = large;
    }
  }
}
