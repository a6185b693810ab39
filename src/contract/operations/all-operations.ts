import { auditLogOperations, invitationOperations, memberOperations, sessionOperations } from './accounts.ts'
import { agentJobOperations, agentOperations } from './agent-jobs.ts'
import { assistantOperations } from './assistant.ts'
import { automationOperations } from './automations.ts'
import { codeHostAppOperations } from './code-host-apps.ts'
import { contextRepositoryOperations } from './context-repositories.ts'
import { feedbackOperations } from './feedback.ts'
import { gapOperations, insightOperations } from './insights.ts'
import { keyOperations } from './keys.ts'
import { playgroundOperations } from './playground.ts'
import { projectOperations } from './projects.ts'
import { pullRequestOperations } from './pull-requests.ts'
import { repositoryOperations } from './repositories.ts'
import { searchOperations } from './search.ts'
import { probeOperations, serviceOperations } from './service.ts'
import { settingOperations } from './settings.ts'
import { siteOperations, sourceCheckOperations } from './sites.ts'
import { threadOperations } from './threads.ts'
import { usageOperations } from './usage.ts'
import { receivedWebhookOperations, webhookEndpointOperations } from './webhooks.ts'

/** Every operation that clients call, by its id. */
export const allOperations = {
  ...assistantOperations,
  ...searchOperations,
  ...siteOperations,
  ...sourceCheckOperations,
  ...contextRepositoryOperations,
  ...agentJobOperations,
  ...agentOperations,
  ...automationOperations,
  ...settingOperations,
  ...pullRequestOperations,
  ...webhookEndpointOperations,
  ...receivedWebhookOperations,
  ...codeHostAppOperations,
  ...repositoryOperations,
  ...threadOperations,
  ...feedbackOperations,
  ...keyOperations,
  ...insightOperations,
  ...gapOperations,
  ...usageOperations,
  ...playgroundOperations,
  ...projectOperations,
  ...memberOperations,
  ...invitationOperations,
  ...auditLogOperations,
  ...sessionOperations,
  ...probeOperations,
  ...serviceOperations,
}
