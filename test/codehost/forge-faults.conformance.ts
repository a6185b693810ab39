import { beforeEach, describe, expect, it } from 'vitest'
import { type ForgeTestDeps, toCredential } from '../support/forge-deps.ts'
import type { ForgeGitRepository } from '../support/forge-repository.ts'
import type { ForgeApiReply, ForgeServer } from '../support/forge-server.ts'
import { forgeFailureOf, branchOff, requestFor, writeChange } from '../support/forge-work.ts'
import type { CodeHost } from '../../src/codehost/code-host.ts'

/** A test forge with an open host. */
export interface ForgeFaultHarness<Server = object> {
  server: Server &
    ForgeServer & {
      repository: ForgeGitRepository
      setToken(token: string): void
      rename(path: string): void
      protectBranch(branch: string): void
      look(number: number): { comments: string[]; labels: string[]; reviewers: string[] }
    }
  deps: ForgeTestDeps
  host: CodeHost
  /** Opens the host as another process would. */
  reopen(): Promise<CodeHost>
}

export interface ForgeFaultRules {
  /** A different token of the same form as the first. */
  otherToken: string
  /** The forge's reply to a token that lacks a scope, and the scope to be named. */
  lacksScope: { reply: ForgeApiReply; scope: string }
  /** The forge's representation of an empty list; `[]` by default. */
  emptyList?: object
  /** Requests for the repository, its pull requests, a new pull request and a new comment. */
  routes: Record<'repository' | 'list' | 'open' | 'comment', RegExp>
}

const { signal } = new AbortController()

