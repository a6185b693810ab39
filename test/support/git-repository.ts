import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A repository on disk that a test fills with plain git: the unhardened command, with the person's own habits. */
export interface GitRepository {
  /** The folder above the repository, for what lies outside of it. */
  readonly outside: string
  /** The working tree. */
  readonly folder: string
  /** Runs plain git in a folder, by default the working tree's. @throws when it ends with another code than 0. */
  git(
    args: readonly string[],
    options?: { cwd?: string; env?: Record<string, string>; input?: string | Uint8Array },
  ): string
  /** Like `git`, for attacks, which may work and fail. */
  tryGit(args: readonly string[], options?: { cwd?: string; env?: Record<string, string> }): void
  write(path: string, content: string | Uint8Array): Promise<void>
  link(path: string, target: string): Promise<void>
  /** Writes a program that leaves a mark when it runs. @returns its absolute path. */
  writeTrap(name: string): Promise<string>
  /** Commits everything. @returns the commit's id. */
  commit(message?: string): string
  remove(): Promise<void>
}

/** @param original What it is to be a copy of; empty unless given. */
export async function createGitRepository(original?: GitRepository): Promise<GitRepository> {
  const outside = await mkdtemp(join(tmpdir(), 'docent-git-'))
  const folder = join(outside, 'repository')
  cpSync(original?.folder ?? makeTemplate(), folder, { recursive: true })

  const git: GitRepository['git'] = (args, { cwd = folder, env = {}, input } = {}) =>
    execFileSync('git', args, {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: outside, ...identity, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      encoding: 'utf8',
      ...(input === undefined ? {} : { input }),
    }).trim()
  const write = async (path: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }

  return {
    outside,
    folder,
    git,
    tryGit: (args, options) => {
      try {
        git(args, options)
      } catch {
        // An attack counts by the mark that it leaves, not by the exit code of the command that it abused.
      }
    },
    write,
    link: async (path, target) => {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await symlink(target, join(folder, path))
    },
    writeTrap: async (name) => {
      const program = join(outside, `${name}.sh`)
      await writeFile(program, `#!/bin/sh\ntouch '${join(outside, `${name}.fired`)}'\n`)
      await chmod(program, 0o755)
      return program
    },
    commit: (message = 'A commit') => {
      git(['add', '--all'])
      git(['commit', '--quiet', '--allow-empty', '-m', message])
      return readHead(join(folder, '.git'))
    },
    remove: () => rm(outside, { recursive: true, force: true }),
  }
}

let template: string | null = null

/** An empty repository, which is copied for each test. It does not tidy up by itself, which looks each time whether to. */
function makeTemplate(): string {
  if (template !== null) return template
  const made = mkdtempSync(join(tmpdir(), 'docent-git-template-'))
  process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  const env = { PATH: process.env['PATH'] ?? '', HOME: made }
  execFileSync('git', ['init', '--quiet', '--template=', '--initial-branch=main'], { cwd: made, env })
  for (const name of ['hooks', 'info']) mkdirSync(join(made, '.git', name))
  appendFileSync(join(made, '.git', 'config'), '[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n')
  template = made
  return made
}

/** What the commit that was just made is. Its branch is a file of its own then. */
function readHead(gitDirectory: string): string {
  const head = readFileSync(join(gitDirectory, 'HEAD'), 'utf8').trim()
  const ref = /^ref: (.+)$/.exec(head)?.[1]
  return ref === undefined ? head : readFileSync(join(gitDirectory, ref), 'utf8').trim()
}

const identity = {
  GIT_AUTHOR_NAME: 'A. Writer',
  GIT_AUTHOR_EMAIL: 'writer@example.com',
  GIT_COMMITTER_NAME: 'A. Writer',
  GIT_COMMITTER_EMAIL: 'writer@example.com',
}
