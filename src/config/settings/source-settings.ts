import { z } from 'zod'
import { embeddingProviderNames, listProviders } from '../../contract/model-providers.ts'
import { flag, httpUrl, setting, whole } from './setting-shapes.ts'

export const sourceSettings = {
  pollMinutes: setting(whole(0, 1_440).default(5), {
    env: 'DOCENT_POLL_MINUTES',
    description:
      'How often git repositories of sites are asked for changes, in minutes. Folders are looked at every minute. 0 turns off all looking, crawls included.',
  }),
  crawlHours: setting(whole(0, 8_760).default(24), {
    env: 'DOCENT_CRAWL_HOURS',
    description: 'How often crawled sites are fetched again, in hours. 0 fetches them only when a sync is asked for.',
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
        'Folders of this machine, separated by commas, that sites may be read and repositories be imported from when an admin key or the dashboard asks. Commands on this machine may name any folder. The data folder is never read.',
      defaultText: 'any folder while the server listens to this machine alone and has no `DOCENT_BASE_URL`, else none',
    },
  ),
  pushToDefaultBranch: setting(flag(false), {
    env: 'DOCENT_PUSH_TO_DEFAULT_BRANCH',
    description:
      'Whether admin keys with the scope `write` may push to the default branch of a repository of the built-in host. Without it only merges of pull requests move it. `true` or `false`.',
  }),
  embeddingModel: setting(
    z
      .string()
      .regex(/^[a-z0-9-]+\/\S+$/, { error: 'is not of the form provider/model, such as openai/text-embedding-3-small' })
      .optional(),
    {
      env: 'DOCENT_EMBEDDING_MODEL',
      description: `The embedding model that the search uses beside its words, as \`provider/model\`. Providers: ${listProviders(embeddingProviderNames)}. The text of all searchable pages and of every question goes to it.`,
      defaultText: 'none',
    },
  ),
  embeddingBaseUrl: setting(httpUrl.optional(), {
    env: 'DOCENT_EMBEDDING_BASE_URL',
    description:
      'The address of the provider of `DOCENT_EMBEDDING_MODEL`, for one that is not at its usual place, with its version: `http://localhost:11434/v1`.',
    defaultText: "that of `DOCENT_MODEL` where it is the same provider, else the provider's own",
  }),
  embeddingApiKey: setting(z.string().min(1).optional(), {
    env: 'DOCENT_EMBEDDING_API_KEY',
    description:
      "The key of the provider of `DOCENT_EMBEDDING_MODEL`. Wins over the provider's own variable. `DOCENT_MODEL_API_KEY` is used where the provider is the same and `DOCENT_EMBEDDING_BASE_URL` is not set.",
    defaultText: "the provider's own variable",
    isSecret: true,
  }),
}
