import { serveThread } from '../base/serve-thread.ts'
import { clusterQuestions } from './cluster-questions.ts'
import type { ClusterIds, ClusterRequest } from './cluster-thread.ts'

serveThread(({ questions, seeds }: ClusterRequest): ClusterIds[] =>
  clusterQuestions(questions, seeds).map(({ leader, central, questions: members, terms }) => ({
    leaderId: leader.id,
    centralId: central.id,
    questionIds: members.map(({ id }) => id),
    terms,
  })),
)
