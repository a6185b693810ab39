import { createHash } from 'node:crypto'
import { findSecrets, type FoundSecret } from '../../base/secrets/find-secrets.ts'
import type { FileTree } from '../trees/file-tree.ts'
import type { ChangedFile } from './changed-files.ts'
import { type Fault, makeFault } from './problem.ts'

interface SecretInFile extends FoundSecret {
  path: string
  /** Null if the secret is in the path itself. */
  line: number | null
}

/**
 * Finds the keys, tokens and passwords that a change brings into a site. A value that occurs anywhere in the files before
 * is none, because what is published cannot leak. Reads all of them only if there is something to look for.
 *
 * @param input.allowedSecrets SHA-256 hashes of values that an owner declared not to be secrets.
 */
export async function findAddedSecrets(
  {
    before,
    files,
    allowedSecrets = [],
  }: { before: FileTree; files: readonly ChangedFile[]; allowedSecrets?: readonly string[] | undefined },
  signal: AbortSignal,
): Promise<Fault[]> {
  const found = files.flatMap(listSecrets)
  const values = new Set(found.map(({ value }) => value))
  forget(values, (value) => allowedSecrets.includes(hashSecret(value)))
  for (const { before: text } of files) forget(values, (value) => text?.includes(value) === true)
  await forgetKnown(values, before, signal)
  return found.filter(({ value }) => values.has(value)).map(toFault)
}

function listSecrets({ path, after, isDeleted }: ChangedFile): SecretInFile[] {
  const inPath = isDeleted ? [] : findSecrets(path).map((found) => ({ ...found, path, line: null }))
  if (after === null) return inPath
  const inText = findSecrets(after).map((found) => ({
    ...found,
    path,
    line: after.slice(0, found.start).split(/\r\n|\r|\n/).length,
  }))
  return [...inPath, ...inText]
}

function hashSecret(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}

async function forgetKnown(values: Set<string>, tree: FileTree, signal: AbortSignal): Promise<void> {
  for (const path of tree.paths) {
    if (values.size === 0) return
    signal.throwIfAborted()
    const bytes = Buffer.from(await tree.read(path))
    forget(values, (value) => path.includes(value) || bytes.includes(value))
  }
}

function forget(values: Set<string>, isKnown: (value: string) => boolean): void {
  for (const value of values) if (isKnown(value)) values.delete(value)
}

function toFault({ kind, value, path, line, isPublishable }: SecretInFile): Fault {
  const at = { path, line, detail: value }
  const place = line === null ? 'The path' : 'The line'
  if (isPublishable) {
    const message = `${place} contains ${kind}, which is made to be public. Make sure that it is not of a real account.`
    return makeFault({ ...at, rule: 'publishable-key', message })
  }
  const message = `${place} contains what looks like ${kind}. Replace it with a placeholder such as YOUR_API_KEY. If it is no secret, an owner can allow it by its hash, in the settings of the site: ${hashSecret(value)}`
  return makeFault({ ...at, rule: 'secret', message })
}
