import { collectFindings } from '../src/core/document/plan-document';
import type { PlanDocument } from '../src/core/document/plan-document';
import type { AnyRule, Finding, Severity } from '../src/core/findings/finding';
import { rolloutkit } from './cli/command-line';
import { exampleFiles, linkOf, makeLink } from './docs/example-files';
import { expectValidPlan } from './plan-schema';

/** What a case is planned with. */
export interface PlannedWith {
  /** The manifests before a change, of which `yaml` are those after it. @default - no change is planned */
  readonly old?: string;
  /** Versions by product: `{ kubernetes: '1.33' }`. @default - the default versions */
  readonly versions?: Readonly<Record<string, string>>;
  /** Capacity of the cluster: `{ free: { cpu: 4 } }`. @default - unlimited */
  readonly capacity?: object;
  /** Policy of a platform team. @default - none */
  readonly policy?: object;
  /** Seconds that a pod takes to become ready. @default 0 */
  readonly startupSeconds?: number;
  /** Upgrade of an operator, `kserve=0.16..0.17`, which is planned instead. @default - none */
  readonly upgrade?: string;
  /** Further arguments of `rolloutkit plan`. @default - none */
  readonly args?: readonly string[];
}

/** Manifests for which a rule must not fire. */
export interface ValidCase extends PlannedWith {
  /** The title of the test. @default - the number of the case */
  readonly name?: string;
  readonly yaml: string;
}

/** The expected parts of a finding. Parts that are left out are not compared. */
export interface ExpectedFinding {
  readonly messageId: string;
  readonly path?: string;
  readonly data?: object;
  readonly severity?: Severity;
}

/** Manifests for which a rule must fire. */
export interface InvalidCase extends ValidCase {
  /** All findings of the rule, in order. */
  readonly findings: readonly ExpectedFinding[];
}

/** The cases of a rule. A case may be only YAML. */
export interface RuleCases {
  readonly valid: readonly (string | ValidCase)[];
  readonly invalid: readonly InvalidCase[];
}

/** Returns the options of the command in the first line of an example: `# rolloutkit plan --versions kserve=0.20 model.yaml`. */
function optionsOf(yaml: string): readonly string[] {
  const commandWords = /^# rolloutkit (?:plan|check) (.*)/.exec(yaml)?.[1]?.split(' ') ?? [];
  return commandWords.filter((word, index) => word.startsWith('--') || commandWords[index - 1]?.startsWith('--'));
}

/** Returns the NEW file of an example of a change: `# rolloutkit plan --from old.yaml new.yaml`. */
function newFileOf(yaml: string): string | undefined {
  return /^# rolloutkit plan (?:--versions \S+ )?--from \S+ (\S+)$/m.exec(yaml)?.[1];
}

/** The options of a case as files and arguments of the command. */
function toCommand({ old, versions, capacity, policy, startupSeconds, args = [] }: PlannedWith) {
  const files = {
    ...(old !== undefined && { 'old.yaml': old }),
    ...(capacity && { 'capacity.json': JSON.stringify(capacity) }),
    ...(policy && { 'policy.yaml': JSON.stringify(policy) }),
  };
  return {
    files,
    args: [
      ...(old === undefined ? [] : ['--from', 'old.yaml']),
      ...(versions
        ? [
            '--versions',
            Object.entries(versions)
              .map((pair) => pair.join('='))
              .join(','),
          ]
        : []),
      ...(capacity ? ['--capacity', 'capacity.json'] : []),
      ...(policy ? ['--policy', 'policy.yaml'] : []),
      ...(startupSeconds === undefined ? [] : ['--startup-seconds', String(startupSeconds)]),
      ...args,
    ],
  };
}

/**
 * Returns the findings for manifests in the format of the examples of rules: one file, or several after comments with their paths.
 * A first line `# rolloutkit plan …` adds options, and `# rolloutkit check …` runs that command.
 *
 * @throws Error if the plan does not match its schema
 */
