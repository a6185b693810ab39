import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGuardedFetch } from '../../src/base/guarded-fetch.ts'
import type { ForgeCredential, ForgeHostDeps } from '../../src/codehost/forge/forge-host.ts'
import { ForgeTokenCache } from '../../src/codehost/forge/forge-token-cache.ts'
import { createForgeTransport } from '../../src/codehost/forge/forge-transport.ts'
import { Mirrors } from '../../src/git/mirrors.ts'
import { writeCommit } from '../../src/git/write-commit.ts'
import { writeTree } from '../../src/git/write-tree.ts'
import { createLog } from '../../src/telemetry/log.ts'

/** What an adapter of a forge is handed in tests: real requests to this machine, real git, and waits that do not last. */
export interface ForgeTestDeps extends ForgeHostDeps {
  /** How long was waited before requests were repeated, in order. */
  readonly waits: number[]
  /** Stands for what is stored, which is read at each use: the first until it was read once, where there is a next. */
  readonly stored: (ForgeCredential | null)[]
  remove(): Promise<void>
}

const now = 1_732_000_000_000

export async function createForgeDeps(token: string): Promise<ForgeTestDeps> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-forge-deps-'))
  const clock = { now: () => now }
  const network = { allowsPrivateAddresses: true }
  const mirrors = new Mirrors({ ...network, folder: join(folder, 'mirrors') })
  const waits: number[] = []
  const stored: (ForgeCredential | null)[] = [toCredential(token)]
  return {
    clock,
    log: createLog('silent'),
    sleep: async (ms) => void waits.push(ms),
    random: () => 0.5,
    fetch: createGuardedFetch(network),
    transport: (repository) => createForgeTransport({ ...network, mirrors }, repository),
    readCredential: async () => (stored.length > 1 ? stored.shift() : stored[0]) ?? null,
    tokens: new ForgeTokenCache({ clock }),
    waits,
    stored,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

export function toCredential(token: string): ForgeCredential {
  return { kind: 'token', username: 'x-access-token', token }
}

const { signal } = new AbortController()

/** Writes a commit into a mirror, as a job does. @returns Its id. */
export async function writeCommitInto(
  gitDirectory: string,
  { parent, files, message }: { parent: string; files: Readonly<Record<string, string | null>>; message: string },
): Promise<string> {
  const scratchFolder = await mkdtemp(join(tmpdir(), 'docent-commit-'))
  const author = { name: 'Docent', email: 'docent@localhost', at: now }
  try {
    const changed = Object.entries(files).map(([path, text]) => {
      return [path, text === null ? null : { bytes: Buffer.from(text), isExecutable: false }] as const
    })
    const tree = await writeTree({ gitDirectory, base: parent, files: new Map(changed), scratchFolder }, signal)
    return await writeCommit({ gitDirectory, tree, parents: [parent], author, message }, signal)
  } finally {
    await rm(scratchFolder, { recursive: true, force: true })
  }
}
