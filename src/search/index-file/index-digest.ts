import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { syncPath } from './sync-path.ts'

// The name of an index file ends with the digest of its bytes. SQLite does not detect most changes inside a page, so a
// damaged index would give wrong answers.

const digestInName = /_([0-9a-f]{64})\.sqlite$/

/** Renames a finished index file to include its digest. @returns The new name, without its folder. */
export async function nameByDigest(file: string): Promise<string> {
  const name = `${basename(file, '.sqlite')}_${await digestFile(file)}.sqlite`
  await rename(file, join(dirname(file), name))
  syncPath(dirname(file))
  return name
}

/**
 * Whether a file matches the digest in its name; false without one. Reads the whole file.
 *
 * @throws {Error} from the file system, if the file cannot be read.
 */
export async function hasItsDigest(file: string): Promise<boolean> {
  return digestInName.exec(file)?.[1] === (await digestFile(file))
}

/** SHA-256 in hexadecimal. */
async function digestFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
