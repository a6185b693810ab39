import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../base/clock.ts'
import { createIdSource } from '../../base/ids.ts'
import { chunkPage } from '../../content/pages/chunk-page.ts'
import { readSite } from '../../content/read-site.ts'
import type { FileTree } from '../../content/trees/file-tree.ts'
import { AppError } from '../../contract/app-error.ts'
import type { SuiteTest } from '../../contract/suite.ts'
import { createFreeModel } from '../../models/calls/billed-model.ts'
import { createOfflineModel } from '../../models/offline/offline-model.ts'
import { buildIndexFile } from '../../search/index-file/build-index-file.ts'
import { createSearchEngine } from '../../search/search-engine.ts'
import { describeSite } from '../../sites/describe-site.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { noGuidance } from '../../store/sites/index-guidance.ts'
import { silentLog } from '../../telemetry/log.ts'
import type { AnswerDeps } from '../answer-question.ts'
import { askSite, noWrites } from './ask-site.ts'
import type { SuiteAnswer } from './collect-answer.ts'

/** A site that is answered from its files, without a server, a database or a model. */
export interface FileSite {
  pageCount: number
  ask(test: Pick<SuiteTest, 'question' | 'version'>, signal: AbortSignal): Promise<SuiteAnswer>
  close(): Promise<void>
}

/** Longest question that is read whole, as by default on servers. */
const questionCharsMax = 16_000

/**
 * Reads and indexes a site. Takes about 10 ms of CPU per page, in this thread.
 *
 * @throws {AppError} `invalid_request` if there are no pages.
 */
export async function openFileSite(tree: FileTree, folderInTree: string, signal: AbortSignal): Promise<FileSite> {
  const content = await readSite(tree, { signal, folder: folderInTree })
  const { pages } = content
  if (pages.length === 0) {
    throw new AppError(
      'invalid_request',
      'There are no pages here. Name the folder that contains docs.json or Markdown files.',
    )
  }
  const folder = await mkdtemp(join(tmpdir(), 'docent-test-'))
  const search = createSearchEngine()
  const close = async () => {
    await search.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const file = join(folder, 'index.sqlite')
    buildIndexFile(file, { header: describeSite(content, tree.revision), pages, chunkPage })
    const site = describeLiveSite(await search.open(file), tree.revision)
    const deps = createDeps()
    return { pageCount: pages.length, ask: (test, stop) => askSite(deps, { site, log: silentLog }, test, stop), close }
  } catch (error) {
    await close()
    throw error
  }
}

function describeLiveSite(index: LiveSite['index'], revision: string): LiveSite {
  const { siteName: name, pageCount, chunkCount } = index.header
  const generation = {
    id: 'files',
    siteId: 'files',
    number: 1,
    revision,
    file: '',
    pageCount,
    chunkCount,
    findings: [],
    createdAt: 0,
    selfCheck: null,
    isWaiting: false,
    icon: null,
  }
  const url = 'http://localhost'
  return {
    id: 'files',
    slug: 'files',
    projectId: '',
    settings: {},
    name,
    url,
    generation,
    commit: null,
    guidance: noGuidance,
    discrepancies: [],
    index,
  }
}

function createDeps(): AnswerDeps {
  const offlineModel = createOfflineModel()
  const model = createFreeModel(offlineModel)
  const models = { answering: model, rewriting: model, mayAnswerOffline: true }
  return {
    get store(): never {
      throw new Error('The offline model costs nothing, so no account is opened.')
    },
    writes: noWrites,
    clock: systemClock,
    ids: createIdSource(systemClock),
    models: async () => models,
    offlineModel,
    siteCeilings: { usd: 'unlimited', tokens: 'unlimited' },
    questionCharsMax,
    masksPrompts: false,
    threadKeySecret: createSecretKey(randomBytes(32)),
  }
}
