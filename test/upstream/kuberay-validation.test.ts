import type { Manifest } from '../../src/core/manifest/manifest';
import { planManifests } from '../../src/headless';
import { sampleOf } from '../setup/recording-step';
import { changed, RECORDED_VERSIONS } from './kuberay-cases';
import type { Change } from './kuberay-cases';
import { recorded } from './recording';

interface Document {
  readonly name: string;
  readonly base?: Manifest;
  readonly set: readonly Change[];
  readonly error: string;
}

describe.each(RECORDED_VERSIONS)('a RayService in KubeRay %s', (version, suffix) => {
  const documents = recorded(`kuberay-validation${suffix}`) as readonly Document[];
  const base = documents[0]!.base!;

  test('is refused exactly when we report it', () => {
    expect(documents.length).toBeGreaterThan(190);
    const wrong = sampleOf(documents).flatMap(({ name, set, error }) => {
      const { rollouts } = planManifests([changed(base, set)], { versions: { kuberay: version } });
      const isRefused = rollouts[0]!.strategy === null;
      return isRefused === (error !== '') ? [] : [`${name}: ${error || 'accepted'}`];
    });
    expect(wrong).toEqual([]);
  });
});
