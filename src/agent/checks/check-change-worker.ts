import { serveThread } from '../../base/serve-thread.ts'
import type { AgentProblem } from '../../contract/agent-job-event.ts'
import { type CheckRequest, JobChangeChecker } from './check-job-change.ts'

const checker = new JobChangeChecker()

serveThread((request: CheckRequest): Promise<AgentProblem[]> => checker.check(request, new AbortController().signal))
