import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync, inflateSync } from 'node:zlib'

// Tests write thousands of commits, and six processes of git for each cost more than all the rest of most tests. What is
// written here is what git writes: loose objects and refs, in the form that gitformat-loose(5) and gitdatamodel(7) describe.

type ObjectType = 'blob' | 'tree' | 'commit'

interface GitObject {
  type: string
  body: Buffer
}

interface TreeEntry {
  /** `100644`, `40000`. */
  mode: string
  id: string
}

export interface CommitObject {
  tree: string
  parents: readonly string[]
  author: { name: string; email: string; at: number }
  message: string
}

/** By id, which names a content wherever it lies: a copy of a repository may have it in a pack. */
const seen = new Map<string, GitObject>()

function looseFile(gitDirectory: string, id: string): string {
  return join(gitDirectory, 'objects', id.slice(0, 2), id.slice(2))
}

/** @returns Its id. */
export function writeObject(gitDirectory: string, type: ObjectType, body: Buffer): string {
  const whole = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])
  const id = createHash('sha1').update(whole).digest('hex')
  seen.set(id, { type, body })
  const file = looseFile(gitDirectory, id)
  if (!existsSync(file)) writeWhole(file, deflateSync(whole, { level: 1 }))
  return id
}

/** Concurrent readers see all of the file or none. */
function writeWhole(file: string, bytes: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, bytes, { mode: 0o644 })
  renameSync(`${file}.new`, file)
}

/** @param id Full; of an object that the repository has. */
export function readObject(gitDirectory: string, id: string): GitObject {
  const found = seen.get(id) ?? readLoose(gitDirectory, id) ?? askGit(gitDirectory, id)
  seen.set(id, found)
  return found
}

export function hasObject(gitDirectory: string, id: string): boolean {
  if (existsSync(looseFile(gitDirectory, id))) return true
  try {
    runGit(gitDirectory, ['cat-file', '-e', id])
    return true
  } catch {
    return false
  }
}

function readLoose(gitDirectory: string, id: string): GitObject | null {
  const file = looseFile(gitDirectory, id)
  if (!existsSync(file)) return null
  const whole = inflateSync(readFileSync(file))
  const end = whole.indexOf(0)
  return { type: whole.toString('latin1', 0, whole.indexOf(0x20)), body: whole.subarray(end + 1) }
}

/** For packed objects. */
function askGit(gitDirectory: string, id: string): GitObject {
  const type = runGit(gitDirectory, ['cat-file', '-t', id]).toString('latin1').trim()
  return { type, body: runGit(gitDirectory, ['cat-file', type, id]) }
}

