import { readQuestion } from '../../contract/assistant-request.ts'
import { AppError } from '../../contract/app-error.ts'
import { readSiteSettings } from '../../contract/site-settings.ts'
import { linkToMarkdown } from '../../sites/agent-files/page-markdown.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { AppContext } from '../app-env.ts'
import { answerProgram } from '../handlers/answer-route.ts'
import { answerFailed } from '../replies/answer-failed.ts'
import { readPublicRequest } from '../requests/reader-request.ts'
import type { ServerDeps } from '../server-deps.ts'
import { collectAnswer } from '../streams/collect-answer.ts'
import { publishSite, sendText, setHeaders, writeLinks } from './site-replies.ts'

/** Longer addresses are refused on the way by some proxies. */
const addressQuestionCharsMax = 2_000
/** Longer paths are not passed on as the page that is being read. */
const pagePathCharsMax = 200

/**
 * The question in the address of a page's Markdown, where the owner allows it.
 *
 * @returns Null also for requests that nobody waits for, or that other websites cause: each answer costs money.
 */
export function readPageQuestion(c: AppContext, site: LiveSite): string | null {
  const question = c.req.query('ask')?.trim() ?? ''
  if (question === '' || c.req.method !== 'GET' || isUnattended(c)) return null
  return readSiteSettings(site.settings).answersByAddress ? question : null
}

function isUnattended(c: AppContext): boolean {
  const purpose = c.req.header('sec-purpose') ?? c.req.header('purpose') ?? ''
  const target = c.req.header('sec-fetch-dest') ?? 'empty'
  const isForeign = c.req.header('sec-fetch-site') === 'cross-site'
  return /prefetch|prerender|preview/i.test(purpose) || isForeign || !['document', 'empty'].includes(target)
}

/**
 * Answers a question about a public page as Markdown whose links lead to Markdown. The question is not repeated: an
 * address could make the site say anything.
 *
 * @throws {AppError} as `answerProgram`; `question_too_long`; `answer_failed`; `key_missing` if the owner has revoked the public key.
 */
export async function sendPageAnswer(
  c: AppContext,
  deps: ServerDeps,
  site: LiveSite,
  { question: text, path }: { question: string; path: string },
): Promise<Response> {
  if (text.length > addressQuestionCharsMax) {
    const message = `A question in an address may have ${addressQuestionCharsMax} characters. Ask more briefly, or over MCP.`
    throw new AppError('question_too_long', message)
  }
  const currentPath = path.length > pagePathCharsMax ? null : path
  const messages = [{ role: 'user', parts: [{ type: 'text', text }] }]
  const question = readQuestion('v2', { fp: 'agent', threadId: null, messages, currentPath, links: 'absolute' })
  c.set('readerRequest', await readPublicRequest(c, deps, site.slug))
  const { signal } = c.req.raw
  const answered = await answerProgram(c, deps, question, async ({ headers, ...answer }) => {
    setHeaders(c, headers)
    return collectAnswer(answer, signal)
  })
  if ('failure' in answered) throw answerFailed(answered.failure)
  const published = await publishSite(deps, site)
  setHeaders(c, {
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
    Link: writeLinks(published),
  })
  const answer = linkToMarkdown(published, answered.answer.replaceAll(`](${site.url}/`, '](/'))
  const verdict = answered.verdict ?? 'unknown'
  return sendText(c, `> Verdict: ${verdict}. Index of all pages: ${published.filesUrl}/llms.txt\n\n${answer}\n`)
}
