import type { AnyRule } from '../../../core/findings/finding';
import { daemonSetNodesDown } from './daemonset-nodes-down';
import { daemonSetInvalidStrategy } from './invalid-strategy';
import { noNodes } from './no-nodes';
import { daemonSetSurgeHostPort } from './daemonset-surge-host-port';

/** The rules that apply only to DaemonSets. */
export const DAEMON_SET_RULES: readonly AnyRule[] = [daemonSetNodesDown, noNodes, daemonSetSurgeHostPort, daemonSetInvalidStrategy];
