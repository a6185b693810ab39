import { retrievalPageSizeDefault } from '../../contract/assistant-request.ts'
import { isAnswer } from '../../contract/verdicts.ts'
import type { AnswerSide } from '../../contract/counterfactual.ts'
import { listRootLinks } from '../../content/markdown/map-root-links.ts'
import type { QuotingAnswerer } from '../../models/offline/answer-by-quoting.ts'
import { answerAsked } from '../../models/offline/offline-model.ts'
import { readPassage } from '../../models/offline/retrieved-passage.ts'
import { readInContext } from '../../models/offline/search-text.ts'
import { weighWords } from '../../models/offline/weigh-words.ts'
import type { IndexFile } from '../../search/index-file/index-file.ts'
import { countTerms } from '../../search/ranking/count-terms.ts'
import { searchIndexFile } from '../../search/search-index-file.ts'
import type { Passage, SearchQuery } from '../../search/search-query.ts'

export interface VersionedQuestion {
  question: string
  /** Null for the one shown by default. */
  version: string | null
}

/** Asks one version of a site, as a reader who is not signed in, without a model. */
export class OfflineAsker {
  readonly #index: IndexFile
  readonly #answerer: QuotingAnswerer
  readonly #instructions: string

  /** @param answerer May be shared between versions: it caches the passages that it has taken apart. */
  constructor(index: IndexFile, siteName: string, answerer: QuotingAnswerer) {
    this.#index = index
    this.#answerer = answerer
    this.#instructions = `documentation "${siteName}"`
  }

  search(question: VersionedQuestion): Passage[] {
    return searchIndexFile(this.#index, toQuery(question))
  }

  answer(versioned: VersionedQuestion, passages: readonly Passage[] = this.search(versioned)): AnswerSide {
    const { question } = versioned
    const asked = readInContext(toConversation(question))
    const termCounts = countTerms(this.#index, toQuery(versioned))
    const retrieved = passages.flatMap((passage) => readPassage(showPassage(passage)) ?? [])
    const conversation = {
      ...toConversation(question),
      passages: retrieved,
      termCounts,
      instructions: this.#instructions,
    }
    const weighed = { ...asked, words: weighWords(asked.words, termCounts) }
    const { text, verdict } = answerAsked(weighed, conversation, this.#answerer)
    const linked = new Set(isAnswer(verdict) ? listRootLinks(text).map((target) => target.replace(/#.*$/s, '')) : [])
    const quoted = passages.filter(({ path }) => linked.has(encodeURI(path)) || linked.has(path))
    const cited = new Map(quoted.map(({ path, title, version }) => [path, { path, title, version }]))
    return { verdict, text, citations: [...cited.values()] }
  }
}

function toConversation(question: string) {
  const none = { instructions: '', earlierQuestions: [], searchedFor: [], passages: [], termCounts: null }
  return { ...none, question, hasFailedSearch: false, canSearch: false, callCount: 0 }
}

function toQuery({ question, version }: VersionedQuestion): SearchQuery {
  const { searchText } = readInContext(toConversation(question))
  const filter = version === null ? {} : { version }
  return {
    text: searchText,
    limit: retrievalPageSizeDefault,
    filter,
    readerGroups: [],
    isSignedIn: false,
    isForAnswer: true,
  }
}

/** A passage in the shape in which the offline model reads the search tool's results. */
function showPassage({ path, anchor, title, headings, content, score }: Passage) {
  const href = anchor === null ? path : `${path}#${anchor}`
  return { path, content, metadata: { title, href, headings, score } }
}
