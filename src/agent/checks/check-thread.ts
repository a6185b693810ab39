import { WorkThread } from '../../base/work-thread.ts'
import type { AgentProblem } from '../../contract/agent-job-event.ts'
import type { SiteQueries, SiteQuery } from './job-site-reader.ts'
import type { CheckMessage, CheckRequest, ForbiddenCommitRequest, ForbiddenRequest } from './check-job-change.ts'

/** A hostile page fails one check instead of the process. */
const memoryMbMax = 1_024
const checkMsMaxDefault = 90_000

/** Runs the checks of changes in a separate thread, because parsing would block the server. */
export class CheckThread {
  readonly #thread: WorkThread<CheckMessage | SiteQuery, unknown>

  /** @param idleMsMax Time after which an idle thread ends. Default: it lives until `close`. */
  constructor(checkMsMax: number = checkMsMaxDefault, idleMsMax?: number) {
    const entry = new URL('./check-change-worker.ts', import.meta.url)
    const idle = idleMsMax === undefined ? {} : { idleMsMax }
    this.#thread = new WorkThread({ entry, what: 'The checks', memoryMbMax, msMax: checkMsMax, ...idle })
  }

  /** @throws as `WorkThread.run` does. */
  check(request: CheckRequest, signal: AbortSignal): Promise<AgentProblem[]> {
    return this.#find({ kind: 'change', ...request }, signal)
  }

  findForbidden(request: ForbiddenRequest, signal: AbortSignal): Promise<AgentProblem[]> {
    return this.#find({ kind: 'forbidden', ...request }, signal)
  }

  findForbiddenInCommit(request: ForbiddenCommitRequest, signal: AbortSignal): Promise<AgentProblem[]> {
    return this.#find({ kind: 'forbidden-commit', ...request }, signal)
  }

  /** Asks about the site of a job. @throws as `WorkThread.run` does. */
  ask<Kind extends keyof SiteQueries>(
    kind: Kind,
    question: SiteQueries[Kind]['ask'],
    signal: AbortSignal,
  ): Promise<SiteQueries[Kind]['answer']> {
    // The reader in the thread answers each kind with its own type.
    return this.#thread.run({ kind, ...question } as SiteQuery, signal) as Promise<SiteQueries[Kind]['answer']>
  }

  #find(message: CheckMessage, signal: AbortSignal): Promise<AgentProblem[]> {
    // The checker in the thread answers with problems.
    return this.#thread.run(message, signal) as Promise<AgentProblem[]>
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
