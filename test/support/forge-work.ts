import { expect } from 'vitest'
import type { CodeHost, OpenPullRequestInput } from '../../src/codehost/code-host.ts'
import { ForgeError } from '../../src/codehost/forge/forge-error.ts'
import { writeCommitInto } from './forge-deps.ts'
import type { ForgeGitRepository } from './forge-repository.ts'

const { signal } = new AbortController()

export function requestFor(branch: string): OpenPullRequestInput {
  return { branch, base: null, title: 'A change', body: 'Why.', isDraft: false, jobId: 'job_1', checks: [] }
}

/** Writes a change of the newest commit of the default branch, without pushing it. @returns The commit's id. */
export async function writeChange(
  { host, server }: { host: CodeHost; server: { repository: ForgeGitRepository } },
  text = 'Changed',
): Promise<string> {
  const parent = tipOf(server.repository, 'main')
  const { gitDirectory } = await host.openBase(parent, signal)
  return writeCommitInto(gitDirectory, { parent, files: { 'page.md': text }, message: text })
}

/** A branch with a change of the default one, as somebody else makes it: without the cost of a push. @returns Its tip. */
export async function branchOff(repository: ForgeGitRepository, branch = 'topic', text = 'Changed'): Promise<string> {
  return commitTo(repository, branch, { path: 'page.md', text })
}

/** Commits to a branch as somebody else does; one that is not there begins at the default branch. @returns Its tip. */
export function commitTo(
  repository: ForgeGitRepository,
  branch: string,
  change: { path: string; text: string },
): string {
  const parent = repository.tip(branch) ?? tipOf(repository, 'main')
  const files = new Map([[change.path, Buffer.from(change.text)]])
  const commit = repository.writeCommit({ parent, files, message: change.text })
  repository.setBranch(branch, commit)
  return commit
}

function tipOf(repository: ForgeGitRepository, branch: string): string {
  const tip = repository.tip(branch)
  if (tip === null) throw new Error(`There is no branch ${branch}.`)
  return tip
}

/** The failure of a call, which is to be one of a forge and a sentence. */
export async function forgeFailureOf(work: Promise<unknown>): Promise<ForgeError> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ForgeError)
  const failure = error as ForgeError // Judged in the line before.
  expect(failure.message).toMatch(/^[A-Z].+[.)]$/s)
  return failure
}
