/** Stands for a namespace that another program fills in, so that it may be any. No namespace has this name. */
export const ANY_NAMESPACE = '*';
