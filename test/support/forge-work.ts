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
export async function writeChange(host: CodeHost, text = 'Changed'): Promise<string> {
  const { commit } = await host.resolveBranch(null, signal)
  const { gitDirectory } = await host.openBase(commit, signal)
  return writeCommitInto(gitDirectory, { parent: commit, files: { 'page.md': text }, message: text })
}

/** A branch with a change of the default one, as somebody else makes it: without the cost of a push. @returns Its tip. */
export async function branchOff(repository: ForgeGitRepository, branch = 'topic', text = 'Changed'): Promise<string> {
  const parent = (await repository.tip('main')) ?? ''
  const commit = await repository.writeCommit({
    parent,
    files: new Map([['page.md', Buffer.from(text)]]),
    message: text,
  })
  await repository.setBranch(branch, commit)
  return commit
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
