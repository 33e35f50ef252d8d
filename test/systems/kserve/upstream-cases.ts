import type { Fields } from '../../../src/core/manifest/manifest';
import type { DeploymentStrategySpec } from '../../../src/workloads/deployment/types';
import { upstreamTables } from '../../upstream/recording';

type Annotations = Readonly<Record<string, string>>;
/** A GPU type and its count; none if nothing is written. */
type Gpus = Readonly<Record<string, string>>;

interface Sizes {
  readonly pipelineParallelSize: number;
  readonly tensorParallelSize: number;
}

/** A part of KServe's error, if it refuses. */
interface Refusable {
  readonly refused?: string;
}

/** A Deployment, with the fields that upstream checks. */
export interface DeploymentFigures {
  readonly name?: string;
  readonly strategy: DeploymentStrategySpec;
  readonly replicas?: number;
  readonly selector?: Annotations;
  readonly gpus?: Gpus;
}

/** The rows of KServe's own test tables: inputs and results. */
interface Rows {
  readonly storedDefaults: { readonly strategy: DeploymentStrategySpec | null; readonly stored: DeploymentStrategySpec };
  readonly written: { readonly user?: DeploymentStrategySpec; readonly deploy: Fields | null; readonly written: DeploymentStrategySpec };
  readonly deployments: Partial<Sizes> & {
    readonly headGpus?: Gpus;
    readonly workerGpus?: Gpus;
    readonly count?: number;
    readonly deployments?: readonly DeploymentFigures[];
  };
  readonly recreate: {
    readonly annotations: Annotations;
    readonly predictor: Fields;
    readonly stored: DeploymentStrategySpec;
    readonly replicas: number;
    readonly revisionHistoryLimit: number;
    readonly progressDeadlineSeconds: number;
  };
  readonly rayNodes: Sizes &
    Refusable & {
      readonly head: Gpus;
      readonly worker: Gpus;
      readonly nodes?: number;
      readonly workers?: number;
      readonly headGpus?: Gpus;
      readonly workerGpus?: Gpus;
    };
  readonly mpNodes: Sizes & { readonly nodes: number; readonly headGpus: number; readonly workerGpus: number };
  readonly modes: { readonly status: string; readonly annotations: Annotations; readonly default: string; readonly mode: string };
  readonly configs: Refusable & { readonly deploy: string | null; readonly defaultMode?: string };
  readonly webhook: { readonly strategy: DeploymentStrategySpec; readonly refused: string };
  readonly modesWithDeployments: { readonly modes: readonly string[]; readonly made: readonly string[]; readonly refused: string };
  readonly stableReplicas: {
    readonly minReplicas: number;
    /** `ready` is omitted if the status does not contain the canary. */
    readonly canaries: readonly {
      readonly name: string;
      readonly trafficPercent: number;
      readonly minReplicas?: number;
      readonly ready?: boolean;
    }[];
    readonly remaining: number;
  };
  readonly canaries: Refusable & {
    readonly mode: string;
    readonly predictor?: Fields;
    /** Whether the predictor is a custom container instead of a model. */
    readonly container?: true;
    readonly canary?: readonly { readonly trafficPercent: number; readonly predictor: Fields }[];
  };
}

/** KServe's own test tables, except those about LLMInferenceService, which is another resource. */
export const KSERVE_TABLES = upstreamTables<Rows>('kserve-tables');

/** A row of a table. */
export type Row<Table extends keyof Rows> = Rows[Table];
