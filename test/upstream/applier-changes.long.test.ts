import { isDeepStrictEqual } from 'node:util';
import type { Applier } from '../../src/appliers/applier';
import { isInvalidOrConflict } from '../../src/appliers/applier';
import { ARGO_CD, ARGO_CD_SERVER_SIDE } from '../../src/appliers/argo-cd';
import { FLUX, FLUX_HELM } from '../../src/appliers/flux';
import { HELM_3, HELM_4 } from '../../src/appliers/helm';
import { applyObject } from '../../src/change/apiserver/apply';
import { validateDecoding } from '../../src/change/apiserver/decoding-errors';
import type { ApplyOutcome, ApplyRejection } from '../../src/change/apiserver/types';
import { toServerPath } from '../../src/change/apiserver/server-path';
import { validateValues } from '../../src/change/apiserver/value-validation';
import { RECORDING_STEP } from '../setup/recording-step';
import { named, recordedChanges } from './changes';
import type { Change, RecordedRefusal } from './changes';
import { determinedFieldsOf, SERVER_ASSIGNED_ELSEWHERE, readOf, storedOf, textOf } from './compare-changes';
import { RECORDED_VERSIONS } from './recording';
import { differencesIn } from './recordings';

/** How the second manifest was written, with the tool that we plan for it. */
const TOOLS = {
  helm4: HELM_4,
  'helm4-migrates': HELM_4,
  'helm4-client': HELM_3,
  flux: FLUX,
  'flux-force': { ...FLUX, recreatesOnRefusal: (_next, _live, refusal) => isInvalidOrConflict(refusal) },
  'flux-helm': FLUX_HELM,
  argo: ARGO_CD,
  'argo-server': ARGO_CD_SERVER_SIDE,
} satisfies Record<string, Applier>;

type Tool = keyof typeof TOOLS;
type ToolChange = Change<Tool>;

const changes = recordedChanges<Tool>('kubernetes-appliers').filter(({ live }) => live !== undefined);
/** Every run compares all objects that another tool wrote first, because few of them decide who takes over which fields. */
const compared = changes.filter(({ row }, index) => index % RECORDING_STEP === 0 || row.made !== undefined);

interface Written {
  readonly outcome: ApplyOutcome;
  readonly isRecreated: boolean;
}

/** Writes the second manifest as we plan it for the tool. */
function write({ row, old, next, live }: ToolChange): Written {
  const { method, serverSide, acceptsUnknownFields, recreatesOnRefusal, recreatesAlways }: Applier = TOOLS[row.mode];
  const before = { manifest: live!, ...readOf(live!), isLive: true, release: old };
  const outcome = applyObject(before, next, method, RECORDED_VERSIONS, serverSide, acceptsUnknownFields);
  const isRecreated =
    recreatesAlways?.(next) === true || ('refusal' in outcome && recreatesOnRefusal?.(next, live, outcome.refusal) === true);
  if (!isRecreated) return { outcome, isRecreated };
  const refusal = validateDecoding(next, method, RECORDED_VERSIONS) ?? validateValues(storedOf(next), RECORDED_VERSIONS, next);
  return { outcome: refusal ? { refusal } : { stored: storedOf(next), isAlone: true }, isRecreated };
}

/** Words of a server or tool that cannot read a value of another type. Each prints the value in another way. */
const WRONG_TYPE =
  /typed patch object|to proper version|cannot restore|unrecognized type|cannot convert|cannot unmarshal|must match the regular expression|patch: Invalid value|merge key|creating patch/;

/** Reports whether a refusal names a field that the server names too, or both say that a value cannot be read. Both omit long values. */
function isSameRefusal({ path, message }: ApplyRejection, { causes = [], message: text = '' }: RecordedRefusal): boolean {
  const begin = message.split('…')[0]!.slice(0, 80);
  if (causes.length > 0) return causes.some(({ field }) => field === (path === '' ? 'patch' : path) || toServerPath(field) === path);
  if (path !== '' && !message.startsWith('Apply failed')) return text.includes(`${path}: ${begin}`);
  return text.includes(begin) || WRONG_TYPE.test(text);
}

