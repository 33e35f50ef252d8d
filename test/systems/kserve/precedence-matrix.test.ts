import { getValueAt } from '../../../src/core/manifest/manifest';
import type { Provenance } from '../../../src/core/document/provenance';
import type { PlannedRollout } from '../../../src/core/document/rollout';
import { buildInferenceService } from '../../../src/systems/kserve/manifests';
import { readPlatformConfig } from '../../../src/systems/kserve/platform-config';
import { golden, table } from './golden';
import { CELLS, configMapOf, plainServiceOf, propsOf, USER_STRATEGIES } from './matrix';
import type { Cell } from './matrix';
import { configMap, plan, rolloutOf } from './plan';

/** The short names of the levels in the tables. */
const LEVELS: Readonly<Record<string, string>> = {
  'multinode-override': 'override',
  user: 'user',
  'platform-config': 'config',
  'kserve-default': 'kserve',
  'kubernetes-default': 'server',
};

const LEGEND = `Each row is one combination. Each value is followed by the level that decided it:
override (multinode-override), user (deploymentStrategy), config (platform-config, the ConfigMap), kserve (kserve-default),
server (kubernetes-default: the API server fills in the missing fields of a deploymentStrategy).
"constructs" is what InferenceServiceRollout resolves and emits, for both head and worker. "controller" is what KServe 0.17 does with the
same service written as YAML. Rollout defaults of the ConfigMap: both values 40%/20%, one value maxSurge 40%, mode only Availability,
Availability and ResourceAware with 40%/20% in addition to the mode.`;

/** Formats type, maxSurge and maxUnavailable, each with its level. */
function formatDecision(provenance: readonly Provenance[]): string[] {
  return ['type', 'maxSurge', 'maxUnavailable'].map((field) => {
    const row = provenance.find((entry) => entry.field === field);
    return row ? `${String(row.value)} ${LEVELS[row.layer]}` : '-';
  });
}

/** Formats the decision of a planned rollout, or that Knative rolls out a Revision, or the finding that explains why there is none. */
function outcome(rollout: PlannedRollout | undefined): string[] {
  if (rollout === undefined) return ['-', '-', '-'];
  if (rollout.strategy !== null) return formatDecision(rollout.provenance);
  if (rollout.simulation?.kind === 'revision') return ['revision', '-', '-'];
  return [rollout.findings.map(({ code }) => code).join(', '), '-', '-'];
}

/** Reports whether the service itself implies mode Standard. */
function asksForStandard(cell: Cell): boolean {
  const { metadata, spec } = plainServiceOf(cell);
  return metadata?.annotations !== undefined && 'serving.kserve.io/deploymentMode' in metadata.annotations
    ? true
    : getValueAt(spec, 'predictor', 'deploymentStrategy') !== undefined;
}

function rowOf(cell: Cell): string[] {
  const config = configMapOf(cell);
  const emitted = buildInferenceService('iris', { ...propsOf(cell), platform: readPlatformConfig(config).config! });
  const { rollouts } = plan([config, plainServiceOf(cell)]);
  const worker = rollouts.find(({ resource }) => resource.component === 'worker');
  return [
    cell.rollout,
    cell.defaultMode,
    cell.annotated ? 'Standard' : '-',
    '|',
    ...formatDecision(emitted.components[0]!.provenance),
    '|',
    ...outcome(rollouts[0]),
    ...(cell.multinode ? ['|', ...outcome(worker)] : []),
  ];
}

const KEYS = ['rollout defaults', 'default mode', 'annotated'];
const HEAD = [...KEYS, ...group('constructs'), ...group('controller')];
const MULTINODE_HEAD = [...KEYS, ...group('constructs'), ...group('controller, head'), ...group('controller, worker')];

function group(title: string): string[] {
  return ['|', `${title}: type`, 'maxSurge', 'maxUnavailable'];
}

describe('the deciding level in every combination', () => {
  test('there are 504 combinations', () => {
    expect(CELLS).toHaveLength(2 * 7 * 6 * 3 * 2);
  });

  test.each(Object.keys(USER_STRATEGIES))('with the deploymentStrategy "%s" of a user', (strategy) => {
    const rows = (multinode: boolean) => CELLS.filter((cell) => cell.strategy === strategy && cell.multinode === multinode).map(rowOf);
    const written = `deploymentStrategy of the user: ${JSON.stringify(USER_STRATEGIES[strategy]) ?? 'none'}`;
    const tables = [`One node\n\n${table(HEAD, rows(false))}`, `Multinode: with workerSpec\n\n${table(MULTINODE_HEAD, rows(true))}`];
    const text = [written, LEGEND, ...tables].join('\n\n');
    expect(text).toBe(golden(`precedence/${strategy}.txt`, text));
  });

  test('every row shows the stored values: a planned strategy has the values of its provenance', () => {
    for (const cell of CELLS) {
      const { rollouts } = plan([configMapOf(cell), plainServiceOf(cell)]);
      for (const { strategy, provenance } of rollouts.filter((rollout) => rollout.strategy !== null)) {
        const { type, ...rollingUpdate } = Object.fromEntries(provenance.map(({ field, value }) => [field, value]));
        expect(strategy).toEqual(type === 'Recreate' ? { type } : { type, rollingUpdate });
      }
    }
  });

  const withoutDefaults = CELLS.filter(({ rollout, defaultMode }) => rollout === 'none' && defaultMode === 'Standard');

  test('a missing ConfigMap equals one with default mode Standard and no rollout defaults, if the service implies that mode', () => {
    const cells = withoutDefaults.filter((cell) => asksForStandard(cell));
    expect(cells).toHaveLength(26);
    for (const cell of cells) {
      const { findings, rollouts } = plan([plainServiceOf(cell)]);
      expect(findings.map(({ code }) => code)).toEqual(['kserve/no-platform-config']);
      expect(rollouts).toEqual(plan([configMapOf(cell), plainServiceOf(cell)]).rollouts);
    }
  });

  test('a missing ConfigMap equals one with default mode Knative, if nothing determines the mode', () => {
    const cells = withoutDefaults.filter((cell) => !asksForStandard(cell));
    expect(cells).toHaveLength(2);
    for (const cell of cells) {
      const { findings, rollouts } = plan([plainServiceOf(cell)]);
      expect(findings.map(({ code, severity }) => [severity, code])).toEqual([['warning', 'kserve/no-platform-config']]);
      expect(rollouts).toEqual(plan([configMap({ defaultDeploymentMode: 'Knative' }), plainServiceOf(cell)]).rollouts);
    }
  });
});

