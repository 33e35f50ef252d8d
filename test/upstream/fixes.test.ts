import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ALL_RULES } from '../../src/upgrade/all-rules';
import type { FixDocument } from '../../src/core/document/fix-document';
import { rolloutkit } from '../cli/command-line';
import { exampleFiles, makeLink } from '../docs/example-files';
import { recorded } from './recording';

/** The verdict of the server on one text. */
interface Verdict {
  readonly digest: string;
  /** Kinds that it does not serve, because their CRDs are not installed. */
  readonly unknown?: readonly string[];
  readonly refused?: readonly {
    readonly object: number;
    readonly kind: string;
    readonly reason: string;
    readonly fields?: readonly string[];
  }[];
}

interface Fixed {
  /** One of our rules, or a repository and its file. */
  readonly from: string;
  /** The mistake that was added; unset if the file was fixed as published. */
  readonly mistake?: string;
  readonly fixed: readonly string[];
  /** Findings that `fix` reports as fixed and that a later check still reports. */
  readonly stays: readonly string[];
  /** Remaining findings about fields that a server refuses. */
  readonly left: readonly string[];
  readonly texts: { readonly published?: Verdict; readonly before: Verdict; readonly after: Verdict };
}

const FIXES = recorded('fixes') as readonly Fixed[];
const RULE_FIXES = FIXES.filter(({ from }) => from.startsWith('rule '));
const PUBLISHED_FIXES = FIXES.filter(({ from }) => !from.startsWith('rule '));

/** File that the questions for the API server are written to: see oracle/README.md, "Fixes". */
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

/** Runs `fix` on the example of a rule and returns the files that it changes. */
async function fixExample(code: string, example: string): Promise<Written[]> {
  const commandWords = /^# rolloutkit plan (.*)/.exec(example)?.[1]?.split(' ') ?? [];
  const options = commandWords.filter(
    (word, index) => /^--(?:versions|crds)/.test(word) || /^--(?:versions|crds)$/.test(commandWords[index - 1] ?? ''),
  );
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

test('a real API server was given what fix writes into the examples of our rules, and accepts it', async () => {
  const written = (await Promise.all(ALL_RULES.map(({ code, example }) => fixExample(code, example)))).flat();
  if (QUESTIONS !== undefined) return written.forEach((one) => appendFileSync(QUESTIONS, `${JSON.stringify({ key: one.from, ...one })}\n`));
  const known = new Map(RULE_FIXES.map(({ from, texts }) => [from, texts]));
  const verdicts = written.map(({ from, texts }) => {
    const { before, after } = known.get(from) ?? {};
    if (before?.digest !== digestOf(texts.before) || after?.digest !== digestOf(texts.after))
      return [from, 'changed since the server was asked: oracle/README.md, "Fixes"'];
    return [from, after.refused ?? []];
  });
  expect(verdicts.length).toBeGreaterThanOrEqual(9);
  expect(verdicts).toEqual(written.map(({ from }) => [from, []]));
});

describe('fixes of published manifests, with and without an added mistake', () => {
  const isRefused = ({ refused, unknown }: Verdict) => refused !== undefined || unknown !== undefined;
  const REPOSITORIES = ['GoogleCloudPlatform__microservices-demo', 'kserve__kserve', 'rancher__fleet-examples', 'ray-project__kuberay'];
  /** Rules whose findings predict that the server refuses the object. */
  const PREDICTS_REFUSAL = new Set(['kubernetes/quoted-integer', 'kubernetes/removed-api', 'input/unknown-field']);

  test('cover files of all four repositories and each of these rules', () => {
    expect([...new Set(PUBLISHED_FIXES.map(({ from }) => from.split(' ')[0]!))].toSorted()).toEqual(REPOSITORIES);
    expect([...new Set(PUBLISHED_FIXES.flatMap(({ fixed }) => fixed))].toSorted()).toEqual(
      [...PREDICTS_REFUSAL, 'kubernetes/outage'].toSorted(),
    );
    expect(PUBLISHED_FIXES.length).toBeGreaterThan(900);
  });

  test('leave none of the findings that fix reports as fixed', () => {
    expect(PUBLISHED_FIXES.filter(({ stays }) => stays.length > 0)).toEqual([]);
  });

  test('start from files that the server refuses as the findings predict', () => {
    const predicted = PUBLISHED_FIXES.filter(({ fixed }) => fixed.some((code) => PREDICTS_REFUSAL.has(code)));
    expect(predicted.filter(({ texts }) => !isRefused(texts.before))).toEqual([]);
  });

  test('leave files that the server accepts, except for fields that were there before and that no fix covers', () => {
    const refused = PUBLISHED_FIXES.filter(({ texts }) => texts.after.refused !== undefined);
    const refusedFields = refused.flatMap(({ texts }) =>
      texts.after.refused!.flatMap(({ reason, fields = [] }) => fields.map((field) => `${reason} ${field}`)),
    );
    expect([...new Set(refusedFields)].toSorted()).toMatchInlineSnapshot(`
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
    expect(refused.length).toBeLessThan(PUBLISHED_FIXES.length * 0.03);
  });

  test('restore the published file byte for byte if the added mistake was its only problem', () => {
    const repaired = PUBLISHED_FIXES.filter(
      ({ mistake, fixed }) => mistake !== undefined && !mistake.startsWith('an outage') && fixed.length === 1,
    );
    const others = repaired.filter(({ texts }) => texts.after.digest !== texts.published!.digest);
    // One has two quoted numbers as published.
    expect([...new Set(others.map(({ from }) => from.split(' ')[1]!.split('/').at(-1)))]).toMatchInlineSnapshot(`
[
  "minio.yaml",
  "rollout-strategy-example.yaml",
]
`);
    expect(repaired.length - others.length).toBeGreaterThan(800);
  });
});
