import { serveThread } from '../base/serve-thread.ts'
import { clusterQuestions } from './cluster-questions.ts'
import type { ClusterIds, ClusterRequest } from './cluster-thread.ts'

serveThread(({ questions, seeds }: ClusterRequest): ClusterIds[] =>
  clusterQuestions(questions, seeds).map(({ leader, questions: members, terms }) => ({
    leaderId: leader.id,
    questionIds: members.map(({ id }) => id),
    terms,
  })),
)
