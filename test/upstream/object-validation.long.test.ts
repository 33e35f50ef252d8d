import { validateDecoding } from '../../src/change/apiserver/decoding-errors';
import { toStoredForm } from '../../src/change/apiserver/stored-form';
import { validateValues } from '../../src/change/apiserver/value-validation';
import type { Manifest } from '../../src/core/manifest/manifest';
import { changed, partsOf } from './changed-objects';
import type { Change } from './changed-objects';
import { RECORDED_VERSIONS, recorded } from './recording';
import { differencesIn } from './recordings';

/** The verdict of the server on a changed object. */
interface Verdict {
  /** The field that the decoder stops at; `?` if it names none. */
  readonly undecodable?: string;
  readonly unknown?: readonly string[];
  /** `spec.ports: Required value` */
  readonly refused?: readonly string[];
}

interface Row extends Verdict {
  readonly of: string;
  readonly object?: Manifest;
  readonly at?: string;
  readonly cases?: readonly (Change & Verdict)[];
  readonly change?: readonly (readonly [at: string, to: unknown])[];
}

const ROWS = recorded('kubernetes-object-validation') as readonly Row[];
const SOUND = new Map(ROWS.flatMap(({ of, object }) => (object ? [[of, object] as const] : [])));

interface Case {
  readonly of: string;
  readonly object: Manifest;
  readonly verdict: Verdict;
  readonly label: string;
}

const CASES = ROWS.flatMap(({ of, at, cases, change, ...verdict }): Case[] => {
  const sound = SOUND.get(of)!;
  if (change) {
    const object = change.reduce<unknown>((value, [place, to]) => changed(value, partsOf(place), { to }), sound) as Manifest;
    return [{ of, object, verdict, label: `${of} ${JSON.stringify(change)}` }];
  }
  return (cases ?? []).map((one) => ({
    of,
    object: changed(sound, partsOf(at!), one) as Manifest,
    verdict: one,
    label: `${of} ${at!} ${JSON.stringify(one)}`,
  }));
});

/** Returns our refusal of a new object in the format of the server. */
function refusalOf(object: Manifest): string | undefined {
  const found =
    validateDecoding(object, 'replace', RECORDED_VERSIONS) ?? validateValues(toStoredForm(object, RECORDED_VERSIONS), RECORDED_VERSIONS);
  return found && `${found.path}: ${found.message}`;
}

/** Reports whether the server lists our reason. The recording cuts long texts. */
function includesReason(reasons: readonly string[], ours: string): boolean {
  return reasons.includes(ours) || reasons.some((each) => each.includes('…') && ours.startsWith(each.slice(0, each.indexOf('…'))));
}

/** Known differences, with their reasons. */
const EXCEPTIONS: readonly { readonly isAt: (one: Case) => boolean; readonly because: string }[] = [
  {
    isAt: ({ object }) => Object.values({ ...(object.data as object), ...(object.binaryData as object) }).some(Array.isArray),
    because: 'bytes as a list of numbers, which is not used in practice',
  },
  {
    isAt: ({ label }) => label.startsWith('replicaset /spec/template/metadata/labels/app {"drop":true'),
    because: 'missing labels are null in our text and {} in the text of the server',
  },
  {
    isAt: ({ label }) => label.includes('/onExitCodes/values ') && label.endsWith('"to":[]}'),
    because: 'an empty list counts as unset to us',
  },
];

function difference(one: Case): string | undefined {
  const { object, verdict, label } = one;
  const ours = refusalOf(object);
  const { undecodable, unknown, refused = [] } = verdict;
  const isRefused = undecodable !== undefined || unknown !== undefined || refused.length > 0;
  if (isRefused !== (ours !== undefined)) return `${label} => ${ours}`;
  const isSame =
    ours === undefined || refused.length === 0 || undecodable !== undefined || unknown !== undefined || includesReason(refused, ours);
  return isSame ? undefined : `${label} => ${ours}`;
}

const DIFFERENCES = new Map(
  CASES.flatMap((one) => {
    const ours = difference(one);
    return ours === undefined ? [] : [[one, ours] as const];
  }),
);

describe('the verdict of the API server on the values of changed objects', () => {
  test('is no refusal for a valid object', () => {
    expect([...SOUND.values()].map(refusalOf).filter((ours) => ours !== undefined)).toEqual([]);
  });

  test.each([...SOUND.keys()])('has a reason that we report with the same text: %s', (of) => {
    const own = CASES.filter((one) => one.of === of && !EXCEPTIONS.some(({ isAt }) => isAt(one)));
    expect(own.length).toBeGreaterThan(80);
    expect(own.flatMap((one) => DIFFERENCES.get(one) ?? [])).toEqual([]);
  });

  test('differs from ours for every listed exception, and for nothing else', () => {
    const counts = EXCEPTIONS.map(({ isAt }) => CASES.filter((one) => isAt(one) && DIFFERENCES.has(one)).length);
    expect(counts.every((count) => count > 0)).toBe(true);
    expect(DIFFERENCES.size).toBe(differencesIn('kubernetes-object-validation'));
    expect(CASES.length).toBeGreaterThan(4000);
  });
});
