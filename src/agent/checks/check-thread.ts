import { WorkThread } from '../../base/work-thread.ts'
import type { AgentProblem } from '../../contract/agent-job-event.ts'
import type { CheckMessage, CheckRequest, ForbiddenCommitRequest, ForbiddenRequest } from './check-job-change.ts'

/** A hostile page fails one check instead of the process. */
const memoryMbMax = 1_024
const checkMsMaxDefault = 90_000

/** Runs the checks of changes in a separate thread, because parsing would block the server. */
export class CheckThread {
  readonly #thread: WorkThread<CheckMessage, AgentProblem[]>

  constructor(checkMsMax: number = checkMsMaxDefault) {
    // The same code runs as TypeScript from a checkout and as JavaScript from a package.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const entry = new URL(`./check-change-worker.${extension}`, import.meta.url)
    this.#thread = new WorkThread({ entry, what: 'The checks', memoryMbMax, msMax: checkMsMax })
  }

  /** @throws as `WorkThread.run` does. */
  check(request: CheckRequest, signal: AbortSignal): Promise<AgentProblem[]> {
    return this.#thread.run({ kind: 'change', ...request }, signal)
  }

  findForbidden(request: ForbiddenRequest, signal: AbortSignal): Promise<AgentProblem[]> {
    return this.#thread.run({ kind: 'forbidden', ...request }, signal)
  }

  findForbiddenInCommit(request: ForbiddenCommitRequest, signal: AbortSignal): Promise<AgentProblem[]> {
    return this.#thread.run({ kind: 'forbidden-commit', ...request }, signal)
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
