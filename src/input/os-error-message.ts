const OS_ERROR_MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'too many symbolic links',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  ENXIO: 'it is a socket, or a device that does not exist',
  ENOSPC: 'no space left on the device',
  ENAMETOOLONG: 'the name is too long',
  ERR_STRING_TOO_LONG: 'the file is too large',
  ERR_FS_FILE_TOO_LARGE: 'the file is too large',
};

/** Describes why a file cannot be read, without the path, which may be absolute: `no such file or folder`. */
export function describeOsError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code !== undefined && OS_ERROR_MESSAGES[code]) || code || message;
}
