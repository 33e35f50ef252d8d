import { defineClosedList, defineClosedMap, listNames } from '../../core/values/closed-schema';
import { ANY } from '../../core/values/schema';
import type { FieldSchema } from '../../core/values/schema';

const SELECTOR = defineClosedMap({ matchLabels: ANY, matchExpressions: defineClosedList(listNames('key', 'operator', 'values')) });

/**
 * The names of all fields in the spec of a GitRepo that any supported version of Fleet has.
 *
 * Source: rancher/fleet v0.16.1 pkg/apis/fleet.cattle.io/v1alpha1/gitrepo_types.go and its CRD; the CRDs from v0.12.
 */
export const GIT_REPO_SPEC: FieldSchema = defineClosedMap({
  ...listNames('repo', 'branch', 'revision', 'paths', 'targetNamespace', 'serviceAccount', 'paused', 'forceSyncGeneration'),
  ...listNames('clientSecretName', 'helmSecretName', 'helmSecretNameForPaths', 'helmRepoURLRegex', 'caBundle', 'insecureSkipTLSVerify'),
  ...listNames('pollingInterval', 'disablePolling', 'webhookSecret', 'imageScanInterval', 'keepResources', 'deleteNamespace'),
  ...listNames('ociRegistrySecret'),
  imageScanCommit: defineClosedMap(listNames('authorName', 'authorEmail', 'messageTemplate')),
  correctDrift: defineClosedMap(listNames('enabled', 'force', 'keepFailHistory')),
  bundles: defineClosedList(listNames('base', 'options')),
  targets: defineClosedList({
    ...listNames('name', 'clusterName', 'clusterGroup'),
    clusterSelector: SELECTOR,
    clusterGroupSelector: SELECTOR,
  }),
  ociRegistry: { ...ANY, until: '0.13' },
});
