import { accountOperations } from './accounts.ts'
import { agentJobOperations } from './agent-jobs.ts'
import { analyticsOperations } from './analytics.ts'
import { assistantOperations } from './assistant.ts'
import { automationOperations } from './automations.ts'
import { botOperations } from './bots.ts'
import { chatCompletionOperations } from './chat-completions.ts'
import { codeHostAppOperations } from './code-host-apps.ts'
import { contextRepositoryOperations } from './context-repositories.ts'
import { feedbackOperations } from './feedback.ts'
import { discrepancyOperations } from './discrepancies.ts'
import { handOverOperations } from './hand-overs.ts'
import { homeOperations } from './home.ts'
import { insightViewOperations } from './insight-views.ts'
import { insightOperations } from './insights.ts'
import { keyOperations } from './keys.ts'
import { objectOperations } from './objects.ts'
import { playgroundOperations } from './playground.ts'
import { projectOperations } from './projects.ts'
import { pullRequestOperations, publicPullRequestOperations } from './pull-requests.ts'
import { receiptOperations } from './receipts.ts'
import { repositoryOperations } from './repositories.ts'
import { searchOperations } from './search.ts'
import { serviceOperations } from './service.ts'
import { settingOperations } from './settings.ts'
import { siteOperations } from './sites.ts'
import { suiteOperations } from './suite.ts'
import { threadOperations } from './threads.ts'
import { usageOperations } from './usage.ts'
import { webhookOperations } from './webhooks.ts'
import { widgetOperations } from './widget.ts'

/** Every operation that clients call, by its id. */
export const allOperations = {
  ...assistantOperations,
  ...searchOperations,
  ...chatCompletionOperations,
  ...siteOperations,
  ...widgetOperations,
  ...contextRepositoryOperations,
  ...agentJobOperations,
  ...automationOperations,
  ...settingOperations,
  ...pullRequestOperations,
  ...publicPullRequestOperations,
  ...webhookOperations,
  ...botOperations,
  ...codeHostAppOperations,
  ...repositoryOperations,
  ...threadOperations,
  ...receiptOperations,
  ...feedbackOperations,
  ...discrepancyOperations,
  ...suiteOperations,
  ...handOverOperations,
  ...keyOperations,
  ...homeOperations,
  ...insightOperations,
  ...insightViewOperations,
  ...analyticsOperations,
  ...usageOperations,
  ...playgroundOperations,
  ...projectOperations,
  ...objectOperations,
  ...accountOperations,
  ...serviceOperations,
}
