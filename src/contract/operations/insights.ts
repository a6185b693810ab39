import { z } from 'zod'
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
import { agentJobCreateSchema } from '../agent-job.ts'
import { defineOperations, jobBytesMax } from './operation.ts'

const params = z.object({ id: z.string().meta({ description: 'Id of the gap.' }) })

export const insightOperations = defineOperations(
  { name: 'Insights', description: 'What readers ask, and what the documentation lacks.' },
  {
    getInsightsSummary: {
      method: 'get',
      path: '/admin/v1/insights/summary',
      summary: 'Count the questions of a period',
      access: 'viewer',
      query: summaryQuerySchema,
      replies: { 200: { description: 'Over time, and by what they have in common.', json: insightsSummarySchema } },
      errors: [404],
    },
    listQuestions: {
      method: 'get',
      path: '/admin/v1/insights/questions',
      summary: 'List questions',
      access: 'viewer',
      query: questionQuerySchema,
      replies: {
        200: { description: 'Questions with their answers, the newest first.', json: askedQuestionListSchema },
      },
      errors: [404],
    },
    listTopics: {
      method: 'get',
      path: '/admin/v1/insights/topics',
      summary: 'List what is asked most',
      description: 'Groups the newest 2,000 questions of the period by the words that they share, without a model.',
      access: 'viewer',
      query: topicQuerySchema,
      replies: { 200: { description: 'The most asked first.', json: topicListSchema } },
      errors: [404],
    },
    exportQuestions: {
      method: 'get',
      path: '/admin/v1/insights/export',
      summary: 'Export questions',
      description:
        'All questions of the period with their answers, as CSV or JSON. Cells of CSV that a spreadsheet would take for a formula begin with an apostrophe.',
      access: 'viewer',
      query: exportQuerySchema,
      replies: { 200: { description: 'The file.', json: askedQuestionListSchema, text: ['text/csv'] } },
      errors: [404],
    },
    listGaps: {
      method: 'get',
      path: '/admin/v1/insights/gaps',
      summary: 'List gaps of the documentation',
      description:
        'Groups the questions of a site, of 90 days, that stayed unanswered or whose answers did not help. A gap keeps its id and its state for as long as the question is stored that showed it first.',
      access: 'viewer',
      query: gapQuerySchema,
      replies: { 200: { description: 'The most asked first.', json: gapListSchema } },
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
      summary: 'Change a gap',
      access: 'editor',
      audit: 'gap-changed',
      params,
      body: gapUpdateSchema,
      replies: { 200: { description: 'The gap.', json: gapSchema } },
    },
    draftGapJob: {
      method: 'get',
      path: '/admin/v1/insights/gaps/{id}/job-draft',
      summary: 'Draft a job that mends a gap',
      description: 'Words for the prompt of an agent job. Makes nothing.',
      access: 'viewer',
      params,
      replies: { 200: { description: 'The draft.', json: jobDraftSchema } },
    },
    createGapJob: {
      method: 'post',
      path: '/admin/v1/insights/gaps/{id}/job',
      summary: 'Have a gap mended',
      description: 'Makes an agent job, with the draft where the body names no prompt, and links it to the gap.',
      access: 'editor',
      audit: 'job-created',
      params,
      body: agentJobCreateSchema.omit({ site: true }).partial(),
      isBodyOptional: true,
      bodyBytesMax: jobBytesMax,
      replies: { 201: { description: 'The gap, with `jobId`.', json: gapSchema } },
      errors: [422, 429],
    },
    reaskGap: {
      method: 'post',
      path: '/admin/v1/insights/gaps/{id}/reask',
      summary: 'Ask the questions of a gap again',
      description:
        'Asks its newest questions, five at most, as the playground does, and stores what came of it beside what was answered before. The gap is `mended` when all of them are answered. Takes no body.',
      access: 'editor',
      audit: 'gap-reasked',
      params,
      replies: { 200: { description: 'The gap, with `reasked`.', json: gapSchema } },
    },
  },
)
