import { getListAt, getValueAt } from '../../src/core/manifest/manifest';
import type { Manifest } from '../../src/core/manifest/manifest';
import { resolveVersions } from '../../src/core/values/versions';
import { toServerPath } from '../../src/change/apiserver/server-path';
import { DAEMON_SET } from '../../src/workloads/daemonset/kind';
import { DEPLOYMENT } from '../../src/workloads/deployment/kind';
import { validateObjectOfKind } from '../../src/workloads/plan-workload';
import type { RolloutKind } from '../../src/workloads/rollout-kind';
import { STATEFUL_SET } from '../../src/workloads/statefulset/kind';
import { changed, partsOf } from './changed-objects';
import type { Change } from './changed-objects';
import { recorded } from './recording';
import { RECORDING_STEP, sampleOf } from '../setup/recording-step';

/** The verdict of the server on a changed workload. */
interface Verdict {
  /** The field that the decoder stops at, without list indexes; `?` if it names none. */
  readonly undecodable?: string;
  readonly unknown?: readonly string[];
  /** `Required spec.selector` */
  readonly refused?: readonly string[];
}

interface Row extends Verdict {
  readonly of: string;
  readonly object?: Manifest;
  readonly at?: string;
  readonly cases?: readonly (Change & Verdict)[];
  readonly change?: readonly (readonly [at: string, to: unknown])[];
}

const KINDS: Readonly<Record<string, RolloutKind>> = {
  pod: DEPLOYMENT,
  containers: DEPLOYMENT,
  volumes: DEPLOYMENT,
  statefulset: STATEFUL_SET,
  daemonset: DAEMON_SET,
};

const VERSIONS = resolveVersions({ kubernetes: '1.34' });

/** Normalizes the paths of both sides to one spelling. A path that is already one of the server may change once more. */
function normalizePaths(paths: Iterable<string>): string[] {
  const plain = [...paths].map((path) => toServerPath(toServerPath(path)));
  return [...new Set(plain)].toSorted();
}

const MOUNT = /\.(?:volumeMounts|volumeDevices)\[\d+\]\.name$/;
const VOLUME = /^spec\.template\.spec\.volumes\[\d+\]/;
const CLAIM_VOLUME = /^spec\.template\.spec\.volumes\[\d+\]\.(?:name|persistentVolumeClaim\.claimName)$/;

/** Returns the errors of the server that each need a finding. */
function serverPaths({ refused = [] }: Verdict, object: unknown): string[] {
  const paths = refused.map((text) => text.slice(text.indexOf(' ') + 1));
  const spec = getValueAt(object, 'spec');
  const hasSelector = (getValueAt(spec, 'selector') ?? null) !== null;
  const isSelectorBroken = paths.some((path) => path.startsWith('spec.selector.'));
  const isVolumeRefused = paths.some((path) => VOLUME.test(path));
  const hasClaims = getListAt(spec, 'volumeClaimTemplates').length > 0;
  const relevant = paths.flatMap((path): string[] => {
    // kubectl fills in the namespace.
    if (path === 'metadata.namespace') return [];
    // Without a selector no label matches; for a DaemonSet the server reports only that.
    if (!hasSelector && path === 'spec.template.metadata.labels') return ['spec.selector'];
    // A selector with an error cannot be used: that is one problem.
    if (isSelectorBroken && path === 'spec.selector') return [];
    // The mounts of a refused volume are refused with it: that is one problem.
    if (isVolumeRefused && MOUNT.test(path)) return [];
    // Ephemeral containers are refused altogether.
    if (path.includes('.ephemeralContainers[')) return [];
    // A claim template is validated as the volume created from it, in any order.
    return [hasClaims && CLAIM_VOLUME.test(path) ? 'a claim as a volume' : path];
  });
  return normalizePaths(relevant);
}

