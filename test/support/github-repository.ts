import { execFileSync } from 'node:child_process'
import {
  findInCommit,
  readBranch,
  readCommitObject,
  readObject,
  writeBranch,
  writeCommitObject,
  writeObject,
  writeTreeObject,
} from './loose-objects.ts'

/** An entry of a tree as GitHub's interface takes it. */
export interface GithubTreeEntry {
  path: string
  mode: string
  sha?: string | null
  content?: string
}

/** A bare repository behind a fake of GitHub. What becomes of two branches that are merged is found by git itself. */
export class GithubRepository {
  readonly gitDirectory: string
  readonly #merged = new Map<string, string | null>()

  constructor(gitDirectory: string) {
    this.gitDirectory = gitDirectory
  }

  /** Begins with one commit of one file. */
  static create(gitDirectory: string): GithubRepository {
    const repository = new GithubRepository(gitDirectory)
    repository.#git(['init', '--quiet', '--bare', '--initial-branch=main', gitDirectory])
    const tree = repository.writeTree(null, [{ path: 'page.md', mode: '100644', content: 'Old\n' }])
    repository.updateRef('refs/heads/main', repository.writeCommit({ tree, parents: [], message: 'First' }))
    return repository
  }

  /** @param ref `refs/heads/main` */
  readRef(ref: string): string | null {
    return ref.startsWith(heads) ? readBranch(this.gitDirectory, ref.slice(heads.length)) : null
  }

  updateRef(ref: string, commit: string): void {
    if (!ref.startsWith(heads)) throw new Error(`${ref} is no branch.`)
    writeBranch(this.gitDirectory, ref.slice(heads.length), commit)
  }

  writeBlob(bytes: Buffer): string {
    return writeObject(this.gitDirectory, 'blob', bytes)
  }

  writeTree(base: string | null, entries: readonly GithubTreeEntry[]): string {
    const files = entries.map(({ path, mode, sha, content }) => {
      if (sha === null) return [path, null] as const
      return [path, { mode, id: sha ?? this.writeBlob(Buffer.from(content ?? '')) }] as const
    })
    return writeTreeObject(this.gitDirectory, base, new Map(files))
  }

  /** By GitHub itself, at another second each time, so that no two of them have the same id. */
  writeCommit(commit: { tree: string; parents: readonly string[]; message: string }): string {
    commitSeconds += 1
    const author = { name: 'GitHub', email: 'noreply@github.com', at: commitSeconds * 1000 }
    return writeCommitObject(this.gitDirectory, { ...commit, author })
  }

  readCommit(id: string): { tree: string; parents: string[]; message: string } | null {
    return readCommitObject(this.gitDirectory, id)
  }

  /** Paths in the order of git. */
  list(commit: string): string[] {
    return this.#git(['-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', commit]).split('\n')
  }

  readFile(commit: string, path: string): Buffer {
    const id = findInCommit(this.gitDirectory, commit, path)
    if (id === null) throw new Error(`The commit ${commit} has no file ${path}.`)
    return readObject(this.gitDirectory, id).body
  }

  /** @param newer A commit, or the name of a branch. */
  isAncestor(older: string, newer: string): boolean {
    const waiting = [readBranch(this.gitDirectory, newer) ?? newer]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (id === older) return true
      waiting.push(...(this.readCommit(id)?.parents ?? []))
    }
    return false
  }

  /** The merged tree; null where it conflicts. */
  mergeTrees(ours: string, theirs: string): string | null {
    const key = `${ours} ${theirs}`
    const tree = this.#merged.get(key) ?? this.#try(['merge-tree', '--write-tree', ours, theirs])
    this.#merged.set(key, tree)
    return tree
  }

  #try(args: readonly string[]): string | null {
    try {
      return this.#git(args)
    } catch {
      return null
    }
  }

  #git(args: readonly string[]): string {
    return execFileSync('git', ['-c', `safe.directory=${this.gitDirectory}`, ...args], {
      env: { PATH: process.env['PATH'] ?? '', GIT_DIR: this.gitDirectory, GIT_CONFIG_GLOBAL: '/dev/null' },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    }).trim()
  }
}

const heads = 'refs/heads/'

let commitSeconds = 1_732_100_000
