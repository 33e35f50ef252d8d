import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { IConstruct } from 'constructs';
import type { ApiObject } from 'cdk8s';
import type { Finding } from '../core/findings/finding';
import { isFields, isManifest, nameOf } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { findPodErrors } from '../props/pod-errors';
import { locateField } from './call-sites';
import { isRejectedConstruct } from './validate-props';
import { MAX_FILE_MEGABYTES } from '../core/findings/input-problem';
import { BYTES_PER_MEGABYTE } from '../input/read-budget';
import { readLimited } from '../input/read-limited';
import { replaceFile } from '../input/replace-file';
import { withSummary } from '../core/document/plan-document';
import type { PlanDocument } from '../core/document/plan-document';
import { mergeGoalOrigins } from '../props/goal-origin';
import type { ObjectGoalOrigin } from '../props/goal-origin';
import { mergeServiceIntents } from '../props/inference-service';
import type { ServiceIntent } from '../props/inference-service';
import { PlanMemory } from '../props/plan-memory';
import type { RememberedContext } from '../props/plan-memory';
import type { PlanOptions } from '../plan/plan-options';
import { CONFIG_MAP_NAME } from '../systems/kserve/platform-config';

/** What the constructs of an app know and their manifests do not show, as plain data. */
export interface AppKnowledge {
  readonly options: Pick<PlanOptions, 'kserveConfig' | 'clusters' | 'versions' | 'daemonSetNodes'>;
  readonly services: readonly ServiceIntent[];
  /** Goals that strategies follow from. */
  readonly goals: readonly ObjectGoalOrigin[];
  /** Findings that only the constructs can make. */
  readonly findings: readonly Finding[];
}

/** What a construct knows of its object. It is read when the app is planned, because patches may change the object. */
export interface ConstructKnowledge {
  readonly service?: () => ServiceIntent;
  readonly goals?: () => readonly ObjectGoalOrigin[];
  readonly findings?: () => readonly Finding[];
}

/** File in the output folder for the validation plugin, which runs in another process. kubectl reads no file without an extension. */
export const KNOWLEDGE_FILE = '.rolloutkit';

class AppMemory {
  private readonly plans = new PlanMemory();
  private readonly services: (() => ServiceIntent)[] = [];
  private readonly goals: (() => readonly ObjectGoalOrigin[])[] = [];
  private readonly findings: (() => readonly Finding[])[] = [];

  public remember(context: RememberedContext, { service, goals, findings }: ConstructKnowledge): void {
    this.plans.remember(context);
    if (service) this.services.push(service);
    if (goals) this.goals.push(goals);
    if (findings) this.findings.push(findings);
  }

  public read(): AppKnowledge {
    return {
      options: this.plans.toOptions(),
      services: this.services.map((get) => get()),
      goals: this.goals.flatMap((get) => get()),
      findings: this.findings.flatMap((get) => get()),
    };
  }
}

const MEMORIES = new WeakMap<IConstruct, AppMemory>();

/** Reports whether the cdk8s CLI runs the app and then its validation plugins. It sets the variable only if there is one. */
function isValidatedByCli(): boolean {
  return process.env.CDK8S_RECORD_CONSTRUCT_METADATA === 'true';
}

/** Writes what the constructs know next to the manifests. cdk8s validates once for each chart, so an unchanged text is not written again. */
function writeForPlugin(root: IConstruct & { readonly outdir?: string }, memory: AppMemory): void {
  let written = '';
  const validate = () => {
    const text = JSON.stringify(memory.read());
    if (root.outdir !== undefined && text !== written) replaceFile(path.join(root.outdir, KNOWLEDGE_FILE), text);
    written = text;
    return [];
  };
  root.node.addValidation({ validate });
}

/** Remembers what a construct was given, for the plan of the app. */
export function recordContext(construct: IConstruct, context: RememberedContext, knowledge: ConstructKnowledge = {}): void {
  const { root } = construct.node;
  let memory = MEMORIES.get(root);
  if (!memory) {
    memory = new AppMemory();
    MEMORIES.set(root, memory);
    if (isValidatedByCli()) writeForPlugin(root, memory);
  }
  memory.remember(context, knowledge);
}

