import { beforeEach, describe, expect, it } from 'vitest'
import { writeCommitInto } from '../support/forge-deps.ts'
import { forgeFailureOf, branchOff, requestFor, writeChange } from '../support/forge-work.ts'
import { resolveObject } from '../../src/git/resolve-commit.ts'
import { ForgeError } from '../../src/codehost/forge/forge-error.ts'
import type { ForgeFaultHarness } from './forge-faults.conformance.ts'

const { signal } = new AbortController()

/** Behaviour of forge adapters when a branch, a repository or git access has changed. */
export function declareForgePushFaultTests(
  start: () => Promise<ForgeFaultHarness>,
  /** A path to rename the repository to, and the reason if the API cannot create commits. */
  { otherPath, lacksCommitter }: { otherPath: string; lacksCommitter?: string },
): void {
  let harness: ForgeFaultHarness
  beforeEach(async () => {
    harness = await start()
  })

  describe('a push', () => {
    it('forbidden by a branch rule says where to allow it', async () => {
      const { server, host } = harness
      server.protectBranch('topic')
      const commit = await writeChange(harness)

      await expect(host.pushBranch({ branch: 'topic', commit, expected: null }, signal)).rejects.toThrow(
        /Allow the credential's account to push topic in the branch rules/,
      )
    })

    it('to a rewritten branch changes nothing', async () => {
      const { server, host } = harness
      const first = await branchOff(harness.server.repository)
      const { commit: base } = await host.resolveBranch(null, signal)
      const files = new Map([['page.md', Buffer.from('Rewritten')]])
      const rewritten = server.repository.writeCommit({ parent: base, files, message: 'Rewritten' })
      server.repository.setBranch('topic', rewritten)
      const commit = await writeChange(harness, 'Later')

      const pushed = await host.pushBranch({ branch: 'topic', commit, expected: first }, signal)

      expect(pushed).toEqual({ outcome: 'moved', commit: rewritten })
      expect(server.repository.tip('topic')).toBe(rewritten)
    })

    it('forbidden by a branch rule is not retried through the API', async () => {
      const { server, host } = harness
      server.protectBranch('topic')
      const commit = await writeChange(harness)
      const before = server.requests.length

      await expect(host.pushBranch({ branch: 'topic', commit, expected: null }, signal)).rejects.toThrow(ForgeError)

      expect(server.requests.slice(before).filter((line) => line.startsWith('POST'))).toEqual([])
    })
  })

  describe('where git may only read,', () => {
    /** Git asks again after a refusal. */
    const closed = { status: 403 }
    const closePushes = () =>
      harness.server.fail(/^git GET .*git-receive-pack/, ...Array.from({ length: 20 }, () => closed))

    const contentOf = async (branch: string, path: string) => {
      const { server } = harness
      const tip = server.repository.tip(branch)
      return { tip, file: tip === null ? null : server.repository.findFile(tip, path) }
    }

    it('the API commits to a new branch and to an existing one', async ({ skip }) => {
      skip(lacksCommitter !== undefined, lacksCommitter)
      const { server, host } = harness
      const commit = await writeChange(harness)
      const { gitDirectory } = await host.openBase((await host.resolveBranch(null, signal)).commit, signal)
      closePushes()

      const first = await host.pushBranch({ branch: 'docent/topic', commit, expected: null }, signal)
      const again = await host.pushBranch({ branch: 'docent/topic', commit, expected: null }, signal)
      const parent = first.commit ?? ''
      await host.openBase(parent, signal)
      const files = { 'page.md': null, 'guides/new.md': 'New\n', 'guides/mark.bin': '\u0000\u00ff' }
      const next = writeCommitInto(gitDirectory, { parent, files, message: 'Next\n\nDocent-Job: job_1' })
      const second = await host.pushBranch({ branch: 'docent/topic', commit: next, expected: parent }, signal)

      expect([first.outcome, second.outcome]).toEqual(['pushed', 'pushed'])
      expect(again).toEqual(first)
      const made = server.repository.readCommit(second.commit ?? '')
      expect(made).toMatchObject({ parents: [parent], message: 'Next\n\nDocent-Job: job_1' })
      expect(made?.tree).toBe(await resolveObject(gitDirectory, `${next}^{tree}`, signal))
      expect((await contentOf('docent/topic', 'page.md')).file).toBeNull()
    })

    it('a branch that somebody else moved is left alone', async ({ skip }) => {
      skip(lacksCommitter !== undefined, lacksCommitter)
      const { server, host } = harness
      const commit = await writeChange(harness)
      const { commit: base } = await host.resolveBranch(null, signal)
      const files = new Map([['page.md', Buffer.from('Theirs')]])
      const theirs = server.repository.writeCommit({ parent: base, files, message: 'Theirs' })
      server.repository.setBranch('topic', theirs)
      closePushes()

      const pushed = await host.pushBranch({ branch: 'topic', commit, expected: null }, signal)

      expect(pushed).toEqual({ outcome: 'moved', commit: theirs })
      expect(server.repository.tip('topic')).toBe(theirs)
    })

    it('branch rules apply to the API too', async ({ skip }) => {
      skip(lacksCommitter !== undefined, lacksCommitter)
      const { server, host } = harness
      const commit = await writeChange(harness)
      server.protectBranch('topic')
      closePushes()

      await expect(host.pushBranch({ branch: 'topic', commit, expected: null }, signal)).rejects.toThrow(/branch rules/)
    })

    it('and the API cannot commit, the message names what the token lacks', async ({ skip }) => {
      skip(lacksCommitter === undefined, 'the API can commit')
      const { server, host } = harness
      const commit = await writeChange(harness)
      closePushes()

      const failure = await forgeFailureOf(host.pushBranch({ branch: 'topic', commit, expected: null }, signal))

      expect(failure.message).toMatch(/but not through git/)
      expect(server.repository.tip('topic')).toBeNull()
    })

    it('or not even read, the message names what the token lacks', async () => {
      const { server, host } = harness
      server.fail(/^git /, closed, closed, closed)

      const failure = await forgeFailureOf(host.resolveBranch('main', signal))

      expect(failure.reason).toBe('forbidden')
      expect(failure.message).toMatch(/but not through git/)
    })
  })

  describe('a repository that was renamed', () => {
    it('is found at its new place by running and new jobs', async () => {
      const { server, host, reopen } = harness
      const commit = await branchOff(harness.server.repository)
      const { id } = await host.openPullRequest(requestFor('topic'), signal)
      const later = await writeChange(harness, 'Later')

      server.rename(otherPath)

      expect((await host.readPullRequest(id, signal)).head.commit).toBe(commit)
      expect((await host.updatePullRequest({ id, title: 'Renamed' }, signal)).title).toBe('Renamed')
      const begun = await reopen()
      expect((await begun.readSource(signal)).repository).toBe(otherPath)
      expect((await begun.resolveBranch('topic', signal)).commit).toBe(commit)
      await begun.comment({ id, body: 'Still here.' }, signal)
      expect(server.look(1).comments).toEqual(['Still here.'])
      expect((await host.resolveBranch('topic', signal)).commit).toBe(commit)
      expect((await host.pushBranch({ branch: 'later', commit: later, expected: null }, signal)).outcome).toBe('pushed')
    })
  })
}
