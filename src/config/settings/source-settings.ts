import { z } from 'zod'
import { embeddingProviderNames, listProviders } from '../../contract/model-providers.ts'
import { flag, httpUrl, setting, whole } from './setting-shapes.ts'

export const sourceSettings = {
  pollMinutes: setting(whole(0, 1_440).default(5), {
    env: 'DOCENT_POLL_MINUTES',
    description:
      'How often git repositories are checked for changes, in minutes. Folders are checked every minute. 0 disables all checks, including crawls.',
  }),
  crawlHours: setting(whole(0, 8_760).default(24), {
    env: 'DOCENT_CRAWL_HOURS',
    description: 'How often websites are crawled again, in hours. 0 crawls only when a sync is requested.',
  }),
  allowPrivateAddresses: setting(flag(false), {
    env: 'DOCENT_ALLOW_PRIVATE_ADDRESSES',
    description:
      'Whether this machine, private networks and ports other than 80 and 443 are allowed for crawls, repositories by address, webhooks, and model addresses stored through the API or the dashboard. `true` or `false`.',
  }),
  sourceFolders: setting(
    z
      .string()
      .regex(/^\s*\/[^,]*(?:,\s*\/[^,]*)*$/, { error: 'is not a list of absolute paths such as /srv/docs, /srv/wiki' })
      .optional(),
    {
      env: 'DOCENT_SOURCE_FOLDERS',
      description:
        'Local folders, separated by commas, from which admin keys and the dashboard may read sites and import repositories. Commands on this machine may use any folder. The data folder is always off limits.',
      defaultText: 'any folder if the server listens only locally and has no `DOCENT_BASE_URL`, otherwise none',
    },
  ),
  pushToDefaultBranch: setting(flag(false), {
    env: 'DOCENT_PUSH_TO_DEFAULT_BRANCH',
    description:
      'Whether admin keys with the scope `write` may push to default branches on the built-in host. Otherwise only merged pull requests change them. `true` or `false`.',
  }),
  requireApproval: setting(flag(false), {
    env: 'DOCENT_REQUIRE_APPROVAL',
    description:
      'Whether a pull request on the built-in host can merge only once somebody other than its author has approved its newest commit. `true` or `false`.',
  }),
  embeddingModel: setting(
    z
      .string()
      .regex(/^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)?\/\S+|local:\/.+)$/, {
        error:
          'is neither of the form provider/model, such as openai/text-embedding-3-small, nor a folder, such as local:/srv/models/potion',
      })
      .optional(),
    {
      env: 'DOCENT_EMBEDDING_MODEL',
      description: `The embedding model for semantic search alongside keyword search, as \`provider/model\`. Providers: ${listProviders(embeddingProviderNames)}. They receive the text of all searchable pages and of every question. \`local:/path/to/folder\` is a model on this machine, to which nothing is sent.`,
      defaultText: 'none',
    },
  ),
  embeddingBaseUrl: setting(httpUrl.optional(), {
    env: 'DOCENT_EMBEDDING_BASE_URL',
    description:
      "Base URL for `DOCENT_EMBEDDING_MODEL`, including its version, if not the provider's default: `http://localhost:11434/v1`.",
    defaultText: "that of `DOCENT_MODEL` if the provider is the same, otherwise the provider's default",
  }),
  embeddingApiKey: setting(z.string().min(1).optional(), {
    env: 'DOCENT_EMBEDDING_API_KEY',
    description:
      "API key for `DOCENT_EMBEDDING_MODEL`. Overrides the provider's own variable. `DOCENT_MODEL_API_KEY` is used if the provider is the same and `DOCENT_EMBEDDING_BASE_URL` is not set.",
    defaultText: "the provider's own variable",
    isSecret: true,
  }),
}