/** Behaviour of forge adapters when the forge does not answer as expected. */
export function declareForgeFaultTests(start: () => Promise<ForgeFaultHarness>, rules: ForgeFaultRules): void {
  let harness: ForgeFaultHarness
  beforeEach(async () => {
    harness = await start()
  })

  describe('a token', () => {
    it('is reread if it expires during a call, and the call is repeated once', async () => {
      const { server, deps, host } = harness
      const [old] = deps.stored
      server.setToken(rules.otherToken)
      deps.stored.unshift(old ?? null)
      deps.stored.splice(1, 1, toCredential(rules.otherToken))

      expect((await host.readSource(signal)).defaultBranch).toBe('main')
      expect(server.requests.filter((line) => rules.routes.repository.test(line))).toHaveLength(2)
    })

    it('is reread if git is refused with it', async () => {
      const { server, deps, host } = harness
      const commit = await writeChange(harness)
      const [old = null] = deps.stored
      server.setToken(rules.otherToken)
      // The first is for reading the default branch, the second for git.
      deps.stored.splice(0, 1, toCredential(rules.otherToken), old, toCredential(rules.otherToken))

      const pushed = await host.pushBranch({ branch: 'topic', commit, expected: null }, signal)

      expect(pushed).toEqual({ outcome: 'pushed', commit })
    })

    it('that the forge rejects ends the call with an explanation', async () => {
      const { server, host } = harness
      server.setToken(rules.otherToken)

      const failures = [
        await forgeFailureOf(host.readSource(signal)),
        await forgeFailureOf(host.resolveBranch('main', signal)),
        await forgeFailureOf(host.openPullRequest(requestFor('topic'), signal)),
      ]

      for (const { reason, message } of failures) {
        expect(reason).toBe('unauthorized')
        expect(message).toMatch(/rejected the token.*Create a new one/s)
      }
    })

    it('never appears in a message', async () => {
      const { server, host, deps } = harness
      const { token } = deps.stored[0] as { token: string }
      server.fail(rules.routes.repository, { status: 403, body: { message: `The token ${token} may not.` } })

      const { message } = await forgeFailureOf(host.readSource(signal))

      expect(message).toContain('(hidden)')
      expect(message).not.toContain(token)
    })

    it('that lacks a scope has that scope named', async () => {
      const { server, host } = harness
      server.fail(rules.routes.repository, rules.lacksScope.reply)

      const { reason, message } = await forgeFailureOf(host.readSource(signal))

      expect(reason).toBe('forbidden')
      expect(message).toContain(rules.lacksScope.scope)
    })

    it('that is missing is asked for', async () => {
      const { deps, host } = harness
      deps.stored.splice(0, 1, null)

      expect(await forgeFailureOf(host.readSource(signal))).toMatchObject({ reason: 'unauthorized' })
    })

    it('that gives no access is reported by the access check', async () => {
      const { server, host } = harness
      server.setToken(rules.otherToken)

      const checks = await host.checkAccess(signal)

      expect(checks.map(({ state }) => state)).toEqual(['missing'])
    })
  })

  describe('a forge', () => {
    it('that has no such repository is believed', async () => {
      const { server, host } = harness
      server.fail(rules.routes.repository, { status: 404, body: { message: 'Not found' } })

      expect(await forgeFailureOf(host.readSource(signal))).toMatchObject({
        reason: 'not-found',
        code: 'code_host_refused',
      })
    })

    it('that rate-limits is left alone for as long as it asks', async () => {
      const { server, deps, host } = harness
      const reset = String(deps.clock.now() / 1000 + 7)
      const answers = [{ 'retry-after': '3' }, { 'ratelimit-reset': reset }]
      server.fail(rules.routes.repository, ...answers.map((headers) => ({ status: 429, headers, body: {} })))

      expect((await host.readSource(signal)).defaultBranch).toBe('main')
      expect(deps.waits).toEqual([3_000, 7_000])
    })

    it('that asks for a long wait ends the call and names the wait', async () => {
      const { server, host } = harness
      server.fail(rules.routes.repository, { status: 429, headers: { 'retry-after': '1800' }, body: {} })

      const failure = await forgeFailureOf(host.readSource(signal))

      expect(failure).toMatchObject({ reason: 'rate-limited', retryAfterMs: 1_800_000, isPassing: true })
    })

    it('that fails twice is tried a third time', async () => {
      const { server, deps, host } = harness
      server.fail(rules.routes.repository, { status: 500 }, 'drop')

      expect((await host.readSource(signal)).defaultBranch).toBe('main')
      expect(deps.waits).toHaveLength(2)
    })

    it('that does not answer is waited for only until the job stops', async () => {
      const { server, host } = harness
      server.fail(rules.routes.repository, 'hang')
      const stopping = new AbortController()
      const reading = host.readSource(stopping.signal)
      await expect.poll(() => server.requests.length).toBe(1)

      stopping.abort(new Error('The job was stopped.'))

      await expect(reading).rejects.toThrow('The job was stopped.')
    })

    it('that sends an unexpected reply is not trusted', async () => {
      const { server, host } = harness
      server.fail(rules.routes.repository, { status: 200, body: { hello: 'world' } })

      expect(await forgeFailureOf(host.readSource(signal))).toMatchObject({ reason: 'unavailable' })
    })

    it('that redirects to another origin is not followed', async () => {
      const { server, host } = harness
      server.fail(rules.routes.repository, { status: 302, headers: { location: 'http://127.0.0.2:9/elsewhere' } })

      expect(await forgeFailureOf(host.readSource(signal))).toMatchObject({ reason: 'invalid' })
    })
  })

  describe('a pull request', () => {
    it('that somebody else opened in the meantime is found and updated', async () => {
      const { server, host } = harness
      await branchOff(harness.server.repository)
      const first = await host.openPullRequest(requestFor('topic'), signal)
      server.fail(rules.routes.list, { status: 200, body: rules.emptyList ?? [] })

      const second = await host.openPullRequest({ ...requestFor('topic'), title: 'Better' }, signal)

      expect(second).toMatchObject({ id: first.id, title: 'Better' })
    })

    it.each([400, 422])('that is reported by %i is found too', async (status) => {
      const { server, host } = harness
      await branchOff(harness.server.repository)
      const first = await host.openPullRequest(requestFor('topic'), signal)
      server.fail(rules.routes.list, { status: 200, body: rules.emptyList ?? [] })
      server.fail(rules.routes.open, { status, body: { message: 'A pull request exists already.' } })

      expect((await host.openPullRequest(requestFor('topic'), signal)).id).toBe(first.id)
    })

    it('whose creation was not confirmed is not opened twice', async () => {
      const { server, host } = harness
      await branchOff(harness.server.repository)
      server.fail(rules.routes.open, 'lose-answer')

      const opened = await host.openPullRequest(requestFor('topic'), signal)

      expect(opened.number).toBe(1)
    })

    it("of a missing branch is refused in the forge's words", async () => {
      const failure = await forgeFailureOf(harness.host.openPullRequest(requestFor('nowhere'), signal))

      expect(['invalid', 'not-found']).toContain(failure.reason)
    })

    it('gets a comment only once, even if the reply is lost', async () => {
      const { server, deps, host } = harness
      await branchOff(harness.server.repository)
      const { id, number } = await host.openPullRequest(requestFor('topic'), signal)
      server.fail(rules.routes.comment, 'lose-answer')

      expect(await forgeFailureOf(host.comment({ id, body: 'Once.' }, signal))).toMatchObject({ reason: 'unavailable' })
      expect(server.look(number).comments).toEqual(['Once.'])
      expect(deps.waits).toEqual([])
    })

    it('shows the current tip of its base', async () => {
      const { server, host } = harness
      await branchOff(harness.server.repository)
      const { id, base } = await host.openPullRequest(requestFor('topic'), signal)
      const files = new Map([['other.md', Buffer.from('Other')]])
      const moved = server.repository.writeCommit({ parent: base.commit, files, message: 'Other' })
      server.repository.setBranch('main', moved)

      expect((await host.readPullRequest(id, signal)).base).toEqual({ branch: 'main', commit: moved })
    })
  })
}
