import { afterEach } from 'vitest'
import type { CodeHostHarness } from '../codehost/code-host.conformance.ts'
import type { ForgeFaultHarness } from '../codehost/forge-faults.conformance.ts'
import { forgeAdapters } from '../../src/codehost/forge-adapters.ts'
import { createForgeDeps, writeCommitInto } from './forge-deps.ts'
import type { RestForgeKind, TestForge } from './forge-kinds.ts'
import { commitTo } from './forge-work.ts'

const { signal } = new AbortController()

type TestServer = Pick<TestForge, 'origin' | 'repository' | 'merge' | 'hooks' | 'issues' | 'checks'> &
  ForgeFaultHarness['server']

/**
 * Opens hosts on fakes of a forge, which end after each test. A request that the forge does not publish turns the test red.
 *
 * @returns What the suites of all kinds take.
 */
export function createForgeHarness<Server extends TestServer>(
  forge: { kind: RestForgeKind; path: string; token: string },
  startServer: (given: { path: string; token: string }) => Promise<Server>,
) {
  const opened: Server[] = []
  const removing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const remove of removing.splice(0)) await remove()
    const violations = opened.splice(0).flatMap((server) => server.violations)
    if (violations.length > 0) throw new Error(violations.join('\n'))
  })

  async function start(token = forge.token): Promise<ForgeFaultHarness<Server>> {
    const { kind, path } = forge
    const server = await startServer({ path, token })
    const deps = await createForgeDeps(token)
    opened.push(server)
    removing.push(server.stop, deps.remove)
    const reopen = () => forgeAdapters[kind].open(deps, { kind, origin: server.origin, path, reader: 'site' })
    return { server, deps, host: await reopen(), reopen }
  }

  async function open(): Promise<CodeHostHarness> {
    const { server, host } = await start()
    let directory: string | null = null
    return {
      host,
      base: server.repository.tip('main') ?? '',
      users: { owner: 'olga', stranger: 'sten' },
      async writeCommit({ parent, path: file, text }) {
        directory ??= (await host.openBase(parent, signal)).gitDirectory
        return writeCommitInto(directory, { parent, files: { [file]: text }, message: text })
      },
      commitTo: async (branch, change) => commitTo(server.repository, branch, change),
      merge: (id) => server.merge(Number(id)),
      look: async (id) => server.look(Number(id)),
      listWebhooks: () => server.hooks.all,
      ...(server.checks && { listChecks: async () => server.checks ?? {} }),
      ...(server.issues && { listIssues: () => server.issues ?? [] }),
    }
  }

  return { start, open }
}