function ourPaths(of: string, paths: readonly string[], { refused = [] }: Verdict): string[] {
  const errors = refused.map((text) => text.slice(text.indexOf(' ') + 1));
  // If the selector is invalid, the server checks the template only for a DaemonSet. Mounts of a refused volume are not a separate problem.
  const isSelectorBroken = of !== 'daemonset' && errors.some((path) => path.startsWith('spec.selector.'));
  const isVolumeRefused = errors.some((path) => VOLUME.test(path));
  return normalizePaths(
    paths
      .filter((path) => !(isSelectorBroken && path.startsWith('spec.template')) && !(isVolumeRefused && MOUNT.test(path)))
      .map((path) => (/^spec\.volumeClaimTemplates\[\d+\]\.metadata\.name$/.test(path) ? 'a claim as a volume' : path)),
  );
}

/** Known differences, with their reasons. */
const EXCEPTIONS: readonly { readonly isAt: (place: string, change: unknown) => boolean; readonly because: string }[] = [
  {
    isAt: (place, to) => place === '/spec' && to === null,
    because: 'a null spec is a wrong type to us; the server reads it as an empty one',
  },
];

/** Describes on one line how our findings differ from the server's verdict; undefined if they do not. */
function difference(of: string, object: unknown, verdict: Verdict, label: unknown): string | undefined {
  const findings = validateObjectOfKind(KINDS[of]!, object as Manifest, VERSIONS);
  const errors = findings.filter(({ severity }) => severity === 'error').map(({ path }) => path);
  if (verdict.undecodable !== undefined) {
    // Go's decoder names only one field, and omits the key of a map.
    const plain = errors.map((path) => path.replaceAll(/\[[^\]]*\]/g, ''));
    const isNamed = verdict.undecodable === '?' ? plain.length > 0 : plain.includes(verdict.undecodable);
    return isNamed ? undefined : JSON.stringify({ label, server: verdict.undecodable, ours: errors });
  }
  const dropped = findings.filter(({ code }) => code === 'input/unknown-field').map(({ path }) => path);
  const server = { refused: serverPaths(verdict, object), unknown: [...(verdict.unknown ?? [])].toSorted() };
  const ours = { refused: ourPaths(of, errors, verdict), unknown: dropped.toSorted() };
  return JSON.stringify(server) === JSON.stringify(ours) ? undefined : JSON.stringify({ label, server, ours });
}

const ROWS = recorded('kubernetes-workload-validation') as readonly Row[];
const SOUND = new Map(ROWS.flatMap(({ of, object }) => (object ? [[of, object] as const] : [])));

describe("our findings and the server's verdict on changed workloads", () => {
  test('refuse and drop nothing of a valid workload', () => {
    expect([...SOUND].flatMap(([of, object]) => validateObjectOfKind(KINDS[of]!, object, VERSIONS))).toEqual([]);
    expect([...SOUND.keys()]).toEqual(Object.keys(KINDS));
  });

  test('accept one changed field, or refuse it at the same paths', () => {
    const rows = ROWS.flatMap(({ of, at: place, cases = [] }) =>
      cases.filter(({ to }) => !EXCEPTIONS.some(({ isAt }) => isAt(place!, to))).map((row) => ({ of, place: place!, row })),
    );
    const differences = sampleOf(rows).map(({ of, place, row }) =>
      difference(of, changed(SOUND.get(of), partsOf(place), row), row, [place, row.drop ?? row.rename ?? row.to]),
    );
    expect(differences.filter(Boolean)).toEqual([]);
    expect(differences.length).toBeGreaterThan(10_000 / RECORDING_STEP);
  });

  test('agree on several related changes', () => {
    const rows = ROWS.filter(({ change }) => change !== undefined);
    const differences = rows.map((row) => {
      const object = row.change!.reduce<unknown>((value, [place, to]) => changed(value, partsOf(place), { to }), SOUND.get(row.of));
      return difference(row.of, object, row, row.change);
    });
    expect(differences.filter(Boolean)).toEqual([]);
    expect(differences.length).toBeGreaterThan(500);
  });
});
