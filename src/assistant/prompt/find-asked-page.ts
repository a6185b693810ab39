import { cutText } from '../../contract/cut-text.ts'
import { readPageReference } from '../../models/offline/read-page-reference.ts'
import type { IndexedPage } from '../../search/search-query.ts'
import { type AnswerToolDeps, isInRequest, narrowReader } from '../tools/answer-tool.ts'

/** The reader's page, where the question is about it. */
export interface AskedPage {
  /** Null if the question is about the whole site, or the page is unknown. */
  page: IndexedPage | null
  /** What is asked about the page; empty for a summary. */
  subject: string
  /** A sentence with a blank line after it, if the question points at a page that the site does not have; else empty. */
  notice: string
}

const shownPathCharsMax = 120

/** Finds the page that a question such as "summarize this page" points at. */
export async function findAskedPage(deps: AnswerToolDeps, signal: AbortSignal): Promise<AskedPage> {
  const { question, currentPath, context } = deps.question
  const reference = readPageReference(question, context.length > 0)
  if (reference === null) return { page: null, subject: '', notice: '' }
  const page = currentPath === null ? null : await readCurrentPage(deps, currentPath, signal)
  return { page, subject: reference.subject, notice: page === null ? writeNotice(currentPath) : '' }
}

async function readCurrentPage(
  deps: AnswerToolDeps,
  currentPath: string,
  signal: AbortSignal,
): Promise<IndexedPage | null> {
  const { index, url } = deps.site
  const base = new URL(url).pathname.replace(/\/$/, '')
  const path = currentPath.replace(/^https?:\/\/[^/]*/i, '')
  const isInSite = base !== '' && `${path}/`.startsWith(`${base}/`)
  const page = await index.readPage(isInSite ? path.slice(base.length) || '/' : path, narrowReader(deps), signal)
  return page !== null && isInRequest(deps, page) ? page : null
}

function writeNotice(currentPath: string | null): string {
  if (currentPath === null) return 'It is not known which page you are reading, so all pages were searched.\n\n'
  const shown = cutText(currentPath.replace(/[^\p{L}\p{N}/._~-]/gu, ''), shownPathCharsMax)
  return `\`${shown}\` is not a page of this documentation, so all pages were searched.\n\n`
}
