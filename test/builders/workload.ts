import { sound } from '../sound-workload';

/** Builds a workload of apps/v1. Required fields that are not given get valid values. */
export function workload<Spec>(kind: string, spec: Spec, metadata: object = { name: 'web' }) {
  return sound({ apiVersion: 'apps/v1', kind, metadata, spec });
}

/** Builds a Deployment. Required fields that are not given get valid values. */
export function deployment<Spec>(spec: Spec, metadata: object = { name: 'web' }) {
  return workload('Deployment', spec, metadata);
}

/** Builds a StatefulSet. Required fields that are not given get valid values. */
export function statefulSet<Spec>(spec: Spec, metadata: object = { name: 'db' }) {
  return workload('StatefulSet', spec, metadata);
}

/** Builds a pod template with one container. */
export function podTemplate(container: object = {}, pod: object = {}) {
  return { spec: { containers: [{ name: 'app', image: 'app:1', ...container }], ...pod } };
}
