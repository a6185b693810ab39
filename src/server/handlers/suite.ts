import { changeSuiteFile } from '../../agent/suite/change-suite-file.ts'
import { AppError } from '../../contract/app-error.ts'
import type { suiteOperations } from '../../contract/operations/suite.ts'
import { noGuidance } from '../../store/sites/index-guidance.ts'
import { getSuiteResults, listSuiteRuns } from '../../store/suite/suite-runs.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

const runsMax = 60

export function createSuiteHandlers(deps: ServerDeps): Handlers<typeof suiteOperations> {
  const db = deps.store.durable

  return {
    getSuite: async ({ site }) => {
      const live = await deps.sites.find(site.slug).catch(ignoreUnready)
      const runs = await listSuiteRuns(db, site.id, runsMax)
      const results = runs[0] === undefined ? [] : await getSuiteResults(db, runs[0].id)
      const { suite } = live?.guidance ?? noGuidance
      return { tests: suite, results, runs: runs.map(({ id: _id, ...run }) => run) }
    },

    changeSuite: async ({ c, body, site }) => {
      const { url, number } = await changeSuiteFile(deps.agent, site, body, c.req.raw.signal)
      return {
        reply: { pullRequest: { url, number } },
        audit: { target: { kind: 'site', id: site.id, name: site.name }, details: { kind: body.kind } },
      }
    },
  }
}

/** A site without an index has no tests yet. */
function ignoreUnready(error: unknown): null {
  if (error instanceof AppError && error.code.startsWith('site_not_')) return null
  throw error
}
