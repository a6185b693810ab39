import { createReadStream, createWriteStream } from 'node:fs'
import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { replaceFile } from '../../base/replace-file.ts'
import { createBareRepository, reservedRefsPrefix } from './bare-repository.ts'
import { checkObjectId } from '../object-id.ts'
import { runGitStrictly, startGit } from '../run-git.ts'

// Takes a bare repository apart and reassembles it: its refs, and packs of the objects they reference.

/** Full ref names to full object ids; for an annotated tag the id of the tag. */
export type RefTable = ReadonlyMap<string, string>

const packTimeoutMs = 10 * 60_000
const headCharsMax = 1_000

/** All refs except the reserved ones, which are local to a machine. */
export async function readRefTable(gitDirectory: string, signal: AbortSignal): Promise<RefTable> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)']
  const output = (await runGitStrictly({ gitDirectory, args, signal })).toString('utf8')
  const refs = output
    .split('\n')
    .filter(Boolean)
    .map((line): [string, string] => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))])
  return new Map(refs.filter(([ref]) => !ref.startsWith(reservedRefsPrefix)))
}

/** Full name of the ref that `HEAD` points to. */
export async function readHead(gitDirectory: string): Promise<string> {
  const text = (await readFile(join(gitDirectory, 'HEAD'), 'utf8')).slice(0, headCharsMax).trim()
  return text.startsWith('ref: ') ? text.slice('ref: '.length) : 'refs/heads/main'
}

/** Git's record of where a shallow history ends; null for a complete one. */
export function readShallowMarks(gitDirectory: string): Promise<string | null> {
  return readFile(join(gitDirectory, 'shallow'), 'utf8').catch(() => null)
}

export interface PackInput {
  gitDirectory: string
  /** Full ids of the objects to pack, with everything reachable from them. */
  wanted: readonly string[]
  /** Full ids of what the reader already has, with everything reachable from them. */
  held: readonly string[]
  /** Output path. */
  file: string
}

/** Writes a self-contained pack. @returns Whether there was anything to pack; if not, no file remains. */
export async function writePack({ gitDirectory, wanted, held, file }: PackInput, outer: AbortSignal): Promise<boolean> {
  const signal = AbortSignal.any([outer, AbortSignal.timeout(packTimeoutMs)])
  const args = ['pack-objects', '--revs', '--stdout', '--delta-base-offset', '--quiet']
  const git = startGit({ gitDirectory, args, signal })
  const lines = [...wanted.map((id) => checkObjectId(id)), ...held.map((id) => `^${checkObjectId(id)}`)]
  git.stdin.end(lines.map((line) => `${line}\n`).join(''))
  try {
    const [{ exitCode, stderr }] = await Promise.all([
      git.ended,
      pipeline(git.stdout, createWriteStream(file, { mode: 0o600 })),
    ])
    if (exitCode !== 0) throw new Error(`git pack-objects exited with ${exitCode}: ${stderr.trim()}`)
  } catch (error) {
    git.stop()
    await rm(file, { force: true })
    throw error
  }
  if ((await countPacked(file)) > 0) return true
  await rm(file, { force: true })
  return false
}

/** The header of a pack: four letters, a version, a count. */
async function countPacked(file: string): Promise<number> {
  const handle = await open(file, 'r')
  try {
    const { buffer } = await handle.read(Buffer.alloc(12), 0, 12, 0)
    return buffer.readUInt32BE(8)
  } finally {
    await handle.close()
  }
}

/** Adds the objects of a pack to a repository. Idempotent. */
export async function installPack(
  { gitDirectory, file }: { gitDirectory: string; file: string },
  outer: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([outer, AbortSignal.timeout(packTimeoutMs)])
  const git = startGit({ gitDirectory, args: ['index-pack', '--stdin'], signal })
  git.stdout.resume()
  // If git exits early, its own error is more useful than the broken pipe.
  const feeding = pipeline(createReadStream(file), git.stdin).catch(() => undefined)
  const [{ exitCode, stderr }] = await Promise.all([git.ended, feeding])
  if (exitCode !== 0) throw new Error(`git index-pack exited with ${exitCode}: ${stderr.trim()}`)
}

export interface RefsTarget {
  gitDirectory: string
  head: string
  refs: RefTable
  shallow: string | null
}

/**
 * Sets the refs of a repository to exactly these, apart from those that pin commits. Their objects must be present.
 *
 * @throws {Error} if an object that a ref names is missing.
 */
export async function replaceRefs(target: RefsTarget, signal: AbortSignal): Promise<void> {
  const { gitDirectory, head, refs, shallow } = target
  if (shallow !== null) await replaceFile(join(gitDirectory, 'shallow'), shallow)
  const now = await readRefTable(gitDirectory, signal)
  const deleted = [...now.keys()].filter((ref) => !refs.has(ref)).map((ref) => `delete ${checkRef(ref)}`)
  const moved = [...refs]
    .filter(([ref, id]) => now.get(ref) !== id)
    .map(([ref, id]) => `update ${checkRef(ref)} ${checkObjectId(id)}`)
  // Deletions first: a name may become the folder of another.
  for (const changes of [deleted, moved]) await updateRefsAtOnce(gitDirectory, changes, signal)
  if ((await readHead(gitDirectory)) !== head) await replaceFile(join(gitDirectory, 'HEAD'), `ref: ${checkRef(head)}\n`)
}

async function updateRefsAtOnce(gitDirectory: string, changes: readonly string[], signal: AbortSignal): Promise<void> {
  if (changes.length === 0) return
  const input = ['start', ...changes, 'prepare', 'commit', ''].join('\n')
  await runGitStrictly({ gitDirectory, args: ['update-ref', '--no-deref', '--stdin'], signal }, { input })
}

/**
 * Creates a bare repository on top of another one's objects; what is written into it stays in it.
 *
 * @param view.folder Path to create; removed by the caller.
 * @param view.over The repository whose objects it shares.
 */
export async function createRepositoryView(view: Omit<RefsTarget, 'gitDirectory'> & { folder: string; over: string }) {
  const { folder, over, head, refs, shallow } = view
  await createBareRepository(folder)
  const packed = [...refs].sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
  const lines = packed.map(([ref, id]) => `${checkObjectId(id)} ${checkRef(ref)}\n`)
  await writeFile(join(folder, 'HEAD'), `ref: ${checkRef(head)}\n`)
  await writeFile(join(folder, 'objects', 'info', 'alternates'), `${join(over, 'objects')}\n`)
  await writeFile(join(folder, 'packed-refs'), `# pack-refs with: sorted \n${lines.join('')}`)
  if (shallow !== null) await writeFile(join(folder, 'shallow'), shallow)
}

/** As permissive as git, unlike `checkBranchName`: pushes may bring any name. */
function checkRef(ref: string): string {
  if (/^refs\/[^\s\p{Cc}~^:?*[\\]+$/u.test(ref) && !ref.includes('..')) return ref
  throw new Error(`${JSON.stringify(ref)} is not a full ref name.`)
}
