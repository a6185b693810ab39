import { dayMs, hourMs } from '../base/durations.ts'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SharedRepositories } from '../codehost/builtin/shared-repositories.ts'
import { repackRepository } from '../git/repositories/bare-repository.ts'
import { listRepositories, type Repository } from '../store/hosting/repositories.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import type { Log } from '../telemetry/log.ts'

export interface RepositoryGarbageCollectorDeps extends StoreDeps {
  log: Log
  /** Repositories of the built-in host. */
  repositoryFolder: string
  /** Set if several processes share a database but no folder. */
  sharedRepositories?: SharedRepositories | undefined
}

const roundMs = hourMs

/** Leftovers of an import whose process was killed are certainly unused after this long. */
const leftoverMs = dayMs

const repositoriesMax = 10_000

/** Packs the repositories of the built-in host periodically, because jobs and pushes leave many small files in them. */
export class RepositoryGarbageCollector {
  readonly #deps: RepositoryGarbageCollectorDeps
  readonly #stop = new AbortController()
  #timer: NodeJS.Timeout | null = null
  #round: Promise<void> = Promise.resolve()

  constructor(deps: RepositoryGarbageCollectorDeps) {
    this.#deps = deps
  }

  start(): void {
    if (this.#timer === null) this.#round = this.#shareAll()
    this.#timer ??= setInterval(() => {
      this.#round = this.#round.then(() => this.collect())
    }, roundMs)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#round
  }

  /** Shares repositories that were created here before processes shared them, so that the other processes find them. */
  async #shareAll(): Promise<void> {
    const { sharedRepositories, store, log, repositoryFolder } = this.#deps
    if (sharedRepositories === undefined) return
    try {
      const present = new Set(await readdir(repositoryFolder).catch(() => []))
      const { items } = await listRepositories(store.durable, { limit: repositoriesMax })
      const here = items.filter(({ folder }) => present.has(folder))
      for (const repository of here) await sharedRepositories.bring(repository, this.#stop.signal)
      if (here.length > 0) log.info({ repositories: here.length }, 'repositories-shared')
    } catch (error) {
      if (!this.#stop.signal.aborted) log.warn({ error }, 'repositories-not-shared')
    }
  }

  /** One round. Never rejects: failures are retried in the next round. */
  async collect(): Promise<void> {
    const { store, log, repositoryFolder } = this.#deps
    try {
      const { items } = await listRepositories(store.durable, { limit: repositoriesMax })
      const present = new Set(await readdir(repositoryFolder).catch(() => []))
      for (const repository of items) {
        if (this.#stop.signal.aborted) return
        await this.#collectIn(repository, present)
      }
      await this.#removeLeftovers(new Set(items.map(({ folder }) => folder)))
    } catch (error) {
      if (!this.#stop.signal.aborted) log.warn({ error }, 'repository-garbage-not-collected')
    }
  }

  /** Repositories that this process has never fetched have no garbage here. */
  async #collectIn(repository: Repository, present: ReadonlySet<string>): Promise<void> {
    const { sharedRepositories, repositoryFolder } = this.#deps
    const { signal } = this.#stop
    if (sharedRepositories !== undefined && !present.has(repository.folder)) return
    await sharedRepositories?.consolidate(repository, signal)
    await repackRepository(join(repositoryFolder, repository.folder), signal)
  }

  async #removeLeftovers(used: ReadonlySet<string>): Promise<void> {
    const { clock, repositoryFolder } = this.#deps
    const names = await readdir(repositoryFolder).catch(() => [])
    for (const name of names.filter(
      (entry) => !used.has(entry) && /^(?:(?:repo_|push-)\w+\.git|tree-\w+|(?:pack|body)-\w+\.unfinished)$/.test(entry),
    )) {
      const path = join(repositoryFolder, name)
      const found = await stat(path).catch(() => null)
      if (found !== null && clock.now() - found.mtimeMs > leftoverMs) await rm(path, { recursive: true, force: true })
    }
  }
}
