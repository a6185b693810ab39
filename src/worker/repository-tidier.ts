import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { tidyRepository } from '../git/bare-repository.ts'
import { listRepositories } from '../store/repositories.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'

export interface RepositoryTidierDeps {
  store: Store
  clock: Clock
  log: Log
  /** The folder of the repositories of the built-in host. */
  repositoryFolder: string
}

const roundMs = 60 * 60_000

/** What an import leaves behind when its process is killed is surely not used any more after so long. */
const leftoverMs = 24 * 60 * 60_000

const repositoriesMax = 10_000

/** Packs the repositories of the built-in host by schedule: jobs and pushes leave many small files in them. */
export class RepositoryTidier {
  readonly #deps: RepositoryTidierDeps
  readonly #stop = new AbortController()
  #timer: NodeJS.Timeout | null = null
  #round: Promise<void> = Promise.resolve()

  constructor(deps: RepositoryTidierDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#timer ??= setInterval(() => {
      this.#round = this.#round.then(() => this.tidy())
    }, roundMs)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#round
  }

  /** One round. Never rejects: what failed is tried again in the next. */
  async tidy(): Promise<void> {
    const { store, log, repositoryFolder } = this.#deps
    try {
      const { items } = await listRepositories(store.durable, { limit: repositoriesMax })
      for (const { folder } of items) {
        if (this.#stop.signal.aborted) return
        await tidyRepository(join(repositoryFolder, folder), this.#stop.signal)
      }
      await this.#removeLeftovers(new Set(items.map(({ folder }) => folder)))
    } catch (error) {
      if (!this.#stop.signal.aborted) log.warn({ error }, 'repositories-not-tidied')
    }
  }

  async #removeLeftovers(used: ReadonlySet<string>): Promise<void> {
    const { clock, repositoryFolder } = this.#deps
    const names = await readdir(repositoryFolder).catch(() => [])
    for (const name of names.filter((entry) => !used.has(entry) && /^(?:repo_\w+\.git|tree-\w+)$/.test(entry))) {
      const path = join(repositoryFolder, name)
      const found = await stat(path).catch(() => null)
      if (found !== null && clock.now() - found.mtimeMs > leftoverMs) await rm(path, { recursive: true, force: true })
    }
  }
}
