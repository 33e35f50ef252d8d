import type { Fields } from '../../src/core/manifest/manifest';
import { evaluatePodSecurity } from '../../src/cluster/pod-security/evaluate-pod';
import type { PodSecurityLevel } from '../../src/cluster/pod-security/evaluate-pod';
import { sampleOf } from '../setup/recording-step';
import { recorded } from './recording';

interface Case {
  readonly pod: Fields;
  /** What each policy forbids; empty if it allows the pod. */
  readonly answers: readonly string[];
}

/** The policies of each case, in the order of its answers. */
const POLICIES: readonly (readonly [level: PodSecurityLevel, version: string])[] = [
  ['baseline', '1.24'],
  ['restricted', '1.24'],
  ['baseline', '1.33'],
  ['restricted', '1.33'],
  ['baseline', '1.35'],
  ['restricted', '1.35'],
  ['baseline', '1.18'],
  ['restricted', '1.18'],
];

const cases = recorded('pod-security') as readonly Case[];

test.each(POLICIES.map(([level, version], index) => ({ level, version, index })))(
  'the level $level of version $version forbids what the admission forbids in 5,000 pods, in its words',
  ({ level, version, index }) => {
    const answersOf = (pod: Fields) =>
      evaluatePodSecurity(pod, level, version)
        .map(({ reason, detail }) => `${reason} (${detail})`)
        .join(', ');
    const differing = sampleOf(cases)
      .map(({ pod, answers }) => ({ pod, ours: answersOf(pod), theirs: answers[index] }))
      .filter(({ ours, theirs }) => ours !== theirs);
    expect(differing).toEqual([]);
    expect(cases).toHaveLength(5000);
  },
);