export async function findingsOfExample(yaml: string, options: PlannedWith = {}): Promise<Finding[]> {
  const exampleFolder = exampleFiles(yaml) ?? (linkOf(yaml) && {});
  // An example of a fleet.yaml has no apiVersion.
  const file = /^(?:# )?apiVersion:/m.test(yaml) ? 'example.yaml' : 'fleet.yaml';
  const [path, files] = exampleFolder ? [newFileOf(yaml) ?? '.', exampleFolder] : [file, { [file]: yaml }];
  const command = toCommand(options);
  const checks = yaml.startsWith('# rolloutkit check ');
  const upgrade = options.upgrade ?? /^# rolloutkit upgrade (\S+)/.exec(yaml)?.[1];
  const words = checks ? ['check', '--fail-on', 'never'] : upgrade === undefined ? ['plan'] : ['upgrade', upgrade];
  const { stdout, stderr } = await rolloutkit([...words, ...optionsOf(yaml), ...command.args, '--format', 'json', path], {
    files: { ...files, ...command.files },
    prepare: (folder) => makeLink(yaml, folder),
  });
  // rolloutkit lists the programs that it runs there, and the configuration of an example.
  expect(stderr.replaceAll(/^rolloutkit: (?:ran|uses the configuration) .*\n/gm, '')).toBe('');
  const document = JSON.parse(stdout) as PlanDocument;
  return checks ? [...document.findings] : collectFindings(expectValidPlan(document));
}

/** Reports whether a finding belongs to a rule. A rule that extends another has only its own messages. */
function isOf({ code, messages, isExtension }: AnyRule, finding: Finding): boolean {
  return finding.code === code && (!isExtension || Object.hasOwn(messages, finding.messageId));
}

/** Returns the parts of the findings that are compared: those that are expected, and all of a finding that is not expected. */
function selectParts(findings: readonly Finding[], expected: readonly ExpectedFinding[]): ExpectedFinding[] {
  return findings.map(({ messageId, path, data, severity }, index) => {
    const { [index]: parts = { messageId, path, data, severity } } = expected;
    return {
      messageId,
      ...('path' in parts && { path }),
      ...('data' in parts && { data }),
      ...('severity' in parts && { severity }),
    };
  });
}

/** Expects the findings of a rule for one case. The difference also lists what else was found if the rule did not fire. */
async function expectFindings(rule: AnyRule, { yaml, ...options }: ValidCase, expected: readonly ExpectedFinding[]): Promise<void> {
  const all = await findingsOfExample(yaml, options);
  const own = all.filter((finding) => isOf(rule, finding));
  const others = all.filter((finding) => !own.includes(finding)).map(({ code, message }) => `${code}: ${message}`);
  // A case that cannot be read would be valid by mistake.
  const unreadable = others.filter((line) => line.startsWith('input/unreadable'));
  const isSilent = own.length === 0 && expected.length > 0;
  expect({ findings: selectParts(own, expected), unreadable, ...(isSilent && { others }) }).toEqual({ findings: expected, unreadable: [] });
}

/**
 * Tests a rule with manifests for which it must not fire, and with manifests for which it must. The examples of its page are among them.
 *
 * @example
 * testRule(noReadinessProbe, {
 *   valid: [{ name: 'a probe', yaml: … }],
 *   invalid: [{ yaml: …, findings: [{ messageId: 'none', path: 'spec.template.spec.containers[0].readinessProbe' }] }],
 * });
 */
export function testRule(rule: AnyRule, { valid, invalid }: RuleCases): void {
  const { code, example, fixedExample, isExtension } = rule;
  const validCases = valid.map((one) => (typeof one === 'string' ? { yaml: one } : one));
  const titled = <Case extends ValidCase>(cases: readonly Case[]) =>
    cases.map((one, index) => [one.name ?? `case ${index + 1}`, one] as const);
  describe(code, () => {
    // An extension has the examples of the rule that it extends, which need not show its messages.
    if (!isExtension) {
      test('fires for the example of its page', async () => {
        const found = (await findingsOfExample(example)).map((finding) => finding.code);
        expect(found).toContain(code);
      });
      test('does not fire for the fixed example of its page', async () => {
        await expectFindings(rule, { yaml: fixedExample }, []);
      });
    }
    if (validCases.length > 0) {
      test.each(titled(validCases))('is silent: %s', async (_name, one) => {
        await expectFindings(rule, one, []);
      });
    }
    test.each(titled(invalid))('fires: %s', async (_name, { findings, ...one }) => {
      await expectFindings(rule, one, findings);
    });
  });
}
