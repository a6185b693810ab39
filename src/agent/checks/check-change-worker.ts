import { serveThread } from '../../base/serve-thread.ts'
import type { AgentProblem } from '../../contract/agent-job-event.ts'
import { type CheckMessage, JobChangeChecker } from './check-job-change.ts'

const checker = new JobChangeChecker()

serveThread((message: CheckMessage): Promise<AgentProblem[]> => {
  const { signal } = new AbortController()
  switch (message.kind) {
    case 'change':
      return checker.check(message, signal)
    case 'forbidden':
      return checker.findForbidden(message, signal)
    case 'forbidden-commit':
      return checker.findForbiddenInCommit(message, signal)
  }
})
