import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CodeHost } from '../../src/codehost/code-host.ts'
import type { ForgeCredential, ForgeHostDeps, ForgeRepository } from '../../src/codehost/forge/forge-host.ts'
import { ForgeTokenCache } from '../../src/codehost/forge/forge-token-cache.ts'
import { cloneAddress } from '../../src/codehost/forge/forge-location.ts'
import { createForgeTransport } from '../../src/codehost/forge/forge-transport.ts'
import { openGithubCodeHost } from '../../src/codehost/github/github-code-host.ts'
import { Mirrors } from '../../src/git/remotes/mirrors.ts'
import { createLog } from '../../src/telemetry/log.ts'
import type { GithubServer } from './github-server.ts'
import { writeCommitObject, writeTreeObject } from './loose-objects.ts'

/** The adapter for GitHub as in production, with a fake GitHub. */
export interface GithubHost {
  host: CodeHost
  deps: ForgeHostDeps
  repository: ForgeRepository
  /** How long requests have waited before they were repeated, in order. */
  readonly waits: readonly number[]
  /** Each line of the log. */
  readonly lines: readonly string[]
  /** A further host of the same repository, as a process opens it after a crash. */
  reopen(): CodeHost
  setCredential(credential: ForgeCredential | null): void
  /** Writes a commit that changes a file into the mirror, and moves nothing. */
  writeCommit(change: { parent: string; path: string; text: string | Buffer; message?: string }): Promise<string>
  close(): Promise<void>
}

const author = { name: 'A. Writer', email: 'writer@example.com', at: 1_732_000_000_000 }

export async function openGithubHost(
  github: Pick<GithubServer, 'origin' | 'path'>,
  first: ForgeCredential | null,
  overrides: Partial<ForgeHostDeps> = {},
): Promise<GithubHost> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-github-host-'))
  const waits: number[] = []
  const lines: string[] = []
  let credential = first
  const git = { allowsPrivateAddresses: true }
  const mirrors = new Mirrors({ ...git, folder: join(folder, 'mirrors') })
  const clock = { now: () => Date.now() }
  const deps: ForgeHostDeps = {
    clock,
    log: createLog('info', { write: (line) => lines.push(line) }),
    sleep: async (ms) => void waits.push(ms),
    random: () => 0.5,
    fetch,
    transport: (place) => createForgeTransport({ ...git, mirrors }, { ...place, location: cloneAddress(place) }),
    readCredential: async () => credential,
    tokens: new ForgeTokenCache({ clock }),
    ...overrides,
  }
  const repository = { kind: 'github', origin: github.origin, path: github.path, reader: 'site_1' } as const
  const host = openGithubCodeHost(deps, repository)
  const { signal } = new AbortController()
  return {
    host,
    deps,
    repository,
    waits,
    lines,
    reopen: () => openGithubCodeHost(deps, repository),
    setCredential: (next) => (credential = next),
    async writeCommit({ parent, path, text, message = String(text) }) {
      const { gitDirectory, close } = await host.openBase(parent, signal)
      const tree = writeTreeObject(gitDirectory, parent, new Map([[path, Buffer.from(text)]]))
      const commit = writeCommitObject(gitDirectory, { tree, parents: [parent], author, message })
      await close()
      return commit
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
