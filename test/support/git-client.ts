import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startChild } from '../../src/git/spawner/spawner.ts'

/** A clone of a repository, as a person has it, driven by the plain git command. */
export interface GitClient {
  readonly folder: string
  /** Runs git in the clone. @throws what git wrote, when it ends with another code than 0. */
  git(...args: readonly string[]): Promise<string>
  read(path: string): Promise<string>
  write(path: string, text: string): Promise<void>
  /** Commits everything. @returns The commit's id. */
  commit(message: string): Promise<string>
  remove(): Promise<void>
}

class GitFailure extends Error {}

/** @param url With the key as its password. */
export async function cloneRepository(url: string): Promise<GitClient> {
  const outside = await mkdtemp(join(tmpdir(), 'docent-clone-'))
  const folder = join(outside, 'clone')
  const run = (cwd: string, args: readonly string[]) => runGit(outside, cwd, args)
  await run(outside, ['clone', '--quiet', url, folder])
  const git = (...args: readonly string[]) => run(folder, args)
  return {
    folder,
    git,
    read: (path) => readFile(join(folder, path), 'utf8'),
    write: (path, text) => writeFile(join(folder, path), text),
    async commit(message) {
      await git('add', '--all')
      await git('commit', '--quiet', '-m', message)
      return git('rev-parse', 'HEAD')
    },
    remove: () => rm(outside, { recursive: true, force: true }),
  }
}

/** Without blocking, because the server that it talks to runs in the same process. */
export async function runGit(home: string, cwd: string, args: readonly string[]): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, GIT_TERMINAL_PROMPT: '0', ...identity }
  const git = startChild({ program: 'git', args: ['-C', cwd, ...args], env, hasHelpers: false, cleanupMs: 0 })
  git.stdin.end()
  const output = await text(git.stdout)
  const { exitCode, stderr } = await git.ended
  if (exitCode !== 0) throw new GitFailure(stderr)
  return output.trim()
}

const identity = {
  GIT_AUTHOR_NAME: 'A. Writer',
  GIT_AUTHOR_EMAIL: 'writer@example.com',
  GIT_COMMITTER_NAME: 'A. Writer',
  GIT_COMMITTER_EMAIL: 'writer@example.com',
}
