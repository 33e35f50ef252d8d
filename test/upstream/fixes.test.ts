import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ALL_RULES } from '../../src/change/all-rules';
import type { FixDocument } from '../../src/core/fix-document';
import { rolloutkit } from '../cli/command-line';
import { exampleFiles, makeLink } from '../docs/example-files';
import { recorded } from './recording';

/** What the server says of one text. */
interface Verdict {
  readonly digest: string;
  /** Kinds that it does not serve, since nobody brought their CRDs. */
  readonly unknown?: readonly string[];
  readonly refused?: readonly {
    readonly object: number;
    readonly kind: string;
    readonly reason: string;
    readonly fields?: readonly string[];
  }[];
}

interface Fixed {
  /** A rule of ours, or the repository and its file. */
  readonly from: string;
  /** What was put into it; absent where it was fixed as it is. */
  readonly mistake?: string;
  readonly fixed: readonly string[];
  /** Findings that `fix` says it fixed, and that a check still has. */
  readonly stays: readonly string[];
  /** What the file still has that a server refuses, by our own findings. */
  readonly left: readonly string[];
  readonly texts: { readonly published?: Verdict; readonly before: Verdict; readonly after: Verdict };
}

const FIXES = recorded('fixes') as readonly Fixed[];
const OF_RULES = FIXES.filter(({ from }) => from.startsWith('rule '));
const OF_OTHERS = FIXES.filter(({ from }) => !from.startsWith('rule '));

/** oracle/README.md, "Fixes", says how the server is asked. */
const QUESTIONS = process.env.FIXES;

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

interface Written {
  readonly from: string;
  readonly fixed: readonly string[];
  readonly stays: readonly string[];
  readonly left: readonly string[];
  readonly texts: { readonly before: string; readonly after: string };
}

/** The files of a rule's example that `fix` writes. */
async function writtenFor(code: string, example: string): Promise<Written[]> {
  const words = /^# rolloutkit plan (.*)/.exec(example)?.[1]?.split(' ') ?? [];
  const options = words.filter((word, index) => /^--(?:versions|crds)/.test(word) || /^--(?:versions|crds)$/.test(words[index - 1] ?? ''));
  const files = exampleFiles(example) ?? { [/^(?:# )?apiVersion:/m.test(example) ? 'example.yaml' : 'fleet.yaml']: example };
  const after: Record<string, string> = {};
  const { stdout, exitCode } = await rolloutkit(['fix', ...options, '--format', 'json', '.'], {
    files,
    prepare: (folder) => makeLink(example, folder),
    inspect: (folder) => Object.keys(files).forEach((file) => (after[file] = readFileSync(path.join(folder, file), 'utf8'))),
  });
  if (exitCode !== 0) return [];
  const { fixed } = JSON.parse(stdout) as FixDocument;
  return Object.keys(files)
    .filter((file) => after[file] !== files[file])
    .map((file) => ({
      from: `rule ${code} ${file}`,
      fixed: fixed.filter(({ source }) => path.normalize(source!.file) === file).map((finding) => finding.code),
      stays: [],
      left: [],
      texts: { before: files[file]!, after: after[file]! },
    }));
}

test('what fix writes into the examples of our rules has been given to a real API server, which takes it', async () => {
  const written = (await Promise.all(ALL_RULES.map(({ code, example }) => writtenFor(code, example)))).flat();
  if (QUESTIONS !== undefined) return written.forEach((one) => appendFileSync(QUESTIONS, `${JSON.stringify({ key: one.from, ...one })}\n`));
  const known = new Map(OF_RULES.map(({ from, texts }) => [from, texts]));
  const verdicts = written.map(({ from, texts }) => {
    const { before, after } = known.get(from) ?? {};
    if (before?.digest !== digestOf(texts.before) || after?.digest !== digestOf(texts.after))
      return [from, 'not judged as it is now: oracle/README.md, "Fixes"'];
    return [from, after.refused ?? []];
  });
  expect(verdicts.length).toBeGreaterThanOrEqual(9);
  expect(verdicts).toEqual(written.map(({ from }) => [from, []]));
});

describe('of manifests that others publish, as they are and with one mistake put into them', () => {
  const isRefused = ({ refused, unknown }: Verdict) => refused !== undefined || unknown !== undefined;
  const REPOSITORIES = ['GoogleCloudPlatform__microservices-demo', 'kserve__kserve', 'rancher__fleet-examples', 'ray-project__kuberay'];
  /** Whose findings say that the server refuses the object. */
  const SAY_REFUSED = new Set(['kubernetes/quoted-integer', 'kubernetes/removed-api', 'input/unknown-field']);

  test('files of all four repositories were fixed, for each of these rules', () => {
    expect([...new Set(OF_OTHERS.map(({ from }) => from.split(' ')[0]!))].toSorted()).toEqual(REPOSITORIES);
    expect([...new Set(OF_OTHERS.flatMap(({ fixed }) => fixed))].toSorted()).toEqual([...SAY_REFUSED, 'kubernetes/outage'].toSorted());
    expect(OF_OTHERS.length).toBeGreaterThan(900);
  });

  test('every finding that fix says it fixed is gone', () => {
    expect(OF_OTHERS.filter(({ stays }) => stays.length > 0)).toEqual([]);
  });

  test('the server refused what the findings say it refuses, before', () => {
    const said = OF_OTHERS.filter(({ fixed }) => fixed.some((code) => SAY_REFUSED.has(code)));
    expect(said.filter(({ texts }) => !isRefused(texts.before))).toEqual([]);
  });

  test('it takes what fix leaves, but for fields that stood there before and that no fix is about', () => {
    const refused = OF_OTHERS.filter(({ texts }) => texts.after.refused !== undefined);
    const ofFields = refused.flatMap(({ texts }) =>
      texts.after.refused!.flatMap(({ reason, fields = [] }) => fields.map((field) => `${reason} ${field}`)),
    );
    expect([...new Set(ofFields)].toSorted()).toMatchInlineSnapshot(`
[
  "BadRequest spec.explainer.alibi",
  "BadRequest spec.predictor.deploymentStrategy.rollingUpdate.max_unavailable",
  "BadRequest spec.predictor.model.model_format",
  "BadRequest spec.predictor.model.storage_uri",
  "BadRequest spec.transformer.custom",
  "BadRequest spec.transformer.deploymentStrategy.rollingUpdate.max_surge",
  "Invalid <nil>",
  "Invalid spec.router.scheduler.config.inline",
]
`);
    const added = refused.filter(({ texts }) => {
      const before = new Set(texts.before.refused?.flatMap(({ object, fields = [] }) => fields.map((field) => `${object} ${field}`)));
      return texts.after.refused!.some(({ object, fields = [] }) => fields.some((field) => !before.has(`${object} ${field}`)));
    });
    expect(added).toEqual([]);
    expect(refused.length).toBeLessThan(OF_OTHERS.length * 0.03);
  });

  test('a file whose only fault was the mistake is again what was published, byte for byte', () => {
    const mended = OF_OTHERS.filter(
      ({ mistake, fixed }) => mistake !== undefined && !mistake.startsWith('an outage') && fixed.length === 1,
    );
    const others = mended.filter(({ texts }) => texts.after.digest !== texts.published!.digest);
    // One has two numbers in quotes as it is published.
    expect([...new Set(others.map(({ from }) => from.split(' ')[1]!.split('/').at(-1)))]).toMatchInlineSnapshot(`
[
  "minio.yaml",
  "rollout-strategy-example.yaml",
]
`);
    expect(mended.length - others.length).toBeGreaterThan(800);
  });
});
