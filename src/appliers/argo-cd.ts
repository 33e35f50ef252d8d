import type { HookRun } from '../core/document/change';
import { annotationOf, getOwnValue } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { listAnnotationWords } from './annotations';
import { isInvalidOrConflict } from './applier';
import type { Applier } from './applier';
import { isKeptByHelm, parseHelmDeletePolicy, parseHookWeight } from './helm';

/*
 * Argo CD 3.6. By default it applies with kubectl's library, client-side. Sources: gitops-engine pkg/sync/{sync_context,hook,resource},
 * controller/sync.go.
 */

const HOOK_ANNOTATION = 'argocd.argoproj.io/hook';

/** Hooks of Argo CD, by the word of its annotation. An object whose only word is another one is a hook without a phase, and never applied. */
const SYNC_PHASES: Readonly<Record<string, boolean>> = {
  PreSync: true,
  Sync: true,
  PostSync: true,
  SyncFail: false,
  PreDelete: false,
  PostDelete: false,
};

/** Phases that Argo CD gives to Helm's hooks. It does not distinguish an upgrade from an installation, so each sync runs both. */
const PHASE_BY_HELM_EVENT: Readonly<Record<string, string>> = {
  'pre-install': 'PreSync',
  'pre-upgrade': 'PreSync',
  'post-install': 'PostSync',
  'post-upgrade': 'PostSync',
  'pre-delete': 'PreDelete',
  'post-delete': 'PostDelete',
};

const POLICY_NAMES: Readonly<Record<string, string>> = {
  BeforeHookCreation: 'before-hook-creation',
  HookSucceeded: 'hook-succeeded',
  HookFailed: 'hook-failed',
};

function parseDeletePolicy(object: Manifest): readonly string[] {
  const policies = listAnnotationWords(object, 'argocd.argoproj.io/hook-delete-policy').flatMap(
    (word) => getOwnValue(POLICY_NAMES, word) ?? [],
  );
  return policies.length > 0 ? policies : parseHelmDeletePolicy(object);
}

/** Returns the order of an object within its phase: its wave, else Helm's weight. */
function parseWave(object: Manifest): number {
  return parseHookWeight(annotationOf(object, 'argocd.argoproj.io/sync-wave') ?? annotationOf(object, 'helm.sh/hook-weight'));
}

/** Returns the words of both annotations as phases. The annotation of Argo CD wins over that of Helm. */
function listPhases(object: Manifest): readonly string[] | undefined {
  const own = listAnnotationWords(object, HOOK_ANNOTATION);
  if (own.length > 0) return own.filter((word) => getOwnValue(SYNC_PHASES, word) !== undefined);
  const events = listAnnotationWords(object, 'helm.sh/hook').map((word) => word.toLowerCase());
  if (events.length === 0 || events.includes('crd-install')) return undefined;
  return [...new Set(events.flatMap((event) => getOwnValue(PHASE_BY_HELM_EVENT, event) ?? []))];
}

/** Returns how Argo CD runs an object as a hook. */
export function findArgoCdHook(object: Manifest): HookRun | undefined {
  const phases = listPhases(object);
  if (!phases) return undefined;
  return {
    phases,
    runsOnUpgrade: phases.some((phase) => getOwnValue(SYNC_PHASES, phase)),
    weight: parseWave(object),
    deletePolicy: parseDeletePolicy(object),
  };
}

/** Returns the sync options of an object. */
function listSyncOptions(object: Manifest): readonly string[] {
  return listAnnotationWords(object, 'argocd.argoproj.io/sync-options');
}

/** Reports whether the object has a sync option: `ServerSideApply=true`. */
export function hasSyncOption(object: Manifest, option: string): boolean {
  return listSyncOptions(object).includes(option);
}

/** The error of an object that is applied server-side and with `Force=true`. */
export const FORCE_ERROR = 'error validating options: --force cannot be used with --server-side';

/**
 * Reports whether Argo CD deletes an object after the new ones are healthy: with `PruneLast=true`, or in a later wave than any of them. In its
 * own wave it deletes first, then creates. Source: gitops-engine pkg/sync/sync_context.go, `getSyncTasks`, `runTasks`.
 */
