import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'

/** Writes a file that only this user may read. Renamed into place, so that nobody reads a part of it. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const staged = `${file}.${randomUUID()}.new`
  try {
    await writeFile(staged, content, { mode: 0o600 })
    await rename(staged, file)
  } catch (error) {
    // Each attempt has another name: on a full disk they would pile up.
    await rm(staged, { force: true })
    throw error
  }
}
