import { isDeepEqual } from '../core/collections/deep-equal';
import type { Manifest } from '../core/manifest/manifest';
import type { Product, Versions } from '../core/values/versions';
import { PRODUCTS } from '../core/values/versions';
import type { PlanOptions } from '../plan/plan-options';
import { toInventoryOption } from './inventory';
import type { Inventory } from './inventory';

/** What a construct or component was given about its cluster. */
export interface RememberedContext {
  /** KServe's ConfigMap of the platform level. */
  readonly kserveConfig?: Manifest;
  readonly inventory?: Inventory;
  /** Versions of the cluster. An undefined version is not given. */
  readonly versions?: Readonly<Partial<Record<Product, string | undefined>>>;
  /** Nodes that the pods of a DaemonSet run on, as in the option of a plan. */
  readonly daemonSetNodes?: PlanOptions['daemonSetNodes'];
}

/** Options of a plan that constructs or components were given. */
type RememberedOptions = Pick<PlanOptions, 'kserveConfig' | 'clusters' | 'versions' | 'daemonSetNodes'>;

/** Returns the value if all given values are equal. */
function findSharedValue<T>(values: readonly (T | undefined)[]): T | undefined {
  const given = values.filter((value) => value !== undefined);
  const [first, ...others] = given;
  return others.every((value) => value === first || isDeepEqual(value, first)) ? first : undefined;
}

/**
 * What the constructs of an app, or the components of a stack, were given about their cluster, as options of a plan of all their objects.
 *
 * Constructs that were given different values are for different clusters, so none of these values is an option.
 */
export class PlanMemory {
  private readonly contexts: RememberedContext[] = [];
  /** Options of these contexts, because the preview of a stack reads them for each of its resources. */
  private options: RememberedOptions | undefined;

  public remember(context: RememberedContext): void {
    this.contexts.push(context);
    this.options = undefined;
  }

  public toOptions(): RememberedOptions {
    this.options ??= this.buildOptions();
    return this.options;
  }

  private buildOptions(): RememberedOptions {
    const kserveConfig = findSharedValue(this.contexts.map((context) => context.kserveConfig));
    const inventory = findSharedValue(this.contexts.map((context) => context.inventory));
    const versions = PRODUCTS.flatMap((product: keyof Versions) => {
      const version = findSharedValue(this.contexts.map((context) => context.versions?.[product]));
      return version === undefined ? [] : [[product, version] as const];
    });
    const daemonSetNodes = Object.assign({}, ...this.contexts.map((context) => context.daemonSetNodes)) as Record<string, number>;
    return {
      ...(kserveConfig && { kserveConfig }),
      ...toInventoryOption(inventory),
      ...(Object.keys(daemonSetNodes).length > 0 && { daemonSetNodes }),
      ...(versions.length > 0 && { versions: Object.fromEntries(versions) }),
    };
  }
}

/** Completes the options that the user gives with those of the constructs. */
export function withRememberedOptions<T extends PlanOptions>(options: T, remembered: PlanOptions): T {
  return { ...remembered, ...options, versions: { ...remembered.versions, ...options.versions } };
}
