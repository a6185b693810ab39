import { serveThread } from '../../base/serve-thread.ts'
import type { AgentProblem } from '../../contract/agent-job-event.ts'
import { JobChangeChecker } from './check-job-change.ts'
import type { CheckRequest } from './check-request.ts'

const checker = new JobChangeChecker()

serveThread((request: CheckRequest): Promise<AgentProblem[]> => checker.check(request, new AbortController().signal))
