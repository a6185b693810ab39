import { serveThread } from '../../base/serve-thread.ts'
import { openSourceTree } from '../../sites/sources/open-source-tree.ts'
import type { CompareRequest } from './compare-thread.ts'
import type { ReachedSite } from './compare-sites.ts'
import { compareTreesIn } from './compare-trees.ts'
import { listSuiteQuestions } from './list-suite-questions.ts'

serveThread(async (request: CompareRequest): Promise<ReachedSite> => {
  const { gitDirectory: location, subdirectory, siteUrl, readerQuestions, workFolder, indexed } = request
  const { signal } = new AbortController()
  const open = (ref: string) => openSourceTree({ kind: 'git', location, ref, subdirectory }, signal)
  const [before, after] = [await open(request.baseCommit), await open(request.headCommit)]
  try {
    const asked = readerQuestions.map((question) => ({ question, origin: 'reader' as const, test: null }))
    const questions = [...(await listSuiteQuestions(before, after)), ...asked]
    return await compareTreesIn(workFolder, { before, after, siteUrl, questions, indexed }, signal)
  } finally {
    await Promise.all([before.close(), after.close()])
  }
})
