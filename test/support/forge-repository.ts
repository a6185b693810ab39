import { cpSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBareRepository } from '../../src/git/repositories/bare-repository.ts'
import { findMergeBase } from '../../src/git/commits/diff-commits.ts'
import { mergeTrees } from '../../src/git/commits/merge-commits.ts'
import { writeCommit } from '../../src/git/commits/write-commit.ts'
import { runGitStrictly } from '../../src/git/run-git.ts'
import {
  findInCommit,
  readBranch,
  readCommitObject,
  writeBranch,
  writeCommitObject,
  writeFirstCommit,
  writeTreeObject,
} from './loose-objects.ts'

/** The bare repository behind a forge of tests: branches, commits and merges are git's own. */
export interface ForgeGitRepository {
  readonly gitDirectory: string
  /** The commit that a branch names; null for one that is not there. */
  tip(branch: string): string | null
  /** Writes a commit that changes files over another, and moves nothing. Null bytes remove. @returns Its id. */
  writeCommit(change: { parent: string; files: ReadonlyMap<string, Buffer | null>; message: string }): string
  /** The id of a file in a commit; null where it is not there. */
  findFile(commit: string, path: string): string | null
  /** A commit; null for one that is not there. */
  readCommit(id: string): { id: string; parents: string[]; message: string; tree: string } | null
  /** Moves a branch whatever it names, as a forced push does. */
  setBranch(branch: string, commit: string): void
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
  await createBareRepository(gitDirectory)
  writeFirstCommit(gitDirectory, { files: new Map([['page.md', Buffer.from('Old\n')]]), author })
  return gitDirectory
}

/** With one commit on `main` that holds `page.md`. */
export async function createForgeRepository(): Promise<ForgeGitRepository> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-forge-'))
  const gitDirectory = join(folder, 'repository.git')
  made ??= makeRepository()
  cpSync(await made, gitDirectory, { recursive: true })
  const tip = (branch: string) => readBranch(gitDirectory, branch)
  const sides = ({ from, into }: { from: string; into: string }) => {
    const [theirs, ours] = [tip(from), tip(into)]
    if (theirs === null || ours === null) throw new Error(`There is no branch ${theirs === null ? from : into}.`)
    return { gitDirectory, theirs, ours }
  }

  return {
    gitDirectory,
    tip,
    writeCommit({ parent, files, message }) {
      const tree = writeTreeObject(gitDirectory, parent, files)
      return writeCommitObject(gitDirectory, { tree, parents: [parent], author, message })
    },
    findFile: (commit, path) => findInCommit(gitDirectory, commit, path),
    readCommit(id) {
      const found = readCommitObject(gitDirectory, id)
      return found === null ? null : { id, ...found }
    },
    setBranch: (branch, commit) => writeBranch(gitDirectory, branch, commit),
    async removeBranch(branch) {
      const expected = tip(branch)
      if (expected === null) return
      const args = ['update-ref', '-d', `refs/heads/${branch}`, expected]
      await runGitStrictly({ gitDirectory, args, signal })
    },
    async merge({ message, ...branches }) {
      const { ours, theirs } = sides(branches)
      const merged = await mergeTrees({ gitDirectory, ours, theirs }, signal)
      if (!merged.clean) return null
      const parents: [string, string] = [ours, theirs]
      const commit = await writeCommit({ gitDirectory, tree: merged.tree, parents, author, message }, signal)
      writeBranch(gitDirectory, branches.into, commit)
      return commit
    },
    async compare(branches) {
      const both = sides(branches)
      const key = `${both.ours} ${both.theirs}`
      const known = compared.get(key) ?? compareCommits(both)
      compared.set(key, known)
      return known
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** By the ids of both, which say all that can be found out. */
const compared = new Map<string, Promise<{ merges: boolean; mergeBase: string | null }>>()

async function compareCommits(both: { gitDirectory: string; ours: string; theirs: string }) {
  const mergeBase = await findMergeBase(both, signal)
  return { mergeBase, merges: mergeBase !== null && (await mergeTrees(both, signal)).clean }
}
