import { readPlatformConfig } from '../../src/systems/kserve/platform-config';
import { recorded } from './recording';

interface Parsed {
  /** The ConfigMap's `deploy` key. */
  readonly text: string;
  readonly parsed?: {
    readonly defaultDeploymentMode: string;
    readonly deploymentRolloutStrategy?: { readonly defaultRollout?: { readonly maxSurge: string; readonly maxUnavailable: string } };
  };
  readonly error?: string;
}

const texts = recorded('kserve-deploy-config') as readonly Parsed[];

function ours(text: string) {
  return readPlatformConfig({ apiVersion: 'v1', kind: 'ConfigMap', data: { deploy: text } }, '0.17');
}

/** Go reports a byte as a character: Ã for é. */
const NAMES_A_BYTE = /invalid character '[\u0080-\u00ff]'/;

describe('the deploy key of the ConfigMap, by the parser of KServe 0.17', () => {
  test('is read with the same values', () => {
    const accepted = texts.filter(({ parsed }) => parsed !== undefined);
    const read = accepted.map(({ text }) => {
      const { config } = ours(text);
      if (config === null) return { text };
      const { defaultDeploymentMode, defaultRollout } = config;
      // Go strings are never unset.
      const rollout = defaultRollout && { maxSurge: defaultRollout.maxSurge ?? '', maxUnavailable: defaultRollout.maxUnavailable ?? '' };
      return { text, defaultDeploymentMode, rollout };
    });
    expect(accepted.length).toBeGreaterThan(20);
    expect(read).toEqual(
      accepted.map(({ text, parsed }) => ({
        text,
        defaultDeploymentMode: parsed!.defaultDeploymentMode,
        rollout: parsed!.deploymentRolloutStrategy?.defaultRollout,
      })),
    );
  });

  test('is an error with the same text if the parser refuses it', () => {
    const refused = texts.filter(({ text, error }) => error !== undefined && text !== 'null' && !NAMES_A_BYTE.test(error));
    const different = refused.filter(({ text, error }) => {
      const { config, findings } = ours(text);
      return config !== null || !findings.some((finding) => finding.severity === 'error' && finding.message.includes(error!));
    });
    expect(refused.length).toBeGreaterThan(80);
    expect(different.map(({ text, error }) => ({ text, error, ours: ours(text).findings.map(({ message }) => message) }))).toEqual([]);
  });

  test('has errors that name a non-ASCII character, not its first byte as the parser does', () => {
    const refused = texts.filter(({ error = '' }) => NAMES_A_BYTE.test(error));
    expect(refused.map(({ text }) => ours(text).config)).toEqual([null, null, null, null]);
    expect(refused.at(-1)).toEqual({
      text: '{"a": é}',
      error: "unable to parse deploy config json: invalid character 'Ã' looking for beginning of value",
    });
    expect(ours('{"a": é}').findings[0]!.message).toContain("invalid character 'é' looking for beginning of value (line 1)");
  });

  test('is reported to crash the parser if it is null', () => {
    expect(texts.find(({ text }) => text === 'null')!.error).toBe(
      'panic: runtime error: invalid memory address or nil pointer dereference',
    );
    expect(ours('null').findings.map(({ message }) => message)).toEqual([
      'KServe cannot read its configuration and refuses every InferenceService of the cluster: ' +
        'the JSON is null, and its parser crashes on that (nil pointer dereference).',
    ]);
  });
});
