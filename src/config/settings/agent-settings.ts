import { z } from 'zod'
import { dollars, httpUrl, modelId, modelList, setting, whole } from './setting-shapes.ts'

export const agentSettings = {
  agentModel: setting(modelId.optional(), {
    env: 'DOCENT_AGENT_MODEL',
    description:
      'The model of the agent, as `provider/model`. `docent/offline` follows literal instructions and needs no key.',
    defaultText: '`DOCENT_MODEL`',
  }),
  agentModelFallbacks: setting(
    modelList('is not a list of models such as openai/gpt-5-mini, anthropic/claude-sonnet-4-5').optional(),
    {
      env: 'DOCENT_AGENT_MODEL_FALLBACKS',
      description: 'Fallback models, tried in order when a model fails before its first token.',
      defaultText: '`DOCENT_MODEL_FALLBACKS` where `DOCENT_AGENT_MODEL` is not set, else none',
    },
  ),
  agentModelBaseUrl: setting(httpUrl.optional(), {
    env: 'DOCENT_AGENT_MODEL_BASE_URL',
    description: "Base URL for `DOCENT_AGENT_MODEL`, if not the provider's default.",
    defaultText: "that of `DOCENT_MODEL` if the provider is the same, otherwise the provider's default",
  }),
  agentModelApiKey: setting(z.string().min(1).optional(), {
    env: 'DOCENT_AGENT_MODEL_API_KEY',
    description: "API key for `DOCENT_AGENT_MODEL`. Overrides the provider's own variable.",
    defaultText: "that of `DOCENT_MODEL` if the provider is the same, otherwise the provider's own variable",
    isSecret: true,
  }),
  agentMaxSteps: setting(whole(1, 1_000).default(60), {
    env: 'DOCENT_AGENT_MAX_STEPS',
    description: 'Most model calls for one message of a job. Work done until then becomes a draft.',
  }),
  agentMaxTokens: setting(whole(1_000, 1_000_000_000).default(2_000_000), {
    env: 'DOCENT_AGENT_MAX_TOKENS',
    description: 'Most tokens (input plus output) for one message of a job.',
  }),
  agentMaxMinutes: setting(whole(1, 1_440).default(30), {
    env: 'DOCENT_AGENT_MAX_MINUTES',
    description: 'Most minutes of work on one message of a job, not counting waiting time.',
  }),
  agentMaxUsd: setting(dollars(5), {
    env: 'DOCENT_AGENT_MAX_USD',
    description: 'Most US dollars for one message of a job. Counts only models with a known price.',
  }),
  agentDayUsd: setting(dollars(50), {
    env: 'DOCENT_AGENT_DAY_USD',
    description: 'Most US dollars for all jobs of a project in one UTC day. Counts only models with a known price.',
  }),
  agentDayTokens: setting(whole(1_000, 1_000_000_000_000).default(50_000_000), {
    env: 'DOCENT_AGENT_DAY_TOKENS',
    description: 'Most tokens for all jobs of a project in one UTC day.',
  }),
  agentJobsAtOnce: setting(whole(1, 64).default(4), {
    env: 'DOCENT_AGENT_JOBS_AT_ONCE',
    description: 'Concurrent jobs per process.',
  }),
  agentMention: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9](?:[\w.-]{0,37}[A-Za-z0-9])?$/, {
        error: 'is not a name of up to 39 letters, digits, dots, hyphens and underscores, without the @',
      })
      .default('docent'),
    {
      env: 'DOCENT_AGENT_MENTION',
      description:
        'The name by which pull request comments mention the agent, without `@`. Choose one that no user of the code host has.',
    },
  ),
}
