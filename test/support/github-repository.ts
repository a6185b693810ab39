import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An entry of a tree as GitHub's interface takes it. */
export interface GithubTreeEntry {
  path: string
  mode: string
  sha?: string | null
  content?: string
}

/** A bare repository behind a fake of GitHub: everything about files and commits is done by git itself. */
export class GithubRepository {
  readonly gitDirectory: string

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

  readRef(ref: string): string | null {
    return this.#try(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])
  }

  updateRef(ref: string, commit: string): void {
    this.#git(['update-ref', ref, commit])
  }

  writeBlob(bytes: Buffer): string {
    return this.#git(['hash-object', '-w', '--stdin'], { input: bytes })
  }

  writeTree(base: string | null, entries: readonly GithubTreeEntry[]): string {
    const index = join(tmpdir(), `docent-github-index-${randomUUID()}`)
    try {
      const env = { GIT_INDEX_FILE: index }
      this.#git(base === null ? ['read-tree', '--empty'] : ['read-tree', base], { env })
      const lines = entries.map(({ path, mode, sha, content }) => {
        if (sha === null) return `0 ${'0'.repeat(40)}\t${path}\0`
        return `${mode} ${sha ?? this.writeBlob(Buffer.from(content ?? ''))}\t${path}\0`
      })
      this.#git(['update-index', '-z', '--index-info'], { env, input: lines.join('') })
      return this.#git(['write-tree'], { env })
    } finally {
      rmSync(index, { force: true })
    }
  }

  /** By GitHub itself, at another second each time, so that no two of them have the same id. */
  writeCommit({ tree, parents, message }: { tree: string; parents: readonly string[]; message: string }): string {
    commitSeconds += 1
    const who = { NAME: 'GitHub', EMAIL: 'noreply@github.com', DATE: `@${commitSeconds} +0000` }
    const roles = ['AUTHOR', 'COMMITTER'].flatMap((role) =>
      Object.entries(who).map(([name, value]) => [`GIT_${role}_${name}`, value]),
    )
    const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-']
    return this.#git(args, { env: Object.fromEntries(roles), input: message })
  }

  readCommit(id: string): { tree: string; parents: string[]; message: string } | null {
    if (!/^[0-9a-f]{40}$/.test(id) || this.#try(['cat-file', '-e', `${id}^{commit}`]) === null) return null
    const [tree = '', parents = '', ...message] = this.#git(['show', '-s', '--format=%T%n%P%n%B', id]).split('\n')
    return { tree, parents: parents.split(' ').filter(Boolean), message: message.join('\n').trim() }
  }

  /** Paths in the order of git. */
  list(commit: string): string[] {
    return this.#git(['-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', commit]).split('\n')
  }

  readFile(commit: string, path: string): Buffer {
    return this.#run(['cat-file', 'blob', `${commit}:${path}`], {})
  }

  isAncestor(older: string, newer: string): boolean {
    return this.#try(['merge-base', '--is-ancestor', older, newer]) !== null
  }

  /** The merged tree; null where it conflicts. */
  mergeTrees(ours: string, theirs: string): string | null {
    return this.#try(['merge-tree', '--write-tree', ours, theirs])
  }

  #try(args: readonly string[]): string | null {
    try {
      return this.#git(args)
    } catch {
      return null
    }
  }

  #git(args: readonly string[], options: RunOptions = {}): string {
    return this.#run(args, options).toString('utf8').trim()
  }

  #run(args: readonly string[], { env = {}, input = '' }: RunOptions): Buffer {
    return execFileSync('git', ['-c', `safe.directory=${this.gitDirectory}`, ...args], {
      env: { PATH: process.env['PATH'] ?? '', GIT_DIR: this.gitDirectory, GIT_CONFIG_GLOBAL: '/dev/null', ...env },
      input,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  }
}

interface RunOptions {
  env?: Readonly<Record<string, string>>
  input?: string | Buffer
}

let commitSeconds = 1_732_100_000
