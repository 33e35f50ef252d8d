/** The checks of `rolloutkit check` for every Kubernetes resource of a stack. */
import { rolloutPolicyPack } from 'rolloutkit/pulumi-policy';

rolloutPolicyPack('rollouts', { versions: { kubernetes: '1.34', kserve: '0.17' } });
