import { serveThread } from '../../base/serve-thread.ts'
import type { SiteComparison } from '../../contract/counterfactual.ts'
import { openSourceTree } from '../../sites/sources/open-source-tree.ts'
import type { CompareRequest } from './compare-thread.ts'
import { compareTrees } from './compare-trees.ts'
import { listSuiteQuestions } from './list-suite-questions.ts'

serveThread(async (request: CompareRequest): Promise<SiteComparison> => {
  const { gitDirectory: location, subdirectory, siteUrl, readerQuestions } = request
  const { signal } = new AbortController()
  const open = (ref: string) => openSourceTree({ kind: 'git', location, ref, subdirectory }, signal)
  const [before, after] = [await open(request.baseCommit), await open(request.headCommit)]
  try {
    const asked = readerQuestions.map((question) => ({ question, origin: 'reader' as const, test: null }))
    const questions = [...(await listSuiteQuestions(before, after)), ...asked]
    return await compareTrees({ before, after, siteUrl, questions }, signal)
  } finally {
    await Promise.all([before.close(), after.close()])
  }
})