/** Returns what the constructs of an app know. */
export function readAppKnowledge(app: IConstruct): AppKnowledge {
  return MEMORIES.get(app)?.read() ?? NO_KNOWLEDGE;
}

/** Returns the file of an output folder: next to a manifest, or above its folder, since an app may write a folder for each chart. */
function findKnowledgeFile(manifests: readonly string[]): string | undefined {
  const folders = manifests.slice(0, 1).flatMap((manifest) => [path.dirname(manifest), path.dirname(path.dirname(manifest))]);
  return folders.map((folder) => path.join(folder, KNOWLEDGE_FILE)).find((file) => existsSync(file));
}

const NO_KNOWLEDGE: AppKnowledge = { options: {}, services: [], goals: [], findings: [] };

function isAppKnowledge(value: unknown): value is AppKnowledge {
  return isFields(value) && isFields(value.options) && [value.services, value.goals, value.findings].every(Array.isArray);
}

/** Reads what the constructs of the app that wrote these manifests know. */
export function readKnowledgeFile(manifests: readonly string[]): AppKnowledge {
  const file = findKnowledgeFile(manifests);
  if (file === undefined) return NO_KNOWLEDGE;
  try {
    const bytes = statSync(file).isFile() ? readLimited(file, MAX_FILE_MEGABYTES * BYTES_PER_MEGABYTE) : undefined;
    const knowledge: unknown = JSON.parse(bytes?.toString('utf8') ?? '');
    return isAppKnowledge(knowledge) ? knowledge : NO_KNOWLEDGE;
  } catch {
    // The file only adds to the plan, so a damaged one is like none.
    return NO_KNOWLEDGE;
  }
}

/** Returns the options for a plan of these objects. A ConfigMap among them is the platform level that the app applies. */
export function selectKnownOptions({ options }: AppKnowledge, objects: readonly unknown[]): PlanOptions {
  const { kserveConfig, ...others } = options;
  const hasConfigMap = objects.some((object) => isManifest(object) && object.kind === 'ConfigMap' && nameOf(object) === CONFIG_MAP_NAME);
  return hasConfigMap || kserveConfig === undefined ? others : { ...others, kserveConfig };
}

/** Merges the levels and the findings that only the constructs know into a plan of the app. */
export function withAppKnowledge<Document extends PlanDocument>(plan: Document, { services, goals, findings }: AppKnowledge): Document {
  const known = mergeGoalOrigins(mergeServiceIntents(plan, services), goals);
  if (findings.length === 0) return known;
  return withSummary({ ...known, findings: [...known.findings, ...findings] });
}

/** Returns findings that only a construct can make, with its object and the line of the user. */
export function locateFindings(construct: IConstruct, { kind, name, metadata }: ApiObject, findings: readonly Finding[]): Finding[] {
  if (findings.length === 0) return [];
  const { namespace } = metadata;
  const source = locateField(construct, '');
  const object = { kind, ...(namespace !== undefined && { namespace }), name };
  return findings.map((finding) => ({ ...finding, object, ...(source && { source }) }));
}

/**
 * Returns the findings about the pods of the complete objects of a construct. Each has the line of the user. A construct whose props
 * are refused has none, because its objects are not those that the user wanted.
 */
export function findPodErrorsOf(construct: IConstruct, objects: readonly ApiObject[]): Finding[] {
  if (isRejectedConstruct(construct)) return [];
  const source = locateField(construct, '');
  const found = objects.flatMap((object) => findPodErrors(object.toJson() as Manifest));
  // Each stage of an upgrade has the same object.
  const byField = new Map(found.map((finding) => [JSON.stringify([finding.object, finding.path]), finding]));
  return [...byField.values()].map((finding) => ({ ...finding, ...(source && { source }) }));
}
