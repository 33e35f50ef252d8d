import { planChange } from '../../src/headless';
import type { ApplyEffect } from '../../src/core/document/change';
import type { Fields } from '../../src/core/manifest/manifest';
import { WORKLOAD_NAMES } from '../../src/workloads/kinds';
import type { WorkloadName } from '../../src/workloads/kinds';
import { expectValidPlan } from '../plan-schema';
import { SIMULATED } from '../simulated';
import type { Simulated } from '../simulated';

/** The effects of another image, other replicas, another strategy, and a new image under a strategy that holds it back. */
interface Changes {
  readonly of: Simulated;
  readonly replicas: ApplyEffect;
  /** A strategy that changes how the next rollout proceeds. */
  readonly strategy: Fields;
  /** A strategy that keeps all pods from updating. @default - the kind has no such setting */
  readonly holding?: Fields;
}

const CHANGES: Readonly<Record<WorkloadName, Changes>> = {
  Deployment: { of: SIMULATED.deployment, replicas: 'scale', strategy: { strategy: { type: 'Recreate' } }, holding: { paused: true } },
  StatefulSet: {
    of: SIMULATED.statefulset,
    replicas: 'scale',
    strategy: { updateStrategy: { rollingUpdate: { partition: 1 } } },
    holding: { updateStrategy: { rollingUpdate: { partition: 3 } } },
  },
  DaemonSet: {
    of: SIMULATED.daemonset,
    // A DaemonSet has no such field.
    replicas: 'refused',
    strategy: { updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } },
    holding: { updateStrategy: { type: 'OnDelete' } },
  },
};

/** Returns the effect of an apply over the first version of an object. */
function effectOf({ object, options = {} }: Simulated, version: number, old: Fields, next: Fields): ApplyEffect {
  const withSpec = (image: number, spec: Fields) => {
    const full = object(image);
    return { ...full, spec: { ...(full.spec as Fields), ...spec } };
  };
  const { change } = expectValidPlan(planChange([withSpec(1, old)], [withSpec(version, next)], options));
  return change.objects[0]!.effect;
}

type Row = [what: string, version: number, old: Fields, next: Fields, effect: ApplyEffect];

function heldBack(holding: Fields): Row[] {
  return [
    ['another image that is held back', 2, {}, holding, 'held'],
    ['a strategy that holds pods back', 1, {}, holding, 'settings'],
    ['a strategy that releases pods whose template no manifest shows', 1, holding, {}, 'unknown'],
    ['a strategy that releases pods, and another image', 2, holding, {}, 'roll'],
  ];
}

describe.each(WORKLOAD_NAMES)('a %s', (name) => {
  const { of, replicas, strategy, holding } = CHANGES[name];

  test.each<Row>([
    ['the same', 1, {}, {}, 'none'],
    ['another image', 2, {}, {}, 'roll'],
    ['other replicas', 1, {}, { replicas: 5 }, replicas],
    ['another image and other replicas', 2, {}, { replicas: 5 }, replicas === 'scale' ? 'roll-and-scale' : replicas],
    ['another strategy', 1, {}, strategy, 'settings'],
    ['another strategy with another image', 2, {}, strategy, 'roll'],
    ...(holding ? heldBack(holding) : []),
  ])('%s', (_what, version, old, next, effect) => {
    expect(effectOf(of, version, old, next)).toBe(effect);
  });
});