/** Returns how our plan differs from what happened; undefined if it is the same. */
function differenceOf(change: ToolChange): string | undefined {
  const { row, stored } = change;
  const { outcome, isRecreated } = write(change);
  if (isRecreated !== (row.recreated ?? false)) return isRecreated ? 'recreated' : 'not recreated';
  if (!row.refused) {
    if ('refusal' in outcome) return `refused: ${outcome.refusal.path}: ${outcome.refusal.message}`;
    return isDeepStrictEqual(determinedFieldsOf(outcome.stored), determinedFieldsOf(stored!)) ? undefined : 'stored differently';
  }
  if (!('refusal' in outcome)) return 'not refused';
  const { path, message } = outcome.refusal;
  return isSameRefusal(outcome.refusal, row.refused) ? undefined : `${path}: ${message}`;
}

/** Known differences, with their reasons. */
const DIFFERENCES: readonly (readonly [why: string, is: (change: ToolChange, ours: string) => boolean])[] = [
  [
    'the recording replaces the refused address with "allocated", as it does with every address that the server assigns',
    ({ row }, ours) => row.base.startsWith('service') && ours.includes('10.0.0.9'),
  ],
  [
    'a recreated Job has its uid in labels and selector, a recreated Pod what admission adds',
    ({ row }) => SERVER_ASSIGNED_ELSEWHERE.includes(row.base) && row.recreated === true,
  ],
  ['a null in a list is refused as such before its fields are', ({ row }) => /null element/.test(row.refused?.message ?? '')],
  [
    'the dry run after the deletion found the object still being deleted',
    ({ row }) => /^deployments.apps "web" not found/.test(row.refused?.message ?? ''),
  ],
  [
    'a claim is deleted once a controller removes its finalizer, and none ran',
    ({ row }) => row.base === 'pvc' && row.mode === 'flux-force',
  ],
  [
    'a refused claim is described in another way',
    ({ row }) => /resourceClaims/.test(JSON.stringify(row.new)) && row.mode.startsWith('argo'),
  ],
  [
    'a flag of the API server decides whether a container may be privileged',
    ({ row }) => JSON.stringify(row.refused).includes('disallowed by cluster policy'),
  ],
  [
    'of a manifest without a spec or a selector the server names another missing field',
    ({ row }) => JSON.stringify(row.new) === '[["/spec",null]]' || JSON.stringify(row.new) === '[["/spec/selector"]]',
  ],
  ['the text of the other causes is omitted', ({ row }) => (row.refused?.message ?? '').includes('…')],
];

const differing = compared.flatMap((change) => {
  const ours = differenceOf(change);
  return ours === undefined ? [] : [{ change, ours }];
});

test('each tool leaves on the server what we plan, or is refused for the field that the server names', () => {
  const unexplained = differing.filter(({ change, ours }) => !DIFFERENCES.some(([, is]) => is(change, ours)));
  const shown = unexplained.map(
    ({ change, ours }) => `${named(change)} => ${ours}${change.row.refused ? `, not ${textOf(change.row.refused)}` : ''}`,
  );
  expect(shown).toEqual([]);
});

test('known differences are as many as the conformance page says', () => {
  const total = differencesIn('kubernetes-appliers');
  expect(differing.length).toBeLessThanOrEqual(total);
  expect(RECORDING_STEP === 1 ? differing.length : total).toBe(total);
});

test('both recordings together have 4,096, 3,522 and 4,293 pairs of the classes of field behavior, with refusals in their words', () => {
  const others = recordedChanges('kubernetes-changes').filter(({ live }) => live !== undefined);
  const countPairs = (...modes: readonly string[]) => {
    const rows = [...changes, ...others].map(({ row }) => row).filter(({ mode }) => modes.includes(mode));
    const refused = rows.filter((row) => row.refused && [row.refused.message, ...(row.refused.causes ?? [])].some(Boolean));
    return { pairs: rows.length, refused: refused.length };
  };
  expect({
    'a merge: kubectl, Helm 3, Helm 4 client-side, Argo CD': countPairs('client', 'helm', 'helm4-client', 'argo'),
    'a server-side apply that fails on conflicts: kubectl, Helm 4': countPairs('server', 'helm4', 'helm4-migrates'),
    'a server-side apply that forces: Flux, Argo CD': countPairs('flux', 'flux-force', 'flux-helm', 'argo-server'),
  }).toEqual({
    'a merge: kubectl, Helm 3, Helm 4 client-side, Argo CD': { pairs: 4096, refused: 884 },
    'a server-side apply that fails on conflicts: kubectl, Helm 4': { pairs: 3522, refused: 1204 },
    'a server-side apply that forces: Flux, Argo CD': { pairs: 4293, refused: 779 },
  });
});