function runGit(gitDirectory: string, args: readonly string[]): Buffer {
  const settings = ['-c', `safe.directory=${gitDirectory}`, `--git-dir=${gitDirectory}`]
  return execFileSync('git', [...settings, ...args], {
    env: { PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

/** @returns Null for what is no commit of the repository. */
export function readCommitObject(
  gitDirectory: string,
  id: string,
): { tree: string; parents: string[]; message: string } | null {
  if (!/^[0-9a-f]{40}$/.test(id) || !hasObject(gitDirectory, id)) return null
  const { type, body } = readObject(gitDirectory, id)
  if (type !== 'commit') return null
  const [head = '', message = ''] = body.toString('utf8').split(/\n\n(.*)/s)
  const valuesOf = (name: string) =>
    head.split('\n').flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []))
  return { tree: valuesOf('tree')[0] ?? '', parents: valuesOf('parent'), message: message.trim() }
}

export function writeCommitObject(gitDirectory: string, { tree, parents, author, message }: CommitObject): string {
  const by = `${author.name} <${author.email}> ${Math.floor(author.at / 1000)} +0000`
  const head = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${by}`, `committer ${by}`]
  return writeObject(gitDirectory, 'commit', Buffer.from(`${head.join('\n')}\n\n${message.trim()}\n`))
}

/**
 * Lays files over a tree.
 *
 * @param base Of a tree or a commit; null to begin with nothing.
 * @param files By path; bytes, the id of a blob with its mode, or null to remove.
 * @returns The id of the tree.
 */
export function writeTreeObject(
  gitDirectory: string,
  base: string | null,
  files: ReadonlyMap<string, Buffer | TreeEntry | null>,
): string {
  const entries = base === null ? new Map<string, TreeEntry>() : readEntries(gitDirectory, base)
  const folders = new Map<string, Map<string, Buffer | TreeEntry | null>>()
  for (const [path, file] of files) {
    const [name = '', rest] = path.split(/\/(.*)/s)
    if (rest !== undefined) folders.set(name, (folders.get(name) ?? new Map()).set(rest, file))
    else if (file === null) entries.delete(name)
    else entries.set(name, toEntry(gitDirectory, file))
  }
  for (const [name, below] of folders) {
    const known = entries.get(name)
    const id = writeTreeObject(gitDirectory, known?.mode === '40000' ? known.id : null, below)
    if (readEntries(gitDirectory, id).size === 0) entries.delete(name)
    else entries.set(name, { mode: '40000', id })
  }
  return writeObject(gitDirectory, 'tree', Buffer.concat([...entries].toSorted(byTreeOrder).map(formatEntry)))
}

function toEntry(gitDirectory: string, file: Buffer | TreeEntry): TreeEntry {
  return Buffer.isBuffer(file) ? { mode: '100644', id: writeObject(gitDirectory, 'blob', file) } : file
}

/** A folder stands where its name with a slash would. */
function byTreeOrder([one, { mode }]: [string, TreeEntry], [other, { mode: otherMode }]: [string, TreeEntry]): number {
  const key = (name: string, ofMode: string) => Buffer.from(ofMode === '40000' ? `${name}/` : name)
  return Buffer.compare(key(one, mode), key(other, otherMode))
}

function formatEntry([name, { mode, id }]: [string, TreeEntry]): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])
}

function readEntries(gitDirectory: string, id: string): Map<string, TreeEntry> {
  const { type, body } = readObject(gitDirectory, id)
  if (type === 'commit') return readEntries(gitDirectory, body.toString('latin1', 5, 45))
  const entries = new Map<string, TreeEntry>()
  for (let start = 0; start < body.length;) {
    const end = body.indexOf(0, start)
    const [mode = '', name = ''] = body.toString('utf8', start, end).split(/ (.*)/s)
    entries.set(name, { mode, id: body.toString('hex', end + 1, end + 21) })
    start = end + 21
  }
  return entries
}

/** The id of what a path of a commit names; null where it names nothing. */
export function findInCommit(gitDirectory: string, commit: string, path: string): string | null {
  let id: string | null = commit
  for (const name of path.split('/')) {
    if (id === null || readObject(gitDirectory, id).type === 'blob') return null
    id = readEntries(gitDirectory, id).get(name)?.id ?? null
  }
  return id
}

/** The commit that a branch names; null for one that is not there. Nothing packs the refs of these repositories. */
export function readBranch(gitDirectory: string, branch: string): string | null {
  const file = join(gitDirectory, 'refs', 'heads', branch)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

/** Moves a branch whatever it names. */
export function writeBranch(gitDirectory: string, branch: string, commit: string): void {
  writeWhole(join(gitDirectory, 'refs', 'heads', branch), `${commit}\n`)
}

/** Begins a bare repository that is empty with one commit on `main`. @returns The commit. */
export function writeFirstCommit(
  gitDirectory: string,
  { files, author }: { files: ReadonlyMap<string, Buffer>; author: CommitObject['author'] },
): string {
  const tree = writeTreeObject(gitDirectory, null, files)
  const commit = writeCommitObject(gitDirectory, { tree, parents: [], author, message: 'First' })
  writeBranch(gitDirectory, 'main', commit)
  return commit
}