test('the plan lists every overridden level with the reason', () => {
  const cell = CELLS.find(
    ({ strategy, multinode, rollout, defaultMode, annotated }) =>
      strategy === 'max-surge-only' && !multinode && rollout === 'both values' && defaultMode === 'Standard' && !annotated,
  )!;
  expect(rolloutOf(plan([configMapOf(cell), plainServiceOf(cell)]), 'predictor').provenance).toMatchInlineSnapshot(`
[
  {
    "field": "type",
    "layer": "user",
    "overridden": [
      {
        "layer": "kserve-default",
        "reason": "the component has a deploymentStrategy, which KServe copies entirely",
        "value": "RollingUpdate",
      },
    ],
    "reason": "The deploymentStrategy of the component replaces every lower level entirely.",
    "value": "RollingUpdate",
  },
  {
    "field": "maxSurge",
    "layer": "user",
    "overridden": [
      {
        "layer": "platform-config",
        "reason": "the component has a deploymentStrategy, which KServe copies entirely",
        "value": "40%",
      },
      {
        "layer": "kserve-default",
        "reason": "the component has a deploymentStrategy, which KServe copies entirely",
        "value": "25%",
      },
    ],
    "reason": "The deploymentStrategy of the component replaces every lower level entirely.",
    "value": 2,
  },
  {
    "field": "maxUnavailable",
    "layer": "kubernetes-default",
    "overridden": [
      {
        "layer": "platform-config",
        "reason": "the component has a deploymentStrategy, which KServe copies entirely",
        "value": "20%",
      },
      {
        "layer": "kserve-default",
        "reason": "the component has a deploymentStrategy, which KServe copies entirely",
        "value": "25%",
      },
    ],
    "reason": "KServe copies the entire deploymentStrategy, and the API server fills in missing fields.",
    "value": "25%",
  },
]
`);
});

/** Returns each overridden level of a limit, with the reason. */
function reasonsOf(component: string, field: string, filter: Partial<Cell>) {
  const cell = CELLS.find((candidate) => Object.entries(filter).every(([key, value]) => candidate[key as keyof Cell] === value))!;
  const { provenance } = rolloutOf(plan([configMapOf(cell), plainServiceOf(cell)]), component);
  return provenance.find((entry) => entry.field === field)!.overridden.map(({ layer, reason }) => `${layer}: ${reason}`);
}

describe('an overridden level has a reason', () => {
  const DEFAULTS: Partial<Cell> = { rollout: 'both values', defaultMode: 'Standard', annotated: true };

  test('the ConfigMap, if its default mode makes it inactive, whichever level decides', () => {
    const inactive: Partial<Cell> = { ...DEFAULTS, defaultMode: 'Knative', multinode: false };
    const reason = 'the default deployment mode is Knative, not Standard, so the rollout defaults of the ConfigMap do not apply';
    expect(reasonsOf('predictor', 'maxSurge', { ...inactive, strategy: 'no-strategy' })).toEqual([`platform-config: ${reason}`]);
    expect(reasonsOf('predictor', 'maxSurge', { ...inactive, strategy: 'full' })).toEqual([
      `platform-config: ${reason}`,
      'kserve-default: the component has a deploymentStrategy, which KServe copies entirely',
    ]);
  });

  test('the default of KServe, below the ConfigMap', () => {
    expect(reasonsOf('predictor', 'maxSurge', { ...DEFAULTS, multinode: false, strategy: 'no-strategy' })).toEqual([
      'kserve-default: the ConfigMap has rollout defaults, which take precedence',
    ]);
  });

  test('every level, for the worker that KServe overrides', () => {
    const reason = 'KServe replaces the rolling update of a multinode worker, whatever other levels set';
    expect(reasonsOf('worker', 'maxSurge', { ...DEFAULTS, multinode: true, strategy: 'full' })).toEqual([
      `user: ${reason}`,
      `platform-config: ${reason}`,
      `kserve-default: ${reason}`,
    ]);
  });
});
