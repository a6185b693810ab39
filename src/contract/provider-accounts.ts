// Where providers of models are reached and what they are paid by. Providers of one account share its key and address.

interface AccountSetting {
  variable: string
  description: string
  isSecret?: true
  /** Allowed values: parts of a host name must not lead elsewhere. */
  pattern?: RegExp
}

const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

/** Settings of accounts besides their keys. */
export const accountSettings = {
  azureResourceName: {
    variable: 'AZURE_RESOURCE_NAME',
    description: 'The Azure resource with the deployments: `NAME` in `https://NAME.openai.azure.com`.',
    pattern: hostLabel,
  },
  azureApiVersion: {
    variable: 'AZURE_API_VERSION',
    description:
      'A dated API version such as `2024-10-21`, for `azure-chat` with a resource that lacks the v1 API. Models are then called at the addresses of their deployments.',
    pattern: /^[\w-]{1,40}$/,
  },
  awsRegion: {
    variable: 'AWS_REGION',
    description: 'The AWS region of Amazon Bedrock, such as `eu-central-1`.',
    pattern: hostLabel,
  },
  awsAccessKeyId: {
    variable: 'AWS_ACCESS_KEY_ID',
    description: 'The access key that signs calls of Amazon Bedrock, if `AWS_BEARER_TOKEN_BEDROCK` is not set.',
  },
  awsSecretAccessKey: {
    variable: 'AWS_SECRET_ACCESS_KEY',
    description: 'The secret of `AWS_ACCESS_KEY_ID`. It signs calls and is never sent.',
    isSecret: true,
  },
  awsSessionToken: {
    variable: 'AWS_SESSION_TOKEN',
    description: 'The session token of `AWS_ACCESS_KEY_ID`, for temporary credentials.',
    isSecret: true,
  },
  googleVertexProject: {
    variable: 'GOOGLE_VERTEX_PROJECT',
    description:
      'The Google Cloud project of Vertex AI, if `GOOGLE_VERTEX_API_KEY` is not set. Calls then use the credentials in `GOOGLE_APPLICATION_CREDENTIALS`, or else those of the machine.',
    pattern: /^[a-z0-9][a-z0-9:.-]{0,99}$/i,
  },
  googleVertexLocation: {
    variable: 'GOOGLE_VERTEX_LOCATION',
    description: 'The location of Vertex AI, such as `europe-west4`. Without it: `global`.',
    pattern: hostLabel,
  },
  googleCredentialsFile: {
    variable: 'GOOGLE_APPLICATION_CREDENTIALS',
    description: 'The file with the Google Cloud credentials for Vertex AI, such as the JSON key of a service account.',
  },
} as const satisfies Record<string, AccountSetting>

export type AccountSettingName = keyof typeof accountSettings
export type AccountValues = Partial<Record<AccountSettingName, string | undefined>>

/** In display order. `Object.keys` loses the names. */
export const accountSettingNames = Object.keys(accountSettings) as AccountSettingName[]

/** What is known of a setting, in a form that is the same for all. */
export const describeAccountSetting = (name: AccountSettingName): AccountSetting => accountSettings[name]

/** An account of which one setting is missing. */
export class AccountSettingMissing extends Error {
  override readonly name = 'AccountSettingMissing'
  readonly setting: AccountSettingName

  constructor(setting: AccountSettingName) {
    super(`${accountSettings[setting].variable} is missing.`)
    this.setting = setting
  }
}

export interface AccountDescription<KeySetting extends string = string> {
  /** The setting of its key, and the environment variable of that setting. Null: no key is required. */
  key: { setting: KeySetting; variable: string } | null
  /**
   * Null: must be configured. A function computes it from the account's settings.
   *
   * @throws {AccountSettingMissing} when it cannot.
   */
  baseUrl: string | null | ((values: AccountValues, hasKey: boolean) => string)
  /** Its other settings, which only this account gets to see. */
  settings?: readonly AccountSettingName[]
  /** Settings that replace the key if all are given. */
  insteadOfKey?: readonly AccountSettingName[]
}

const require = (values: AccountValues, name: AccountSettingName): string => {
  const value = values[name]
  if (value === undefined) throw new AccountSettingMissing(name)
  return value
}

export const openAiAccount = {
  key: { setting: 'openaiApiKey', variable: 'OPENAI_API_KEY' },
  baseUrl: 'https://api.openai.com/v1',
} as const satisfies AccountDescription

export const azureAccount = {
  key: { setting: 'azureApiKey', variable: 'AZURE_API_KEY' },
  baseUrl: (values: AccountValues) => `https://${require(values, 'azureResourceName')}.openai.azure.com/openai`,
  settings: ['azureResourceName', 'azureApiVersion'],
} as const satisfies AccountDescription

/** Regions outside the main partition have their own domains. */
const awsDomains = { 'cn-': 'amazonaws.com.cn', 'eusc-': 'amazonaws.eu' }

export const bedrockAccount = {
  key: { setting: 'bedrockApiKey', variable: 'AWS_BEARER_TOKEN_BEDROCK' },
  baseUrl: (values: AccountValues) => {
    const region = require(values, 'awsRegion')
    const domain = Object.entries(awsDomains).find(([prefix]) => region.startsWith(prefix))?.[1] ?? 'amazonaws.com'
    return `https://bedrock-runtime.${region}.${domain}`
  },
  settings: ['awsRegion', 'awsAccessKeyId', 'awsSecretAccessKey', 'awsSessionToken'],
  insteadOfKey: ['awsRegion', 'awsAccessKeyId', 'awsSecretAccessKey'],
} as const satisfies AccountDescription

export const vertexAccount = {
  key: { setting: 'googleVertexApiKey', variable: 'GOOGLE_VERTEX_API_KEY' },
  baseUrl: (values: AccountValues, hasKey: boolean) => {
    // A key is bound to its project.
    if (hasKey) return 'https://aiplatform.googleapis.com/v1/publishers/google'
    const location = values.googleVertexLocation ?? 'global'
    const project = require(values, 'googleVertexProject')
    return `https://${vertexHost(location)}/v1beta1/projects/${project}/locations/${location}/publishers/google`
  },
  settings: ['googleVertexProject', 'googleVertexLocation', 'googleCredentialsFile'],
  insteadOfKey: ['googleVertexProject'],
} as const satisfies AccountDescription

function vertexHost(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com'
  if (location === 'eu' || location === 'us') return `aiplatform.${location}.rep.googleapis.com`
  return `${location}-aiplatform.googleapis.com`
}