function isPrunedLast(live: Manifest, applied: readonly Manifest[]): boolean {
  if (hasSyncOption(live, 'PruneLast=true')) return true;
  const wave = parseWave(live);
  return wave > 0 && applied.every((object) => findArgoCdHook(object) !== undefined || parseWave(object) < wave);
}

/**
 * Creates the functions that report which objects Argo CD keeps, and which it deletes only once their Application has the annotation
 * argocd.argoproj.io/deletion-approved. `Delete=` is read only if the Application is deleted, and then `Prune=false` keeps nothing. An option of
 * the object overrides the default of its Application. Sources: gitops-engine pkg/sync/sync_context.go, `pruneObject`,
 * `objRequiresPruneConfirmation`; controller/appcontroller.go, `shouldBeDeleted`; controller/state.go, `isObjRequiresDeletionConfirmation`.
 *
 * @param defaults - the sync options of the Application
 */
export function createDeletionRules(defaults: readonly string[]): Required<Pick<Applier, 'keeps' | 'awaitsConfirmation'>> {
  const has = (live: Manifest, option: string) => {
    const name = option.slice(0, option.indexOf('=') + 1);
    return [...listSyncOptions(live), ...defaults].find((each) => each.startsWith(name)) === option;
  };
  return {
    keeps: (live, because) => {
      if (isKeptByHelm(live)) return true;
      return because === 'pruned' ? has(live, 'Prune=false') : has(live, 'Delete=false') || live.kind === 'CustomResourceDefinition';
    },
    awaitsConfirmation: (live, because) => has(live, 'Prune=confirm') || (because === 'source-deleted' && has(live, 'Delete=confirm')),
  };
}

/** Kinds that it reconciles like `kubectl auth reconcile`, which recreates a binding to another role. Source: gitops-engine pkg/utils/kube/resource_ops.go. */
const BINDING_KINDS: ReadonlySet<string> = new Set(['RoleBinding', 'ClusterRoleBinding']);

/** Managers of client-side applies. */
const CLIENT_SIDE_MANAGERS: ReadonlySet<string> = new Set(['kubectl-client-side-apply', 'argocd-controller']);

const ARGO_CD_RULES = {
  mode: 'argocd',
  // The label up to 2.14, the annotation since 3.0.
  marks: { labels: ['app.kubernetes.io/instance'], annotations: ['argocd.argoproj.io/tracking-id', 'argocd.argoproj.io/installation-id'] },
  hookOf: findArgoCdHook,
  recreatesAlways: (next) => hasSyncOption(next, 'Replace=true') && hasSyncOption(next, 'Force=true'),
  ...createDeletionRules([]),
  deletesLast: isPrunedLast,
} satisfies Partial<Applier>;

/** Argo CD by default: `kubectl apply`. `Force=true` alone tries the patch, and deletes and recreates only what was refused. */
export const ARGO_CD: Applier = {
  ...ARGO_CD_RULES,
  tool: 'argo-cd',
  title: 'Argo CD',
  method: 'client',
  // newApplyOptionsCommon sets no ValidationDirective, so the server only warns.
  acceptsUnknownFields: true,
  recreatesOnRefusal: (next, _live, refusal) =>
    isInvalidOrConflict(refusal) && (hasSyncOption(next, 'Force=true') || BINDING_KINDS.has(next.kind)),
};

/** Argo CD with `ServerSideApply=true`: it forces conflicts, and takes over the fields of an earlier client-side apply first. */
export const ARGO_CD_SERVER_SIDE: Applier = {
  ...ARGO_CD_RULES,
  tool: 'argo-cd-server-side',
  title: 'Argo CD with ServerSideApply=true',
  method: 'server',
  serverSide: {
    manager: 'argocd-controller',
    forcesConflicts: true,
    // kubectl applies once with the old managers, then takes over, and applies again.
    triesFirst: true,
    // It takes over the fields of every owner of the last-applied annotation: of kubectl's client-side apply, and of that of Argo CD.
    takesOver: ({ name, operation }) => CLIENT_SIDE_MANAGERS.has(name) && operation === 'Update',
  },
  // kubectl apply.go, `validate`: the object fails to sync.
  refuses: (next) => (hasSyncOption(next, 'Force=true') ? FORCE_ERROR : undefined),
};
