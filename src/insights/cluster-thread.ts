import { WorkThread } from '../base/work-thread.ts'
import { AppError } from '../contract/app-error.ts'
import { cutText } from '../contract/cut-text.ts'
import type { ClusteredQuestion, QuestionCluster } from './cluster-questions.ts'

/** Longest part of a question that is compared. */
const textCharsMax = 1_000
/** Ten thousand questions take about a hundred megabytes and a few seconds. */
const memoryMbMax = 256
const clusterMsMaxDefault = 20_000
const idleMsMax = 10_000

export interface ClusterRequest {
  questions: ClusteredQuestion[]
  seeds: ClusteredQuestion[]
}

/** A group as question ids. */
export interface ClusterIds {
  leaderId: string
  centralId: string
  questionIds: string[]
  terms: string[]
}

/** Groups questions in a separate thread, because readers' texts must not block the server. See `clusterQuestions`. */
export class ClusterThread {
  readonly #thread: WorkThread<ClusterRequest, ClusterIds[]>

  constructor(clusterMsMax: number = clusterMsMaxDefault) {
    const entry = new URL('./cluster-questions-worker.ts', import.meta.url)
    this.#thread = new WorkThread({ entry, what: 'The groups', memoryMbMax, msMax: clusterMsMax, idleMsMax })
  }

  /** @throws {AppError} `overloaded` on timeout. */
  async cluster<Question extends ClusteredQuestion>(
    questions: readonly Question[],
    seeds: readonly ClusteredQuestion[] = [],
  ): Promise<QuestionCluster<Question>[]> {
    const request = { questions: questions.map(toCompared), seeds: seeds.map(toCompared) }
    const clusters = await this.#thread.run(request, new AbortController().signal).catch(refuse)
    const leaders = new Map<string, ClusteredQuestion>([...questions, ...seeds].map((each) => [each.id, each]))
    const members = new Map(questions.map((each) => [each.id, each]))
    return clusters.flatMap(({ leaderId, centralId, questionIds, terms }) => {
      const [leader, central] = [leaders.get(leaderId), leaders.get(centralId)]
      return leader === undefined || central === undefined
        ? []
        : [{ leader, central, questions: questionIds.flatMap((id) => members.get(id) ?? []), terms }]
    })
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

function toCompared({ id, text, askedAt, sections, pages }: ClusteredQuestion): ClusteredQuestion {
  return { id, text: cutText(text, textCharsMax), askedAt, sections, pages }
}

function refuse(cause: unknown): never {
  const message = 'The questions of this period could not be grouped in time. Choose a shorter period or a single site.'
  throw new AppError('overloaded', message, { cause })
}
