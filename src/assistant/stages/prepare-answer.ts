import type { IdSource } from '../../base/ids.ts'
import type { AnswerOption } from '../../contract/answer-options.ts'
import type { AssistantQuestion, LinkStyle } from '../../contract/assistant-request.ts'
import { readSiteSettings, type SiteSettings } from '../../contract/site-settings.ts'
import type { Reader } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { Log } from '../../telemetry/log.ts'
import type { OpenThread } from '../open-thread.ts'
import { maskQuestion } from '../prompt/mask-question.ts'
import { shortenQuestion } from '../prompt/shorten-question.ts'
import { SiteAccount, type SiteAccountDeps } from '../site-account.ts'

export interface PrepareDeps extends SiteAccountDeps {
  ids: IdSource
  /** Longest question that is read whole; the middle of a longer one is left out. */
  questionCharsMax: number
  /** Whether readers' secrets and personal data are masked in what models read. */
  masksPrompts: boolean
}

/** The identity of the caller, as far as the edge knows. */
export interface Asker {
  /** The channel of the question, such as `widget` or `api`. */
  caller: string
  keyId: string | null
  /** Of the page in a browser. */
  origin: string | null
}

export interface AnswerInput {
  site: LiveSite
  reader: Reader
  question: AssistantQuestion
  links: LinkStyle
  thread: OpenThread
  asker: Asker
  answerOptions: readonly AnswerOption[]
  log: Log
}

/** Everything known before any lookup; `question` is bounded and is what is stored. */
export interface PreparedAnswer extends AnswerInput {
  id: string
  startedAtMs: number
  /** The question as models read it. */
  modelQuestion: AssistantQuestion
  /** First line of the answer, with the blank line after it; empty if the question is read whole. */
  notice: string
  settings: SiteSettings
  account: SiteAccount
}

export function prepareAnswer(deps: PrepareDeps, input: AnswerInput): PreparedAnswer {
  const { question, notice } = shortenQuestion(input.question, deps.questionCharsMax)
  return {
    ...input,
    id: deps.ids.prefixed('msg'),
    startedAtMs: deps.clock.now(),
    question,
    modelQuestion: deps.masksPrompts ? maskQuestion(question) : question,
    notice,
    settings: readSiteSettings(input.site.settings),
    account: new SiteAccount(deps, input.site),
  }
}
