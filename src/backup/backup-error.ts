/** A backup cannot be written, read or restored. The message says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** @param what What ran out of room, as it appears in the message: `the backup /mnt/docent.tar`. */
export function explainFullDisk(error: unknown, what: string): unknown {
  const text = error instanceof Error ? `${'code' in error ? String(error.code) : ''} ${error.message}` : ''
  if (!/ENOSPC|EDQUOT|disk is full|no space left/iu.test(text)) return error
  return new BackupError(
    `There is no space left for ${what}. Nothing was kept of it. Free some space, or choose another disk.`,
    { cause: error },
  )
}
