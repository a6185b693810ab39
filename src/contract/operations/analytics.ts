import { z } from 'zod'
import {
  analyticsCallersSchema,
  analyticsConversationsSchema,
  analyticsFeedbackByPageSchema,
  analyticsFeedbackSchema,
  analyticsQueries,
  analyticsSearchesSchema,
  analyticsThreadSchema,
  analyticsViewsSchema,
  analyticsVisitorsSchema,
} from '../analytics.ts'
import { defineOperations } from './operation.ts'

const params = z.object({ projectId: z.string().meta({ description: 'Id of the project.' }) })

const tag = {
  name: 'Analytics',
  description: "What readers ask, in the format of Mintlify's analytics API. Covers all sites of a project.",
}

const notCounted = 'Docent does not count this: the reply is always empty.'

export const analyticsOperations = defineOperations(tag, {
  getAnalyticsFeedback: {
    method: 'get',
    path: '/v1/analytics/{projectId}/feedback',
    summary: 'Get feedback',
    access: 'viewer',
    params,
    query: analyticsQueries.feedback,
    replies: { 200: { description: 'Feedback on answers, newest first.', json: analyticsFeedbackSchema } },
  },
  getAnalyticsFeedbackByPage: {
    method: 'get',
    path: '/v1/analytics/{projectId}/feedback/by-page',
    summary: 'Get feedback by page',
    description: 'Of the newest 10,000.',
    access: 'viewer',
    params,
    query: analyticsQueries.feedbackByPage,
    replies: { 200: { description: 'Pages, most feedback first.', json: analyticsFeedbackByPageSchema } },
  },
  getAnalyticsConversations: {
    method: 'get',
    path: '/v1/analytics/{projectId}/assistant',
    summary: 'Get conversations',
    access: 'viewer',
    params,
    query: analyticsQueries.conversations,
    replies: { 200: { description: 'Questions and answers, newest first.', json: analyticsConversationsSchema } },
  },
  getAnalyticsThread: {
    method: 'get',
    path: '/v1/analytics/{projectId}/assistant/threads/{threadId}',
    summary: 'Get a conversation',
    description: 'Its first 1,000 messages.',
    access: 'viewer',
    params: params.extend({ threadId: z.string().meta({ description: '`id` of a conversation.' }) }),
    query: analyticsQueries.thread,
    replies: { 200: { description: 'The messages, oldest first.', json: analyticsThreadSchema } },
  },
  getAnalyticsCallers: {
    method: 'get',
    path: '/v1/analytics/{projectId}/assistant/caller-stats',
    summary: 'Count questions by caller',
    access: 'viewer',
    params,
    query: analyticsQueries.period,
    replies: { 200: { description: 'The counts.', json: analyticsCallersSchema } },
  },
  getAnalyticsSearches: {
    method: 'get',
    path: '/v1/analytics/{projectId}/searches',
    summary: 'Get searches',
    description: notCounted,
    access: 'viewer',
    params,
    query: analyticsQueries.searches,
    replies: { 200: { description: 'No searches.', json: analyticsSearchesSchema } },
  },
  getAnalyticsViews: {
    method: 'get',
    path: '/v1/analytics/{projectId}/views',
    summary: 'Get page views',
    description: notCounted,
    access: 'viewer',
    params,
    query: analyticsQueries.pages,
    replies: { 200: { description: 'No views.', json: analyticsViewsSchema } },
  },
  getAnalyticsVisitors: {
    method: 'get',
    path: '/v1/analytics/{projectId}/visitors',
    summary: 'Get visitors',
    description: notCounted,
    access: 'viewer',
    params,
    query: analyticsQueries.pages,
    replies: { 200: { description: 'No visitors.', json: analyticsVisitorsSchema } },
  },
})
