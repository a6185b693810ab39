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
      description: 'Models that the agent tries in this order when the model before gives no first word.',
      defaultText: '`DOCENT_MODEL_FALLBACKS` where `DOCENT_AGENT_MODEL` is not set, else none',
    },
  ),
  agentModelBaseUrl: setting(httpUrl.optional(), {
    env: 'DOCENT_AGENT_MODEL_BASE_URL',
    description: 'The address of the provider of `DOCENT_AGENT_MODEL`, for one that is not at its usual place.',
    defaultText: "that of `DOCENT_MODEL` where it is the same provider, else the provider's own",
  }),
  agentModelApiKey: setting(z.string().min(1).optional(), {
    env: 'DOCENT_AGENT_MODEL_API_KEY',
    description: "The key of the provider of `DOCENT_AGENT_MODEL`. Wins over the provider's own variable.",
    defaultText: "that of `DOCENT_MODEL` where it is the same provider, else the provider's own variable",
    isSecret: true,
  }),
  agentMaxSteps: setting(whole(1, 1_000).default(60), {
    env: 'DOCENT_AGENT_MAX_STEPS',
    description: 'Most calls of the model for one message of a job. What is done by then becomes a draft.',
  }),
  agentMaxTokens: setting(whole(1_000, 1_000_000_000).default(2_000_000), {
    env: 'DOCENT_AGENT_MAX_TOKENS',
    description: 'Most tokens, input and output together, for one message of a job.',
  }),
  agentMaxMinutes: setting(whole(1, 1_440).default(30), {
    env: 'DOCENT_AGENT_MAX_MINUTES',
    description: 'Most minutes that one message of a job is worked on, waiting not counted.',
  }),
  agentMaxUsd: setting(dollars(5), {
    env: 'DOCENT_AGENT_MAX_USD',
    description: 'Most US dollars for one message of a job. Counts models with a known price.',
  }),
  agentDayUsd: setting(dollars(50), {
    env: 'DOCENT_AGENT_DAY_USD',
    description: 'Most US dollars for all jobs of a project in one UTC day. Counts models with a known price.',
  }),
  agentDayTokens: setting(whole(1_000, 1_000_000_000_000).default(50_000_000), {
    env: 'DOCENT_AGENT_DAY_TOKENS',
    description: 'Most tokens for all jobs of a project in one UTC day.',
  }),
  agentJobsAtOnce: setting(whole(1, 64).default(4), {
    env: 'DOCENT_AGENT_JOBS_AT_ONCE',
    description: 'Jobs that one process works on at the same time.',
  }),
  agentMention: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9](?:[\w.-]{0,37}[A-Za-z0-9])?$/, {
        error: 'is not a name of up to 39 letters, digits, dots, hyphens and underscores, without the sign @',
      })
      .default('docent'),
    {
      env: 'DOCENT_AGENT_MENTION',
      description:
        'The name that comments on pull requests call the agent by, without the sign `@`. Choose one that no user of the code host has.',
    },
  ),
}
