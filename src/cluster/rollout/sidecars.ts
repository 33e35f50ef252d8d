import { getListAt, getValueAt } from '../../core/manifest/manifest';

/** Lists the init containers that keep running next to the containers of a pod. */
export function listSidecars(podSpec: unknown): readonly unknown[] {
  return getListAt(podSpec, 'initContainers').filter((container) => getValueAt(container, 'restartPolicy') === 'Always');
}
