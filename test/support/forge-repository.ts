import { rmSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBareRepository, importFolder } from '../../src/git/bare-repository.ts'
import { findMergeBase, listCommits } from '../../src/git/diff-commits.ts'
import { mergeTrees, writeMergeCommit } from '../../src/git/merge-commits.ts'
import { deleteRef, updateRef } from '../../src/git/refs.ts'
import { resolveObject } from '../../src/git/resolve-commit.ts'
import { writeCommit } from '../../src/git/write-commit.ts'
import { writeTree } from '../../src/git/write-tree.ts'

/** The bare repository behind a forge of tests: branches, commits and merges are git's own. */
export interface ForgeGitRepository {
  readonly gitDirectory: string
  /** The commit that a branch names; null for one that is not there. */
  tip(branch: string): Promise<string | null>
  /** Writes a commit that changes files over another, and moves nothing. Null bytes remove. @returns Its id. */
  writeCommit(change: { parent: string; files: ReadonlyMap<string, Buffer | null>; message: string }): Promise<string>
  /** The id of a file in a commit; null where it is not there. */
  findFile(commit: string, path: string): Promise<string | null>
  /** A commit; null for one that is not there. */
  readCommit(id: string): Promise<{ id: string; parents: string[]; message: string; tree: string } | null>
  /** Moves a branch whatever it names, as a forced push does. */
  setBranch(branch: string, commit: string): Promise<void>
  removeBranch(branch: string): Promise<void>
  /** Merges one branch into another with a commit. @returns The commit of the merge; null for a conflict. */
  merge(branches: { from: string; into: string; message: string }): Promise<string | null>
  /** Whether two branches join; where they do, whether the first holds all of the second. */
  compare(branches: { from: string; into: string }): Promise<{ merges: boolean; mergeBase: string | null }>
  remove(): Promise<void>
}

const { signal } = new AbortController()
const author = { name: 'A. Writer', email: 'writer@example.com', at: 1_732_000_000_000 }

/** Every test begins with a copy of one repository, which costs less than making it. */
let made: Promise<string> | null = null

async function makeRepository(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-forge-first-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const gitDirectory = join(folder, 'repository.git')
  await createBareRepository(gitDirectory, signal)
  const files = { paths: ['page.md'], read: async () => Buffer.from('Old\n') }
  const first = { gitDirectory, files, branch: 'main', author, message: 'First', scratchFolder: folder }
  await importFolder(first, signal)
  return gitDirectory
}

/** With one commit on `main` that holds `page.md`. */
export async function createForgeRepository(): Promise<ForgeGitRepository> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-forge-'))
  const gitDirectory = join(folder, 'repository.git')
  made ??= makeRepository()
  await cp(await made, gitDirectory, { recursive: true })
  // Read as a file, because forges are asked for branches all the time: nothing packs them here.
  const tip = async (branch: string) => {
    const written = await readFile(join(gitDirectory, 'refs', 'heads', branch), 'utf8').catch(() => null)
    return written?.trim() ?? null
  }
  const compared = new Map<string, Promise<{ merges: boolean; mergeBase: string | null }>>()
  const sides = async ({ from, into }: { from: string; into: string }) => {
    const [theirs, ours] = await Promise.all([tip(from), tip(into)])
    if (theirs === null || ours === null) throw new Error(`There is no branch ${theirs === null ? from : into}.`)
    return { gitDirectory, theirs, ours }
  }

  return {
    gitDirectory,
    tip,
    async writeCommit({ parent, files: changed, message }) {
      const entries = [...changed].map(([path, bytes]) => {
        return [path, bytes === null ? null : { bytes, isExecutable: false }] as const
      })
      const written = { gitDirectory, base: parent, files: new Map(entries), scratchFolder: folder }
      const tree = await writeTree(written, signal)
      return writeCommit({ gitDirectory, tree, parents: [parent], author, message }, signal)
    },
    findFile: (commit, path) => resolveObject(gitDirectory, `${commit}:${path}`, signal),
    async readCommit(id) {
      const known = await resolveObject(gitDirectory, `${id}^{commit}`, signal)
      const tree = await resolveObject(gitDirectory, `${id}^{tree}`, signal)
      if (known === null || tree === null) return null
      const [found] = await listCommits({ gitDirectory, from: null, to: known, limit: 1 }, signal)
      return { id: known, tree, parents: found?.parents ?? [], message: found?.message ?? '' }
    },
    async setBranch(branch, commit) {
      const ref = `refs/heads/${branch}`
      await updateRef({ gitDirectory, ref, to: commit, expected: await tip(branch) }, signal)
    },
    async removeBranch(branch) {
      const expected = await tip(branch)
      if (expected !== null) await deleteRef({ gitDirectory, ref: `refs/heads/${branch}`, expected }, signal)
    },
    async merge({ message, ...branches }) {
      const { ours, theirs } = await sides(branches)
      const merged = await mergeTrees({ gitDirectory, ours, theirs }, signal)
      if (!merged.clean) return null
      const parents: [string, string] = [ours, theirs]
      const commit = await writeMergeCommit({ gitDirectory, tree: merged.tree, parents, author, message }, signal)
      await updateRef({ gitDirectory, ref: `refs/heads/${branches.into}`, to: commit, expected: ours }, signal)
      return commit
    },
    async compare(branches) {
      const both = await sides(branches)
      const key = `${both.ours} ${both.theirs}`
      const known = compared.get(key) ?? compareCommits(both)
      compared.set(key, known)
      return known
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function compareCommits(both: { gitDirectory: string; ours: string; theirs: string }) {
  const mergeBase = await findMergeBase(both, signal)
  return { mergeBase, merges: mergeBase !== null && (await mergeTrees(both, signal)).clean }
}
