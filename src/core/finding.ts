/** How bad a finding is: `error` will be refused or never finish, `warning` works but is likely not meant, `info` explains. */
export type Severity = 'error' | 'warning' | 'info';

/** Where in the input a finding stands. Lines and columns count from 1. */
export interface Source {
  /** The file as reached from the path given on the command line, `-` for standard input. */
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

/** One thing that a user should know about their input. */
export interface Finding {
  /** Stable code, e.g. `kubernetes/quoted-integer`; each has a page `docs/rules/<code>.md`. */
  readonly code: string;
  readonly severity: Severity;
  /** Field path as the API server writes it, e.g. `spec.strategy.rollingUpdate.maxSurge`. */
  readonly path: string;
  /** What was seen and why it matters. Stands alone and names the value seen. */
  readonly message: string;
  /** What to write instead. */
  readonly help?: string;
  readonly source?: Source;
}

/** A finding on one line: `[kubernetes/quoted-integer] spec.strategy.rollingUpdate.maxSurge: … Write 1 without quotes.` */
export function findingLine({ code, path, message, help }: Finding): string {
  const place = path === '' ? '' : ` ${path}:`;
  return [`[${code}]${place} ${message}`, ...(help === undefined ? [] : [help])].join(' ');
}

/** What is known of a code before any input is read; the pages in `docs/rules/` are written from it. */
export interface FindingRule {
  /** The severity; several where the circumstances decide, the usual one first. */
  readonly severity: Severity | readonly Severity[];
  /** One line: when it fires. */
  readonly fires: string;
  /** Why that matters: what the controller does, by version where that differs. */
  readonly why: string;
  /** What to write instead. */
  readonly fix: string;
  /** The smallest YAML that makes it fire. */
  readonly example: string;
  /** The same YAML made right. */
  readonly fixed: string;
}

/** Rules by code. */
export type FindingCatalogue = Readonly<Record<string, FindingRule>>;

/** The parts of a finding that one occurrence decides. */
export interface FindingDetail {
  readonly path: string;
  readonly message: string;
  readonly help?: string;
  readonly severity?: Severity;
  readonly source?: Source;
}

/** The first severity of a rule is the one it has unless an occurrence says otherwise. */
export function usualSeverity(rule: FindingRule): Severity {
  return typeof rule.severity === 'string' ? rule.severity : rule.severity[0]!;
}

/**
 * Makes findings of one catalogue, so that no code is used that has no page.
 *
 * @example
 * const finding = findingsOf(KUBERNETES_CATALOGUE);
 * finding('kubernetes/paused', { path: 'spec.paused', message: '…' });
 */
export function findingsOf<C extends FindingCatalogue>(catalogue: C) {
  return (code: keyof C & string, detail: FindingDetail): Finding => ({
    code,
    severity: detail.severity ?? usualSeverity(catalogue[code]!),
    path: detail.path,
    message: detail.message,
    ...(detail.help !== undefined && { help: detail.help }),
    ...(detail.source !== undefined && { source: detail.source }),
  });
}
