import type { IdSource } from '../../base/ids.ts'
import type { AssistantQuestion } from '../../contract/assistant-request.ts'
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
  /** Characters that are read of a question; of a longer one, its middle is left out. */
  questionCharsMax: number
  /** Whether secrets and personal data of readers are masked in what models read. */
  masksPrompts: boolean
}

/** Who asks, as far as the edge knows. */
export interface Asker {
  /** What the question comes through, such as `widget` or `api`. */
  caller: string
  keyId: string | null
}

export interface AnswerInput {
  site: LiveSite
  reader: Reader
  question: AssistantQuestion
  thread: OpenThread
  asker: Asker
  log: Log
}

/** All that is known before anything is looked up; `question` is what is stored, and not too long. */
export interface PreparedAnswer extends AnswerInput {
  id: string
  startedAtMs: number
  /** The question as models read it. */
  modelQuestion: AssistantQuestion
  /** First line of the answer, with the blank line after it; empty when the whole question is read. */
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
