/** The name of a revision before the name of a file, and the working directory. */
const BEGINNING = /^(?:git:[^:]*:)?(?:\.\/)?/;

/** Returns the path that a file of a revision has in the checkout, so that both have one name: `git:HEAD:apps/web.yaml` is `apps/web.yaml`. */
export function toCheckoutPath(file: string): string {
  return file.replace(BEGINNING, '');
}
