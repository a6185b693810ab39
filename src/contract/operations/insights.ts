import { z } from 'zod'
import { agentJobCreateSchema } from '../agent-job.ts'
import { agentInsightsQuerySchema, agentInsightsSchema } from '../agent-insights.ts'
import {
  askedQuestionListSchema,
  exportQuerySchema,
  gapListSchema,
  gapQuerySchema,
  gapSchema,
  gapUpdateSchema,
  insightsSummarySchema,
  jobDraftSchema,
  questionQuerySchema,
  summaryQuerySchema,
  topicListSchema,
  topicQuerySchema,
} from '../insights.ts'
import { defineOperations, jobBytesMax } from './operation.ts'

const params = z.object({ id: z.string().meta({ description: 'Id of the gap.' }) })

const tag = { name: 'Insights', description: 'What readers ask, and which topics the documentation lacks.' }

export const questionOperations = defineOperations(tag, {
  getInsightsSummary: {
    method: 'get',
    path: '/admin/v1/insights/summary',
    summary: 'Get question statistics',
    access: 'viewer',
    query: summaryQuerySchema,
    replies: {
      200: {
        description: 'Totals of the period, over time, and by verdict, caller, version and page.',
        json: insightsSummarySchema,
      },
    },
    errors: [404],
  },
  getAgentInsights: {
    method: 'get',
    path: '/admin/v1/insights/agents',
    summary: 'Get statistics of agents',
    description: 'What coding agents, assistants and other programs read on the sites, and what they missed.',
    access: 'viewer',
    query: agentInsightsQuerySchema,
    replies: { 200: { description: 'Counts of the period, by whole days in UTC.', json: agentInsightsSchema } },
    errors: [404],
  },
  listQuestions: {
    method: 'get',
    path: '/admin/v1/insights/questions',
    summary: 'List questions',
    access: 'viewer',
    query: questionQuerySchema,
    replies: {
      200: { description: 'Questions with their answers, newest first.', json: askedQuestionListSchema },
    },
    errors: [404],
  },
  listTopics: {
    method: 'get',
    path: '/admin/v1/insights/topics',
    summary: 'List topics',
    description:
      'Groups the newest 5,000 questions of the period by their words and by the pages found for them, and names each group by a question of a reader. Uses no model.',
    access: 'viewer',
    query: topicQuerySchema,
    replies: { 200: { description: 'Topics, most asked first.', json: topicListSchema } },
    errors: [404],
  },
  exportQuestions: {
    method: 'get',
    path: '/admin/v1/insights/export',
    summary: 'Export questions',
    description:
      'Returns all questions of the period with their answers as CSV, JSON, or one JSON object a line (`jsonl`). CSV cells that a spreadsheet would read as a formula start with an apostrophe.',
    access: 'viewer',
    query: exportQuerySchema,
    replies: {
      200: {
        description: 'The questions and answers.',
        json: askedQuestionListSchema,
        text: ['text/csv', 'application/jsonl'],
      },
    },
    errors: [404],
  },
})

export const gapOperations = defineOperations(tag, {
  listGaps: {
    method: 'get',
    path: '/admin/v1/insights/gaps',
    summary: 'List documentation gaps',
    description:
      "Groups each site's questions of the last 90 days that were not answered or whose answers did not help. A gap keeps its id and state as long as the first question that revealed it is stored.",
    access: 'viewer',
    query: gapQuerySchema,
    replies: { 200: { description: 'Gaps, most asked first.', json: gapListSchema } },
    errors: [404],
  },
  getGap: {
    method: 'get',
    path: '/admin/v1/insights/gaps/{id}',
    summary: 'Get a gap',
    access: 'viewer',
    params,
    replies: { 200: { description: 'The gap.', json: gapSchema } },
  },
  updateGap: {
    method: 'patch',
    path: '/admin/v1/insights/gaps/{id}',
    summary: 'Update a gap',
    access: 'editor',
    audit: 'gap-changed',
    params,
    body: gapUpdateSchema,
    replies: { 200: { description: 'The gap.', json: gapSchema } },
  },
  draftGapJob: {
    method: 'get',
    path: '/admin/v1/insights/gaps/{id}/job-draft',
    summary: 'Draft a job for a gap',
    description: 'Returns a prompt for an agent job that closes the gap. Creates nothing.',
    access: 'viewer',
    params,
    replies: { 200: { description: 'The draft.', json: jobDraftSchema } },
  },
  createGapJob: {
    method: 'post',
    path: '/admin/v1/insights/gaps/{id}/job',
    summary: 'Create a job for a gap',
    description: 'Creates an agent job and links it to the gap. Without `prompt` in the body, uses the draft.',
    access: 'editor',
    audit: 'job-created',
    params,
    body: agentJobCreateSchema.omit({ site: true, allowDeletions: true }).partial(),
    isBodyOptional: true,
    bodyBytesMax: jobBytesMax,
    replies: { 201: { description: 'The gap, with `jobId`.', json: gapSchema } },
    errors: [422, 429],
  },
  retryGap: {
    method: 'post',
    path: '/admin/v1/insights/gaps/{id}/retry',
    summary: "Ask a gap's questions again",
    description:
      'Asks up to five of its newest questions, as the playground does, and stores the results with the earlier answers. If all of the new answers are `supported`, the gap becomes `fixed`. Takes no body.',
    access: 'editor',
    audit: 'gap-retried',
    params,
    replies: { 200: { description: 'The gap, with `retried`.', json: gapSchema } },
  },
})

export const insightOperations = { ...questionOperations, ...gapOperations }
