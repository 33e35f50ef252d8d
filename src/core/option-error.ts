/** Thrown for what a caller says beside the objects, such as an inventory that cannot be read: no object is at fault. */
export class OptionError extends Error {}
