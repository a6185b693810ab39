import { serveThread } from '../../base/serve-thread.ts'
import { type CheckMessage, JobChangeChecker } from './check-job-change.ts'
import { JobSiteReader, type SiteQuery } from './job-site-reader.ts'
import { OpenTrees } from './open-trees.ts'

const trees = new OpenTrees()
const checker = new JobChangeChecker(trees)
const reader = new JobSiteReader(trees)

serveThread((message: CheckMessage | SiteQuery): Promise<unknown> => {
  const { signal } = new AbortController()
  if (message.kind === 'change') return checker.check(message, signal)
  if (message.kind === 'forbidden') return checker.findForbidden(message, signal)
  if (message.kind === 'forbidden-commit') return checker.findForbiddenInCommit(message, signal)
  return reader.answer(message, signal)
})
