import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGuardedFetch } from '../../src/base/guarded-fetch.ts'
import type { ForgeCredential, ForgeHostDeps } from '../../src/codehost/forge/forge-host.ts'
import { cloneAddress } from '../../src/codehost/forge/forge-location.ts'
import { ForgeTokenCache } from '../../src/codehost/forge/forge-token-cache.ts'
import { createForgeTransport } from '../../src/codehost/forge/forge-transport.ts'
import { Mirrors } from '../../src/git/remotes/mirrors.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { writeCommitObject, writeTreeObject } from './loose-objects.ts'

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
    transport: (repository, mirrored) =>
      createForgeTransport(
        { ...network, mirrors },
        { ...repository, location: cloneAddress(repository), mirrored: mirrored && cloneAddress(mirrored) },
      ),
    readCredential: async () => (stored.length > 1 ? stored.shift() : stored[0]) ?? null,
    tokens: new ForgeTokenCache({ clock }),
    waits,
    stored,
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

export function toCredential(token: string): ForgeCredential {
  return { kind: 'token', username: 'x-access-token', token }
}

/** Writes a commit into a mirror, as a job does. @returns Its id. */
export function writeCommitInto(
  gitDirectory: string,
  { parent, files, message }: { parent: string; files: Readonly<Record<string, string | null>>; message: string },
): string {
  const author = { name: 'Docent', email: 'docent@localhost', at: now }
  const changed = Object.entries(files).map(([path, text]) => [path, text === null ? null : Buffer.from(text)] as const)
  const tree = writeTreeObject(gitDirectory, parent, new Map(changed))
  return writeCommitObject(gitDirectory, { tree, parents: [parent], author, message })
}
