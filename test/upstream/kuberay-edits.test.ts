import type { Manifest } from '../../src/core/manifest/manifest';
import { diffRayServices, planManifests, rollsBack } from '../../src/headless';
import { sampleOf } from '../setup/recording-step';
import { changed, RECORDED_VERSIONS } from './kuberay-cases';
import type { Change } from './kuberay-cases';
import { recorded } from './recording';

type UpgradeType = 'NewCluster' | 'NewClusterWithIncrementalUpgrade' | 'None' | 'unset';

interface Edit {
  readonly name: string;
  readonly base?: Manifest;
  readonly serveConfig?: string;
  readonly from?: readonly Change[];
  readonly set: readonly Change[];
  /** What the operator did, or its reason for a refusal, by upgrade type. */
  readonly answers?: Readonly<Partial<Record<UpgradeType, string>>>;
  /** What a later upgrade of the operator itself did, by upgrade type. */
  readonly upgraded?: Readonly<Partial<Record<UpgradeType, string>>>;
  readonly middle?: readonly Change[];
  readonly rollback?: boolean;
}

function withType(base: Manifest, type: UpgradeType): Manifest {
  if (type === 'NewClusterWithIncrementalUpgrade') return base;
  return changed(base, [type === 'unset' ? ['/spec/upgradeStrategy'] : ['/spec/upgradeStrategy', { type }]]);
}

/** Returns the effect of an edit from the recorded actions: a new cluster, else anything in place, else nothing. */
function triggerOf(answer: string): string {
  if (answer.includes('new-cluster')) return 'new-cluster';
  return answer === '' ? 'none' : 'in-place';
}

/** Reports whether the answer is a reason for a refusal. All other answers list actions. */
function isRefusal(answer: string): boolean {
  return !/^((new|changed)-[a-z]+|serve-post| )*$/.test(answer);
}

describe.each(RECORDED_VERSIONS)('an edit under KubeRay %s', (version, suffix) => {
  const edits = recorded(`kuberay-edits${suffix}`) as readonly Edit[];
  const { base: bare, serveConfig } = edits[0]!;
  const base = changed(bare!, [['/spec/serveConfigV2', serveConfig]]);
  const answered = edits.flatMap(({ name, from, set, answers = {}, upgraded = {} }) =>
    Object.entries(answers).map(([type, answer]) => {
      const before = changed(withType(base, type as UpgradeType), from);
      return { name: `${type}/${name}`, type, before, after: changed(before, set), answer, upgraded: upgraded[type as UpgradeType] };
    }),
  );

  test('of a service at rest creates a new cluster, updates the running one, or does nothing, as we predict', () => {
    expect(answered.length).toBeGreaterThan(400);
    const ours = answered
      .filter(({ answer }) => !isRefusal(answer))
      .map(({ name, before, after, answer }) => {
        return { name, operator: triggerOf(answer), triggers: diffRayServices(before, after, version).triggers };
      });
    expect(ours.filter(({ operator, triggers }) => operator !== triggers)).toEqual([]);
  });

  test('that type None skips is written to the running cluster by an upgrade of the operator, as we predict', () => {
    const skipped = answered.filter(({ type, answer }) => type === 'None' && (answer === '' || answer === 'serve-post'));
    const ours = skipped.map(({ name, before, after, upgraded }) => {
      const { changes } = diffRayServices(before, after, version);
      return {
        name,
        operator: upgraded === 'changed-cluster',
        arrives: changes.some(({ reason }) => /next upgrade of the operator/.test(reason)),
      };
    });
    expect(ours.filter(({ operator }) => operator).length).toBeGreaterThan(50);
    // KubeRay 1.6 has a field for an empty upgradeStrategy and writes it too. It does not affect the pods.
    const empty = version === '1.6.2' ? ['None/cluster-strategy-empty'] : [];
    expect(ours.flatMap(({ name, operator, arrives }) => (operator === arrives ? [] : name))).toEqual(empty);
  });

  test('is refused exactly when we report it', () => {
    const ours = sampleOf(answered).map(({ name, after, answer }) => {
      const { rollouts } = planManifests([after], { versions: { kuberay: version } });
      return { name, operator: isRefusal(answer), refused: rollouts[0]!.strategy === null };
    });
    expect(ours.filter(({ operator, refused }) => operator !== refused)).toEqual([]);
  });

  test('in the middle of an upgrade rolls it back exactly when we report it', () => {
    const middles = edits.filter(({ middle }) => middle !== undefined);
    expect(middles).toHaveLength(13);
    const ours = middles.map(({ name, from, middle, set, rollback }) => {
      const [desired, active, pending] = [set, from, middle].map((changes) => changed(base, changes));
      return { name, operator: rollback, isRolledBack: rollsBack(desired!, active!, pending!, version) };
    });
    expect(ours.filter(({ operator, isRolledBack }) => operator !== isRolledBack)).toEqual([]);
  });
});
