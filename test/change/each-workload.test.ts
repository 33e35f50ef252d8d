import { planChange } from '../../src/headless';
import type { ApplyEffect } from '../../src/core/change';
import type { Fields } from '../../src/core/manifest';
import { WORKLOAD_NAMES } from '../../src/workloads/kinds';
import type { WorkloadName } from '../../src/workloads/kinds';
import { expectValidPlan } from '../plan-schema';
import { SIMULATED } from '../simulated';
import type { Simulated } from '../simulated';

/** What another image, other replicas, another strategy, and a new image under a strategy that holds it back come to. */
interface Changes {
  readonly of: Simulated;
  readonly replicas: ApplyEffect;
  /** Changes how the next rollout goes. */
  readonly strategy: Fields;
  /** Lets no pod go. @default - it has no such setting */
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
    // It has no such field.
    replicas: 'refused',
    strategy: { updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } },
    holding: { updateStrategy: { type: 'OnDelete' } },
  },
};

/** What an apply does over the first version of an object. */
function effectOf({ object, options = {} }: Simulated, version: number, old: Fields, next: Fields): ApplyEffect {
  const written = (image: number, spec: Fields) => {
    const whole = object(image);
    return { ...whole, spec: { ...(whole.spec as Fields), ...spec } };
  };
  const { change } = expectValidPlan(planChange([written(1, old)], [written(version, next)], options));
  return change.objects[0]!.effect;
}

type Row = [what: string, version: number, old: Fields, next: Fields, effect: ApplyEffect];

function heldBack(holding: Fields): Row[] {
  return [
    ['another image that is held back', 2, {}, holding, 'held'],
    ['a strategy that holds back', 1, {}, holding, 'settings'],
    ['one that no longer does, of pods of which no manifest tells the template', 1, holding, {}, 'unknown'],
    ['none any more, and another image', 2, holding, {}, 'roll'],
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
    ['another image with it', 2, {}, strategy, 'roll'],
    ...(holding ? heldBack(holding) : []),
  ])('%s', (_what, version, old, next, effect) => {
    expect(effectOf(of, version, old, next)).toBe(effect);
  });
});
