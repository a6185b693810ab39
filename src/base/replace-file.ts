import { randomUUID } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'

/** Writes a file that only this user may read. Renamed into place, so that nobody reads a part of it. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const staged = `${file}.${randomUUID()}.new`
  await writeFile(staged, content, { mode: 0o600 })
  await rename(staged, file)
}
