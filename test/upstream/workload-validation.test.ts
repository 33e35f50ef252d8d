import { getListAt, getValueAt } from '../../src/core/manifest';
import type { Manifest } from '../../src/core/manifest';
import { resolveVersions } from '../../src/core/versions';
import { toServerPath } from '../../src/change/apiserver/server-path';
import { DAEMON_SET } from '../../src/workloads/daemonset/kind';
import { DEPLOYMENT } from '../../src/workloads/deployment/kind';
import { validateObjectOfKind } from '../../src/workloads/plan-workload';
import type { RolloutKind } from '../../src/workloads/rollout-kind';
import { STATEFUL_SET } from '../../src/workloads/statefulset/kind';
import { changed, partsOf } from './changed-objects';
import type { Change } from './changed-objects';
import { recorded } from './recording';

/** What the server says of a changed workload. */
interface Verdict {
  /** The field that the decoder stops at, without the indexes of lists; `?` where it names none. */
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

/** Both sides in one spelling. */
function spelt(paths: Iterable<string>): string[] {
  const plain = [...paths].map(toServerPath);
  return [...new Set(plain)].toSorted();
}

const MOUNT = /\.(?:volumeMounts|volumeDevices)\[\d+\]\.name$/;
const VOLUME = /^spec\.template\.spec\.volumes\[\d+\]/;
const CLAIM_VOLUME = /^spec\.template\.spec\.volumes\[\d+\]\.(?:name|persistentVolumeClaim\.claimName)$/;

/** The errors of the server that call for a finding of their own. */
function serverPaths({ refused = [] }: Verdict, object: unknown): string[] {
  const paths = refused.map((text) => text.slice(text.indexOf(' ') + 1));
  const spec = getValueAt(object, 'spec');
  const hasSelector = (getValueAt(spec, 'selector') ?? null) !== null;
  const isSelectorBroken = paths.some((path) => path.startsWith('spec.selector.'));
  const isVolumeRefused = paths.some((path) => VOLUME.test(path));
  const hasClaims = getListAt(spec, 'volumeClaimTemplates').length > 0;
  const kept = paths.flatMap((path): string[] => {
    // kubectl fills in the namespace.
    if (path === 'metadata.namespace') return [];
    // Without a selector no label matches; a DaemonSet says that alone.
    if (!hasSelector && path === 'spec.template.metadata.labels') return ['spec.selector'];
    // A selector with an error in it can't be used: that is one problem.
    if (isSelectorBroken && path === 'spec.selector') return [];
    // A refused volume is none, so its mounts are refused with it: that is one problem.
    if (isVolumeRefused && MOUNT.test(path)) return [];
    // Ephemeral containers are refused as such.
    if (path.includes('.ephemeralContainers[')) return [];
    // A claim template is judged as the volume that it becomes, in any order.
    return [hasClaims && CLAIM_VOLUME.test(path) ? 'a claim as a volume' : path];
  });
  return spelt(kept);
}

function ourPaths(of: string, paths: readonly string[], { refused = [] }: Verdict): string[] {
  const errors = refused.map((text) => text.slice(text.indexOf(' ') + 1));
  // Where the selector is broken, the server looks at the template of a DaemonSet alone; mounts of a refused volume are no other problem.
  const isSelectorBroken = of !== 'daemonset' && errors.some((path) => path.startsWith('spec.selector.'));
  const isVolumeRefused = errors.some((path) => VOLUME.test(path));
  return spelt(
    paths
      .filter((path) => !(isSelectorBroken && path.startsWith('spec.template')) && !(isVolumeRefused && MOUNT.test(path)))
      .map((path) => (/^spec\.volumeClaimTemplates\[\d+\]\.metadata\.name$/.test(path) ? 'a claim as a volume' : path)),
  );
}

/** A row where we say something else, and why. */
const EXCEPTIONS: readonly { readonly isAt: (place: string, change: unknown) => boolean; readonly because: string }[] = [
  {
    isAt: (place, to) => place === '/spec' && to === null,
    because: 'a spec of null is a wrong type to us, which the server reads as an empty one',
  },
];

/** How our findings differ from the server's verdict, as a line; undefined where they do not. */
function difference(of: string, object: unknown, verdict: Verdict, label: unknown): string | undefined {
  const findings = validateObjectOfKind(KINDS[of]!, object as Manifest, VERSIONS);
  const errors = findings.filter(({ severity }) => severity === 'error').map(({ path }) => path);
  if (verdict.undecodable !== undefined) {
    // Go's decoder names one field and looks no further; of a map it leaves out the key.
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

describe("the server's verdict on sound workloads with something changed, and ours", () => {
  test('a sound workload has nothing refused or dropped', () => {
    expect([...SOUND].flatMap(([of, object]) => validateObjectOfKind(KINDS[of]!, object, VERSIONS))).toEqual([]);
    expect([...SOUND.keys()]).toEqual(Object.keys(KINDS));
  });

  test('one change at one place: accepted or refused, at the same fields', () => {
    const differences = ROWS.flatMap(({ of, at: place, cases = [] }) =>
      cases
        .filter(({ to }) => !EXCEPTIONS.some(({ isAt }) => isAt(place!, to)))
        .map((row) => difference(of, changed(SOUND.get(of), partsOf(place!), row), row, [place, row.drop ?? row.rename ?? row.to])),
    );
    expect(differences.filter(Boolean)).toEqual([]);
    expect(differences.length).toBeGreaterThan(10_000);
  });

  test('several changes that have to do with each other', () => {
    const rows = ROWS.filter(({ change }) => change !== undefined);
    const differences = rows.map((row) => {
      const object = row.change!.reduce<unknown>((value, [place, to]) => changed(value, partsOf(place), { to }), SOUND.get(row.of));
      return difference(row.of, object, row, row.change);
    });
    expect(differences.filter(Boolean)).toEqual([]);
    expect(differences.length).toBeGreaterThan(500);
  });
});
